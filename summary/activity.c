/* Owns the set of open transactions. Knows only their begin and end. */
#include "activity.h"

#include "growing_array.h"

#include <stdlib.h>

static void sift_down(uint64_t *ends, size_t count)
{
    const uint64_t moving = ends[0];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && ends[child + 1] < ends[child])
            child++;
        if (ends[child] >= moving)
            break;
        ends[at] = ends[child];
    }
    ends[at] = moving;
}

static void remove_ended(ftr_activity *activity, uint64_t now)
{
    while (activity->open > 0 && activity->ends[0] <= now) {
        activity->ends[0] = activity->ends[--activity->open];
        if (activity->open > 0)
            sift_down(activity->ends, activity->open);
    }
}

static bool push(ftr_activity *activity, uint64_t end)
{
    if (!ftr_array_grow(&activity->ends, &activity->capacity, activity->open,
                        sizeof *activity->ends))
        return false;
    uint64_t *ends = activity->ends;
    size_t at = activity->open++;
    for (; at > 0 && ends[(at - 1) / 2] > end; at = (at - 1) / 2)
        ends[at] = ends[(at - 1) / 2];
    ends[at] = end;
    return true;
}

bool ftr_activity_add(ftr_activity *activity, uint64_t begin, uint64_t end, uint64_t *idle)
{
    remove_ended(activity, begin);
    if (begin != activity->begin)
        activity->begun = 0;
    activity->begin = begin;
    uint64_t overlapping = activity->open + 1;
    if (end > begin) {
        if (!push(activity, end))
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

uint64_t ftr_activity_open_at(ftr_activity *activity, uint64_t now)
{
    remove_ended(activity, now);
    return activity->open;
}

void ftr_activity_release(ftr_activity *activity)
{
    free(activity->ends);
    *activity = (ftr_activity){.outstanding = activity->outstanding, .busy = activity->busy};
}
