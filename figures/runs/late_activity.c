/* Counts how many transactions overlap, if they are added in the order of their ends.
 *
 * To compute the number of outstanding transactions, each transaction is assigned to a place, which
 * it occupies from its begin to its end. The transaction gets the place that became free last
 * before its begin. If no place is free, it gets a new place. If transactions are added in order of
 * end, the number of places is the maximum number of transactions that overlap. */
#include "late_activity.h"

#include "growing_array.h"

#include <stdlib.h>

#define COVERED_MAX 4096u

/* ---- outstanding ----------------------------------------------------------------------------- */

/* Returns the number of values that are at most @p value. */
static size_t rank_of(const uint64_t *values, size_t count, uint64_t value)
{
    size_t low = 0;
    while (low < count) {
        const size_t middle = low + (count - low) / 2;
        if (values[middle] <= value)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

static bool reserve_place(ftr_late_activity *activity, uint64_t begin, uint64_t end)
{
    uint64_t *places = activity->free;
    const size_t free_before = rank_of(places, activity->outstanding, begin);
    if (free_before > 0) {
        memmove(places + free_before - 1, places + free_before,
                (activity->outstanding - free_before) * sizeof *places);
        activity->outstanding--;
    } else if (!ftr_array_grow_small(&activity->free, &activity->free_capacity,
                                     activity->outstanding, sizeof *activity->free)) {
        return false;
    }
    places = activity->free;
    const size_t at = rank_of(places, activity->outstanding, end);
    memmove(places + at + 1, places + at, (activity->outstanding - at) * sizeof *places);
    places[at] = end;
    activity->outstanding++;
    return true;
}

/* ---- busy ------------------------------------------------------------------------------------ */

static void note_busy(ftr_late_activity *activity, uint64_t begin, uint64_t end,
                      ftr_newly_busy *newly, void *user)
{
    if (begin >= end)
        return;
    activity->busy += end - begin;
    newly(user, begin, end);
}

void ftr_late_activity_forget(ftr_late_activity *activity)
{
    const size_t half = activity->covered_count / 2;
    if (half == 0)
        return;
    activity->settled = activity->covered[half - 1].end;
    activity->covered_count -= half;
    memmove(activity->covered, activity->covered + half,
            activity->covered_count * sizeof *activity->covered);
}

static bool cover(ftr_late_activity *activity, uint64_t begin, uint64_t end, ftr_newly_busy *newly,
                  void *user)
{
    begin = begin > activity->settled ? begin : activity->settled;
    if (begin >= end)
        return true;
    if (activity->covered_count == COVERED_MAX)
        ftr_late_activity_forget(activity);
    if (!ftr_array_grow_small(&activity->covered, &activity->covered_capacity,
                              activity->covered_count, sizeof *activity->covered))
        return false;
    ftr_covered_time *all = activity->covered;
    size_t high = activity->covered_count;
    while (high > 0 && all[high - 1].begin > end)
        high--;
    size_t low = high;
    uint64_t right = end;
    ftr_covered_time joined = {begin, end};
    for (; low > 0 && all[low - 1].end >= begin; low--) {
        const ftr_covered_time *next = &all[low - 1];
        note_busy(activity, next->end > begin ? next->end : begin, right, newly, user);
        right = next->begin < right ? next->begin : right;
        joined.begin = next->begin < joined.begin ? next->begin : joined.begin;
        joined.end = next->end > joined.end ? next->end : joined.end;
    }
    note_busy(activity, begin, right, newly, user);
    memmove(all + low + 1, all + high, (activity->covered_count - high) * sizeof *all);
    all[low] = joined;
    activity->covered_count += low + 1 - high;
    return true;
}

bool ftr_late_activity_add(ftr_late_activity *activity, uint64_t begin, uint64_t end,
                           ftr_newly_busy *newly, void *user)
{
    return cover(activity, begin, end, newly, user) && reserve_place(activity, begin, end);
}

void ftr_late_activity_shrink(ftr_late_activity *activity)
{
    ftr_late_activity_forget(activity);
    (void)ftr_array_resize(&activity->covered, &activity->covered_capacity,
                           activity->covered_count + 1, sizeof *activity->covered);
}

void ftr_late_activity_release(ftr_late_activity *activity)
{
    free(activity->free);
    free(activity->covered);
    *activity = (ftr_late_activity){.outstanding = activity->outstanding, .busy = activity->busy};
}
