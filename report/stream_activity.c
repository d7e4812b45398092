/* Owns the set of open transactions of a stream. Knows only their ends and generators. */
#include "stream_activity.h"

static void add(ftr_open_count *count, uint64_t begin, uint64_t end)
{
    if (begin != count->begin)
        count->begun = 0;
    count->begin = begin;
    count->latest = count->open + 1;
    if (end > begin) {
        count->open++;
        count->begun++;
    } else {
        count->latest -= count->begun;
    }
    if (count->latest > count->outstanding)
        count->outstanding = count->latest;
    const uint64_t idle = begin > count->covered ? begin : count->covered;
    if (end > idle) {
        count->busy += end - idle;
        count->covered = end;
    }
}

void ftr_stream_activity_move(ftr_stream_activity *activity, ftr_open_count *counts, uint64_t now)
{
    while (ftr_open_ends_has_ended(&activity->ends, now)) {
        counts[ftr_open_ends_remove(&activity->ends)].open--;
        activity->count.open--;
    }
}

bool ftr_stream_activity_add(ftr_stream_activity *activity, ftr_open_count *counts,
                             size_t generator, uint64_t begin, uint64_t end)
{
    ftr_stream_activity_move(activity, counts, begin);
    if (end > begin && !ftr_open_ends_add(&activity->ends, end, generator))
        return false;
    add(&activity->count, begin, end);
    add(&counts[generator], begin, end);
    return true;
}

void ftr_stream_activity_release(ftr_stream_activity *activity)
{
    ftr_open_ends_release(&activity->ends);
    *activity = (ftr_stream_activity){0};
}
