/* The same figures as of activity.h, for transactions in order of their ends, as they are recorded,
 * or nearly so: a transaction may come behind as many as FTR_LATE_MAX that end after it, or, while
 * transactions are held, behind any number of the held ones. */
#ifndef FTR_LATE_ACTIVITY_H
#define FTR_LATE_ACTIVITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FTR_LATE_MAX 1024u
/* More transactions are not held: they take memory. */
#define FTR_LATE_HELD_MAX 65536u

typedef struct ftr_late_tx {
    uint64_t begin, end;
} ftr_late_tx;

typedef struct ftr_late_activity {
    ftr_late_tx *waiting; /* in order of end, unless it is unsorted */
    size_t waiting_first, waiting_count, waiting_capacity;
    bool is_unsorted;
    uint64_t *free; /* ascending: the time from which on a place for a transaction is free */
    size_t outstanding, free_capacity;
    ftr_late_tx *covered; /* ascending and disjoint: times with an open transaction */
    size_t covered_count, covered_capacity;
    uint64_t settled; /* times before it are no longer in `covered` */
    uint64_t busy;
} ftr_late_activity;

/* Called with ticks that are newly busy. @return false if out of memory */
typedef bool ftr_newly_busy(void *user, uint64_t begin, uint64_t end);

/* Adds a transaction.
 * @param holds counts no transaction that waits for others, until ftr_late_activity_let_go()
 * @return false if out of memory */
bool ftr_late_activity_add(ftr_late_activity *activity, uint64_t begin, uint64_t end, bool holds,
                           ftr_newly_busy *newly, void *user);

/* Counts transactions that end no later than @p until, as long as more than FTR_LATE_MAX wait, and
 * others as long as more than FTR_LATE_HELD_MAX wait. @return false if out of memory */
bool ftr_late_activity_let_go(ftr_late_activity *activity, uint64_t until, ftr_newly_busy *newly,
                              void *user);

/* Counts the transactions that wait for others. */
bool ftr_late_activity_settle(ftr_late_activity *activity, ftr_newly_busy *newly, void *user);

void ftr_late_activity_release(ftr_late_activity *activity);

#endif
