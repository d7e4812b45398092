/* Counts how many transactions overlap, if they are added in the order of their ends.
 *
 * To compute the number of outstanding transactions, each transaction is assigned to a place, which
 * it occupies from its begin to its end. The transaction gets the place that became free last
 * before its begin. If no place is free, it gets a new place. If transactions are added in order of
 * end, the number of places is the maximum number of transactions that overlap. */
#include "late_activity.h"

#include "growing_array.h"

#include <stdlib.h>
#include <string.h>

#define COVERED_MAX 4096u

/* ---- order of ends --------------------------------------------------------------------------- */

/* Transactions with the same end are sorted by begin, so transactions without duration are last. */
static bool is_before(const ftr_late_tx *a, const ftr_late_tx *b)
{
    return a->end != b->end ? a->end < b->end : a->begin < b->begin;
}

static int compare(const void *a, const void *b)
{
    return is_before(a, b) ? -1 : is_before(b, a);
}

/* Makes room after the waiting transactions: moves them to the start of their array, or enlarges
 * the array. */
static bool make_room(ftr_late_activity *activity)
{
    const size_t end = activity->waiting_first + activity->waiting_count;
    if (end < activity->waiting_capacity)
        return true;
    if (activity->waiting_first < activity->waiting_capacity / 2 || activity->waiting_first == 0)
        return ftr_array_grow(&activity->waiting, &activity->waiting_capacity, end,
                              sizeof *activity->waiting);
    memmove(activity->waiting, activity->waiting + activity->waiting_first,
            activity->waiting_count * sizeof *activity->waiting);
    activity->waiting_first = 0;
    return true;
}

/* Adds a transaction at the end, even if the array is then unsorted. */
static void append(ftr_late_activity *activity, ftr_late_tx tx)
{
    ftr_late_tx *at = activity->waiting + activity->waiting_first + activity->waiting_count++;
    *at = tx;
    activity->is_unsorted |= activity->waiting_count > 1 && is_before(&tx, at - 1);
}

/* Inserts a transaction into the sorted array. Searches from the end, because the place is near the
 * end. */
static void insert(ftr_late_activity *activity, ftr_late_tx tx)
{
    ftr_late_tx *first = activity->waiting + activity->waiting_first;
    size_t at = activity->waiting_count++;
    for (; at > 0 && is_before(&tx, &first[at - 1]); at--)
        first[at] = first[at - 1];
    first[at] = tx;
}

static void sort(ftr_late_activity *activity)
{
    if (activity->is_unsorted)
        qsort(activity->waiting + activity->waiting_first, activity->waiting_count,
              sizeof *activity->waiting, compare);
    activity->is_unsorted = false;
}

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

static bool reserve_place(ftr_late_activity *activity, const ftr_late_tx *tx)
{
    uint64_t *places = activity->free;
    const size_t free_before = rank_of(places, activity->outstanding, tx->begin);
    if (free_before > 0) {
        memmove(places + free_before - 1, places + free_before,
                (activity->outstanding - free_before) * sizeof *places);
        activity->outstanding--;
    } else if (!ftr_array_grow(&activity->free, &activity->free_capacity, activity->outstanding,
                               sizeof *activity->free)) {
        return false;
    }
    places = activity->free;
    const size_t at = rank_of(places, activity->outstanding, tx->end);
    memmove(places + at + 1, places + at, (activity->outstanding - at) * sizeof *places);
    places[at] = tx->end;
    activity->outstanding++;
    return true;
}

/* ---- busy ------------------------------------------------------------------------------------ */

static bool note_busy(ftr_late_activity *activity, uint64_t begin, uint64_t end,
                      ftr_newly_busy *newly, void *user)
{
    if (begin >= end)
        return true;
    activity->busy += end - begin;
    return newly(user, begin, end);
}

/* Discards the older half of the covered intervals. All times before the remaining intervals then
 * count as covered. */
static void forget(ftr_late_activity *activity)
{
    const size_t half = activity->covered_count / 2;
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
        forget(activity);
    if (!ftr_array_grow(&activity->covered, &activity->covered_capacity, activity->covered_count,
                        sizeof *activity->covered))
        return false;
    ftr_late_tx *all = activity->covered;
    size_t high = activity->covered_count;
    while (high > 0 && all[high - 1].begin > end)
        high--;
    size_t low = high;
    uint64_t right = end;
    ftr_late_tx joined = {begin, end};
    for (; low > 0 && all[low - 1].end >= begin; low--) {
        const ftr_late_tx *next = &all[low - 1];
        if (!note_busy(activity, next->end > begin ? next->end : begin, right, newly, user))
            return false;
        right = next->begin < right ? next->begin : right;
        joined.begin = next->begin < joined.begin ? next->begin : joined.begin;
        joined.end = next->end > joined.end ? next->end : joined.end;
    }
    if (!note_busy(activity, begin, right, newly, user))
        return false;
    memmove(all + low + 1, all + high, (activity->covered_count - high) * sizeof *all);
    all[low] = joined;
    activity->covered_count += low + 1 - high;
    return true;
}

/* Counts the first of the waiting transactions, which must be sorted. */
static bool count_first(ftr_late_activity *activity, ftr_newly_busy *newly, void *user)
{
    const ftr_late_tx first = activity->waiting[activity->waiting_first++];
    activity->waiting_count--;
    return cover(activity, first.begin, first.end, newly, user) && reserve_place(activity, &first);
}

bool ftr_late_activity_add(ftr_late_activity *activity, uint64_t begin, uint64_t end, bool holds,
                           ftr_newly_busy *newly, void *user)
{
    if (!make_room(activity))
        return false;
    if (holds || activity->is_unsorted) {
        append(activity, (ftr_late_tx){begin, end});
        return true;
    }
    insert(activity, (ftr_late_tx){begin, end});
    return activity->waiting_count <= FTR_LATE_MAX || count_first(activity, newly, user);
}

bool ftr_late_activity_let_go(ftr_late_activity *activity, uint64_t until, ftr_newly_busy *newly,
                              void *user)
{
    sort(activity);
    while (activity->waiting_count > FTR_LATE_HELD_MAX ||
           (activity->waiting_count > FTR_LATE_MAX &&
            activity->waiting[activity->waiting_first].end <= until))
        if (!count_first(activity, newly, user))
            return false;
    return true;
}

bool ftr_late_activity_settle(ftr_late_activity *activity, ftr_newly_busy *newly, void *user)
{
    sort(activity);
    while (activity->waiting_count > 0)
        if (!count_first(activity, newly, user))
            return false;
    return true;
}

void ftr_late_activity_release(ftr_late_activity *activity)
{
    free(activity->waiting);
    free(activity->free);
    free(activity->covered);
    *activity = (ftr_late_activity){.outstanding = activity->outstanding, .busy = activity->busy};
}
