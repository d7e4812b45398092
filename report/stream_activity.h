/* Computes the number of overlapping transactions of a stream and of each of its generators, and
 * the number of ticks in which at least one is open. Like ftr_activity (summary/), but with one set
 * of ends for a stream and its generators. */
#ifndef FTR_STREAM_ACTIVITY_H
#define FTR_STREAM_ACTIVITY_H

#include "open_ends.h"

/* The counts of a stream or of a generator. */
typedef struct ftr_open_count {
    uint64_t open;        /* number of open transactions with a duration */
    uint64_t begin;       /* begin of the latest transaction, in ticks */
    uint64_t begun;       /* number of transactions with a duration that began at `begin` */
    uint64_t latest;      /* number that overlap the latest transaction, including it */
    uint64_t outstanding; /* maximum number that are open at one time */
    uint64_t covered;     /* the latest end so far, in ticks */
    uint64_t busy;        /* number of ticks with an open transaction */
} ftr_open_count;

typedef struct ftr_stream_activity {
    ftr_open_count count; /* counts of the stream */
    ftr_open_ends ends;   /* ends of its transactions */
} ftr_stream_activity;

/* Adds the next transaction of the stream, in order of begin.
 * @param counts index: number of the generator; those of other streams are not used
 * @return false if out of memory */
bool ftr_stream_activity_add(ftr_stream_activity *activity, ftr_open_count *counts,
                             size_t generator, uint64_t begin, uint64_t end);

/* Transactions that end at @p now or earlier no longer count as open. No transaction that
 * begins before @p now may be added any more. */
void ftr_stream_activity_move(ftr_stream_activity *activity, ftr_open_count *counts, uint64_t now);

void ftr_stream_activity_release(ftr_stream_activity *activity);

#endif
