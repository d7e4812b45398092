/* Keeps the ends of open transactions, and computes the busy time and the maximum number of open
 * transactions. */
#include "activity.h"

#include <stdlib.h>

/* The first capacity is small, because there can be thousands of generators. */
#define RECENT_CAPACITY_MIN 4u

static void remove_ended(ftr_activity *activity, uint64_t now)
{
    uint64_t *const recent = activity->recent;
    unsigned kept = 0;
    for (unsigned i = 0; i < activity->recent_count; i++) {
        const uint64_t end = recent[i];
        recent[kept] = end;
        kept += end > now; /* no branch is used, because it would often be mispredicted */
    }
    activity->recent_count = kept;
    while (ftr_open_ends_has_ended(&activity->ends, now))
        (void)ftr_open_ends_remove(&activity->ends);
}

static bool enlarge_recent(ftr_activity *activity)
{
    const uint32_t capacity =
        activity->recent_capacity > 0 ? 2 * activity->recent_capacity : RECENT_CAPACITY_MIN;
    uint64_t *enlarged = realloc(activity->recent, capacity * sizeof *enlarged);
    if (enlarged == NULL)
        return false;
    activity->recent = enlarged;
    activity->recent_capacity = capacity;
    return true;
}

/* Makes room in `recent`. @return false if out of memory */
static __attribute__((noinline)) bool make_room(ftr_activity *activity, uint64_t now)
{
    remove_ended(activity, now);
    if (activity->recent_count >= activity->recent_capacity / 2 &&
        activity->recent_capacity < FTR_RECENT_ENDS_MAX)
        return enlarge_recent(activity);
    if (activity->recent_count < activity->recent_capacity)
        return true;
    while (activity->recent_count > 0) {
        if (!ftr_open_ends_add(&activity->ends, activity->recent[activity->recent_count - 1], 0))
            return false;
        activity->recent_count--;
    }
    return true;
}

/* Returns the greatest number of transactions that can be open together with a new transaction,
 * including the new one.
 * @param excluded number of transactions that begin at the same tick as the new one and do not
 * overlap it */
static uint64_t overlapping_most(const ftr_activity *activity, uint64_t excluded)
{
    return activity->recent_count + activity->ends.count + 1 - excluded;
}

bool ftr_activity_add(ftr_activity *activity, uint64_t begin, uint64_t end, uint64_t *idle)
{
    if (begin != activity->begin)
        activity->begun = 0;
    activity->begin = begin;
    const uint64_t excluded = end > begin ? 0 : activity->begun;
    if (overlapping_most(activity, excluded) > activity->outstanding) {
        remove_ended(activity, begin);
        const uint64_t overlapping = overlapping_most(activity, excluded);
        if (overlapping > activity->outstanding)
            activity->outstanding = overlapping;
    }
    if (end > begin) {
        if (activity->recent_count == activity->recent_capacity && !make_room(activity, begin))
            return false;
        activity->recent[activity->recent_count++] = end;
        activity->begun++;
    }
    *idle = begin > activity->covered ? begin : activity->covered;
    if (end > *idle) {
        activity->busy += end - *idle;
        activity->covered = end;
    } else {
        *idle = end;
    }
    return true;
}

size_t ftr_activity_memory(const ftr_activity *activity)
{
    const size_t near =
        activity->ends.near != NULL ? (size_t)2 * FTR_OPEN_NEAR_MAX * sizeof(ftr_open_end) : 0;
    return activity->recent_capacity * sizeof *activity->recent + near +
           activity->ends.far_capacity * sizeof(ftr_open_end);
}

void ftr_activity_release(ftr_activity *activity)
{
    free(activity->recent);
    ftr_open_ends_release(&activity->ends);
    *activity = (ftr_activity){.outstanding = activity->outstanding, .busy = activity->busy};
}
