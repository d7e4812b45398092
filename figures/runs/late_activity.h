/* Computes the same figures as activity.h, for transactions that are added approximately in order
 * of end, as they are recorded. A transaction may be added after transactions that end later. If
 * more than FTR_LATE_MAX of these were added before it, the maximum number of overlapping
 * transactions can be too high. Transactions that are held may be added in any order. */
#ifndef FTR_LATE_ACTIVITY_H
#define FTR_LATE_ACTIVITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FTR_LATE_MAX 1024u
/* Maximum number of transactions that ftr_late_activity_let_go() leaves held. */
#define FTR_LATE_HELD_MAX 65536u

typedef struct ftr_late_tx {
    uint64_t begin, end;
} ftr_late_tx;

typedef struct ftr_late_activity {
    ftr_late_tx *waiting; /* in order of end, unless is_unsorted */
    size_t waiting_first, waiting_count, waiting_capacity;
    bool is_unsorted;
    uint64_t *free; /* the tick from which a place is free (see late_activity.c); ascending */
    size_t outstanding, free_capacity;
    ftr_late_tx *covered; /* intervals with an open transaction: ascending, disjoint */
    size_t covered_count, covered_capacity;
    uint64_t settled; /* times before this tick are not in `covered`, but count as covered */
    uint64_t busy;
} ftr_late_activity;

/* Called with ticks that became busy by the transaction that is counted now. @return false if out
 * of memory */
typedef bool ftr_newly_busy(void *user, uint64_t begin, uint64_t end);

/* Adds a transaction.
 * @param holds if true, the transaction is stored now, and counted later by
 * ftr_late_activity_let_go()
 * @return false if out of memory */
bool ftr_late_activity_add(ftr_late_activity *activity, uint64_t begin, uint64_t end, bool holds,
                           ftr_newly_busy *newly, void *user);

/* Counts held transactions in order of end. While more than FTR_LATE_MAX are held, counts the next
 * one if it ends at @p until or earlier. While more than FTR_LATE_HELD_MAX are held, counts the
 * next one regardless of its end. @return false if out of memory */
bool ftr_late_activity_let_go(ftr_late_activity *activity, uint64_t until, ftr_newly_busy *newly,
                              void *user);

/* Counts all held transactions. */
bool ftr_late_activity_settle(ftr_late_activity *activity, ftr_newly_busy *newly, void *user);

void ftr_late_activity_release(ftr_late_activity *activity);

#endif
