/* Computes the maximum number of overlapping transactions of one generator or stream, and the
 * number of ticks in which at least one is open. A transaction is open from its begin until its
 * end, the end excluded. If a transaction begins when another ends, the two do not overlap. A
 * transaction without duration does not overlap transactions that begin or end at the same tick. */
#ifndef FTR_ACTIVITY_H
#define FTR_ACTIVITY_H

#include "open_ends.h"

/* Maximum number of ends that are kept unsorted. */
#define FTR_RECENT_ENDS_MAX 32u

/* An end stays in the set after its tick has passed. Such ends are removed only if the number of
 * ends exceeds `outstanding`, because `outstanding` may then be too small, or if `recent` is
 * full. */
typedef struct ftr_activity {
    uint64_t outstanding; /* maximum number of transactions open at one time */
    uint64_t busy;        /* number of ticks with an open transaction */
    uint64_t covered;     /* the latest end so far, in ticks */
    uint64_t begin;       /* begin of the latest transaction, in ticks */
    uint64_t begun;       /* number of transactions with a duration that began at `begin` */
    uint64_t *recent;     /* the latest ends, in any order */
    uint32_t recent_count, recent_capacity; /* at most FTR_RECENT_ENDS_MAX */
    ftr_open_ends ends; /* further ends, if more than FTR_RECENT_ENDS_MAX transactions are open */
} ftr_activity;

/* Adds the next transaction, in order of begin.
 * @param[out] idle from this tick on, no earlier transaction is open: [idle, end) is newly busy
 * @return false if out of memory */
bool ftr_activity_add(ftr_activity *activity, uint64_t begin, uint64_t end, uint64_t *idle);

/* Returns the number of allocated bytes. */
size_t ftr_activity_memory(const ftr_activity *activity);

/* Frees the memory of the open transactions. Keeps `outstanding` and `busy`. */
void ftr_activity_release(ftr_activity *activity);

#endif
