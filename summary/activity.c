/* Owns the set of the ends of open transactions, the busy time and the maximum number. Knows
 * nothing else about transactions. */
#include "activity.h"

static void remove_ended(ftr_activity *activity, uint64_t now)
{
    while (ftr_open_ends_has_ended(&activity->ends, now))
        (void)ftr_open_ends_remove(&activity->ends);
}

bool ftr_activity_add(ftr_activity *activity, uint64_t begin, uint64_t end, uint64_t *idle)
{
    remove_ended(activity, begin);
    if (begin != activity->begin)
        activity->begun = 0;
    activity->begin = begin;
    uint64_t overlapping = activity->ends.count + 1;
    if (end > begin) {
        if (!ftr_open_ends_add(&activity->ends, end, 0))
            return false;
        activity->begun++;
    } else {
        overlapping -= activity->begun;
    }
    if (overlapping > activity->outstanding)
        activity->outstanding = overlapping;
    *idle = begin > activity->covered ? begin : activity->covered;
    if (end > *idle) {
        activity->busy += end - *idle;
        activity->covered = end;
    } else {
        *idle = end;
    }
    return true;
}

void ftr_activity_release(ftr_activity *activity)
{
    ftr_open_ends_release(&activity->ends);
    *activity = (ftr_activity){.outstanding = activity->outstanding, .busy = activity->busy};
}
