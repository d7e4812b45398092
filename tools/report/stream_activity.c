/* Owns the memory of the open transactions of a stream. Does not know the transactions. */
#include "stream_activity.h"

void ftr_stream_activity_release(ftr_stream_activity *activity)
{
    ftr_open_ends_release(&activity->ends);
    *activity = (ftr_stream_activity){0};
}
