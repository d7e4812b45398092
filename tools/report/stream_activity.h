/* Computes the number of overlapping transactions of a stream and of each of its generators, and
 * the number of ticks in which at least one is open. Like ftr_activity (figures/runs/), but a
 * stream and its generators share one set of ends. */
#ifndef FTR_STREAM_ACTIVITY_H
#define FTR_STREAM_ACTIVITY_H

#include "open_ends.h"

/* The counts of a stream or of a generator. */
typedef struct ftr_open_count {
    uint64_t open;        /* number of open transactions with a duration */
    uint64_t begin;       /* begin of the latest transaction, in ticks */
    uint64_t begun;       /* number of transactions with a duration that began at `begin` */
    uint64_t latest;      /* number of transactions that overlap the latest one, including itself */
    uint64_t outstanding; /* maximum number of transactions that are open at one time */
    uint64_t covered;     /* the latest end of a transaction so far, in ticks */
    uint64_t busy;        /* number of ticks with an open transaction */
} ftr_open_count;

typedef struct ftr_stream_activity {
    ftr_open_count count; /* counts of the stream */
    ftr_open_ends ends;   /* ends of its open transactions; must be released */
} ftr_stream_activity;

/* Adds a transaction to the counts of the stream or of a generator. */
static inline void ftr_open_count_add(ftr_open_count *count, uint64_t begin, uint64_t end)
{
    if (begin != count->begin)
        count->begun = 0;
    count->begin = begin;
    count->latest = count->open + 1;
    if (end > begin) {
        count->open++;
        count->begun++;
    } else {
        count->latest -= count->begun;
    }
    if (count->latest > count->outstanding)
        count->outstanding = count->latest;
    const uint64_t idle = begin > count->covered ? begin : count->covered;
    if (end > idle) {
        count->busy += end - idle;
        count->covered = end;
    }
}

/* Moves to the tick @p now: transactions that end at @p now or earlier no longer count as open. No
 * transaction that begins before @p now may be added any more. */
static inline void ftr_stream_activity_move(ftr_stream_activity *activity, ftr_open_count *counts,
                                            uint64_t now)
{
    while (ftr_open_ends_has_ended(&activity->ends, now)) {
        counts[ftr_open_ends_remove(&activity->ends)].open--;
        activity->count.open--;
    }
}

/* Adds the next transaction of the stream, in order of begin.
 * @param counts index: number of the generator; those of other streams are not used
 * @return false if out of memory */
static inline bool ftr_stream_activity_add(ftr_stream_activity *activity, ftr_open_count *counts,
                                           size_t generator, uint64_t begin, uint64_t end)
{
    ftr_stream_activity_move(activity, counts, begin);
    if (end > begin && !ftr_open_ends_add(&activity->ends, end, generator))
        return false;
    ftr_open_count_add(&activity->count, begin, end);
    ftr_open_count_add(&counts[generator], begin, end);
    return true;
}

#endif
