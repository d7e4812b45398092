/* Finds the causes among the changes of time between two traces. The first displaced transaction
 * and every change of duration are reported. If a transaction begins later only because the
 * previous transaction ended later, it is not reported. */
#ifndef FTR_TIME_CHANGES_H
#define FTR_TIME_CHANGES_H

#include "alignment_window.h"

/* The times of a pair of transactions. */
typedef struct ftr_timed_pair {
    uint64_t begin[2], end[2]; /* ticks */
    uint64_t id[2];
    uint32_t stream, generator;
} ftr_timed_pair;

typedef enum ftr_time_change {
    /* from this transaction on, the displacement of the stream changes by @p delta */
    FTR_TIME_SHIFTED,
    FTR_TIME_MOVED, /* only this transaction is displaced */
    /* The duration changed. @p follows: the cause is another transaction whose begin or end, inside
     * this transaction, is displaced by the same time. */
    FTR_TIME_DURATION
} ftr_time_change;

typedef struct ftr_stream_times ftr_stream_times;

/* A displacement, and the times at which it last occurred. */
typedef struct ftr_seen_displacement {
    int64_t displacement;
    /* ticks in the first trace: last occurrence in `stream`, and last occurrence in `other_stream`
     */
    uint64_t time, other_time;
    uint32_t stream, other_stream;
    /* last time at which a transaction with changed duration ended with this displacement */
    uint64_t duration_time;
    bool has_other, has_duration;
} ftr_seen_displacement;

#define FTR_SEEN_DISPLACEMENTS 32

/* A transaction with a changed duration. It is stored until the diff reaches a transaction that
 * begins at or after the end of this transaction. */
typedef struct ftr_changed_end {
    ftr_timed_pair pair;
    bool unreported; /* the change is part of another reported change */
} ftr_changed_end;

/* A shift that is stored until no earlier shift of the same size can be found. */
typedef struct ftr_found_shift {
    ftr_timed_pair pair;
    int64_t delta, displacement;
} ftr_found_shift;

#define FTR_FOUND_SHIFTS 1024

typedef struct ftr_time_changes {
    uint64_t tolerance;
    bool fixed_base; /* every displacement is reported */
    ftr_stream_times *streams;
    size_t stream_count;
    ftr_seen_displacement seen[FTR_SEEN_DISPLACEMENTS]; /* most recent first */
    size_t seen_count;
    ftr_changed_end *ends; /* a min-heap by end */
    size_t end_count;
    ftr_found_shift *shifts;
    size_t shift_count;
    void (*report)(void *user, ftr_time_change change, const ftr_timed_pair *pair, int64_t delta,
                   bool follows);
    void *user;
} ftr_time_changes;

/* @return false if out of memory */
bool ftr_time_changes_init(ftr_time_changes *changes, size_t stream_count);
void ftr_time_changes_release(ftr_time_changes *changes);

/* Adds the next pair, in order of begin in the first trace. If @p unreported is true, changes of
 * time of this pair are not reported, because they are part of another reported change. @return
 * true if the duration changed */
bool ftr_time_changes_put(ftr_time_changes *changes, const ftr_timed_pair *pair, bool unreported);

/* Reports the changes that are still stored. Call this function after the last pair. */
void ftr_time_changes_finish(ftr_time_changes *changes);

#endif
