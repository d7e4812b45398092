/* Computes the same figures as activity.h, for transactions that are added in order of end, as they
 * are recorded. Transactions with the same end are in order of begin, so transactions without
 * duration come last. If transactions are added in another order, the maximum number of overlapping
 * transactions can be too high. */
#ifndef FTR_LATE_ACTIVITY_H
#define FTR_LATE_ACTIVITY_H

#include <ftr/detail/inline_macros.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Maximum number of places that ftr_late_activity_add_usual() searches. */
#define FTR_USUAL_PLACES_MAX 64u

typedef struct ftr_covered_time {
    uint64_t begin, end;
} ftr_covered_time;

typedef struct ftr_late_activity {
    uint64_t *free; /* the tick from which a place is free (see late_activity.c); ascending */
    size_t outstanding, free_capacity;
    ftr_covered_time *covered; /* times with an open transaction: ascending, disjoint */
    size_t covered_count, covered_capacity;
    uint64_t settled; /* times before this tick are not in `covered`, but count as covered */
    uint64_t busy;
} ftr_late_activity;

/* Called with ticks that are newly busy. */
typedef void ftr_newly_busy(void *user, uint64_t begin, uint64_t end);

/* Adds a transaction. @return false if out of memory */
bool ftr_late_activity_add(ftr_late_activity *activity, uint64_t begin, uint64_t end,
                           ftr_newly_busy *newly, void *user);

/* Adds a usual transaction: it ends after all others, a place is free, and no gap before it becomes
 * busy.
 * @param[out] idle [idle, end) is newly busy
 * @return false if it is not a usual transaction; nothing was added */
static inline bool ftr_late_activity_add_usual(ftr_late_activity *activity, uint64_t begin,
                                               uint64_t end, uint64_t *idle)
{
    uint64_t *const free = activity->free;
    const size_t places = activity->outstanding;
    if (!FTR_LIKELY(places - 1 < FTR_USUAL_PLACES_MAX && free[0] <= begin &&
                    end >= free[places - 1]))
        return false;
    *idle = end;
    if (FTR_LIKELY(begin < end)) {
        if (!FTR_LIKELY(activity->covered_count > 0))
            return false;
        ftr_covered_time *const last = activity->covered + activity->covered_count - 1;
        if (!FTR_LIKELY(begin >= last->begin && end >= last->end))
            return false;
        if (FTR_LIKELY(begin <= last->end)) {
            *idle = last->end;
            last->end = end;
        } else if (activity->covered_count < activity->covered_capacity) {
            *idle = begin;
            last[1].begin = begin;
            last[1].end = end;
            activity->covered_count++;
        } else {
            return false;
        }
        activity->busy += end - *idle;
    }
    /* The place that became free last before `begin` moves to the end of the array. */
    uint64_t moving = end;
    for (uint64_t *place = free + places - 1;; place -= 2) {
        const uint64_t before = place[0];
        place[0] = moving;
        if (before <= begin)
            return true;
        moving = place[-1];
        place[-1] = before;
        if (moving <= begin)
            return true;
    }
}

/* Discards the older half of the covered times. All times before the others then count as
 * covered. */
void ftr_late_activity_forget(ftr_late_activity *activity);

/* The same, and frees the memory. */
void ftr_late_activity_shrink(ftr_late_activity *activity);

void ftr_late_activity_release(ftr_late_activity *activity);

#endif
