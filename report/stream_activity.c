/* Owns the set of open transactions of a stream. Knows only their ends and generators. */
#include "stream_activity.h"

#include "growing_array.h"

#include <stdlib.h>

/* ---- the heap -------------------------------------------------------------------------------- */

/* Removes the first of @p count ends. */
static void pop(ftr_open_end *ends, size_t count)
{
    const ftr_open_end moving = ends[--count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count)
            child += ends[child + 1].end < ends[child].end;
        if (ends[child].end >= moving.end)
            break;
        ends[at] = ends[child];
    }
    ends[at] = moving;
}

static bool push(ftr_stream_activity *activity, uint64_t end, size_t generator)
{
    size_t at = activity->count.open;
    if (!ftr_array_grow(&activity->ends, &activity->capacity, at, sizeof *activity->ends))
        return false;
    ftr_open_end *ends = activity->ends;
    for (; at > 0 && ends[(at - 1) / 2].end > end; at = (at - 1) / 2)
        ends[at] = ends[(at - 1) / 2];
    ends[at] = (ftr_open_end){end, generator};
    return true;
}

/* ---- counts ---------------------------------------------------------------------------------- */

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
    ftr_open_end *ends = activity->ends;
    while (activity->count.open > 0 && ends[0].end <= now) {
        counts[ends[0].generator].open--;
        pop(ends, activity->count.open--);
    }
}

bool ftr_stream_activity_add(ftr_stream_activity *activity, ftr_open_count *counts,
                             size_t generator, uint64_t begin, uint64_t end)
{
    ftr_stream_activity_move(activity, counts, begin);
    if (end > begin && !push(activity, end, generator))
        return false;
    add(&activity->count, begin, end);
    add(&counts[generator], begin, end);
    return true;
}

void ftr_stream_activity_release(ftr_stream_activity *activity)
{
    free(activity->ends);
    *activity = (ftr_stream_activity){0};
}
