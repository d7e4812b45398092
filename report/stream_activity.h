/* How many transactions of a stream, and of each of its generators, overlap, and for how many ticks
 * at least one is open; as ftr_activity (summary/), with one set of ends for a stream and its
 * generators.
 */
#ifndef FTR_STREAM_ACTIVITY_H
#define FTR_STREAM_ACTIVITY_H

#include "open_ends.h"

/* Of a stream or a generator. */
typedef struct ftr_open_count {
    uint64_t open;        /* transactions with a duration that are open */
    uint64_t begin;       /* of the latest transaction */
    uint64_t begun;       /* transactions with a duration that began there */
    uint64_t latest;      /* number that overlap the latest transaction, with itself */
    uint64_t outstanding; /* maximum number that are open at one time */
    uint64_t covered;     /* the latest end so far */
    uint64_t busy;        /* ticks */
} ftr_open_count;

typedef struct ftr_stream_activity {
    ftr_open_count count; /* of the stream */
    ftr_open_ends ends;   /* of its transactions */
} ftr_stream_activity;

/* Adds the next transaction of the stream; they come in order of begin.
 * @param counts of generators, by number; those of other streams are not used
 * @return false if out of memory */
bool ftr_stream_activity_add(ftr_stream_activity *activity, ftr_open_count *counts,
                             size_t generator, uint64_t begin, uint64_t end);

/* Removes the transactions that end before @p now, or at it, from the open ones. No transaction
 * that begins before @p now may be added any more. */
void ftr_stream_activity_move(ftr_stream_activity *activity, ftr_open_count *counts, uint64_t now);

void ftr_stream_activity_release(ftr_stream_activity *activity);

#endif
