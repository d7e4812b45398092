/* How many transactions of one generator or stream overlap at most, and for how many ticks at least
 * one is open. A transaction is open from its begin until its end, the end excluded. One that
 * begins when another ends does not overlap it; neither does one without duration that begins or
 * ends with another. */
#ifndef FTR_ACTIVITY_H
#define FTR_ACTIVITY_H

#include "open_ends.h"

typedef struct ftr_activity {
    uint64_t outstanding; /* maximum number that are open at one time */
    uint64_t busy;        /* ticks */
    uint64_t covered;     /* the latest end so far */
    uint64_t begin;       /* of the latest transaction */
    uint64_t begun;       /* transactions with a duration that began there */
    ftr_open_ends ends;
} ftr_activity;

/* Adds the next transaction; they come in order of begin.
 * @param[out] idle the tick from which only this transaction is open: [idle, end) is newly busy
 * @return false if out of memory */
bool ftr_activity_add(ftr_activity *activity, uint64_t begin, uint64_t end, uint64_t *idle);

/* The number of transactions that began before @p now and end after it. No transaction that begins
 * before @p now may be added any more. */
uint64_t ftr_activity_open_at(ftr_activity *activity, uint64_t now);

/* Removes the open transactions, because the next run begins. Keeps both results. */
void ftr_activity_release(ftr_activity *activity);

#endif
