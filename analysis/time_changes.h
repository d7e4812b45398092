/* Which of the changes of time between two traces are causes. A transaction that begins later since
 * the one before it ended later is not told; what is told is the first that moved, and every
 * transaction that lasts longer. */
#ifndef FTR_TIME_CHANGES_H
#define FTR_TIME_CHANGES_H

#include "alignment_window.h"

/* A pair of transactions, as far as times go. */
typedef struct ftr_timed_pair {
    uint64_t begin[2], end[2]; /* ticks */
    uint64_t id[2];
    uint32_t stream, generator;
} ftr_timed_pair;

typedef enum ftr_time_change {
    FTR_TIME_SHIFTED, /* from here on the stream is later or earlier, by @p delta more than before
                       */
    FTR_TIME_MOVED,   /* this one transaction begins later or earlier */
    FTR_TIME_DURATION /* it lasts longer or shorter; @p follows: since one inside of it does */
} ftr_time_change;

typedef struct ftr_stream_times ftr_stream_times;

/* How far transactions are displaced, and where that was seen last. */
typedef struct ftr_seen_displacement {
    int64_t displacement;
    uint64_t time, other_time; /* ticks in the first trace: last seen, and by another stream */
    uint32_t stream, other_stream;
    uint64_t duration_time; /* when a transaction last ended so far displaced that began less so */
    bool has_other, has_duration;
} ftr_seen_displacement;

#define FTR_SEEN_DISPLACEMENTS 32

/* A transaction of changed duration, until time has come to its end. */
typedef struct ftr_changed_end {
    ftr_timed_pair pair;
    bool untold; /* its change of duration is told with another change */
} ftr_changed_end;

/* A shift that was found, until it is certain that none is found where it began. */
typedef struct ftr_found_shift {
    ftr_timed_pair pair;
    int64_t delta, displacement;
} ftr_found_shift;

#define FTR_FOUND_SHIFTS 1024

typedef struct ftr_time_changes {
    uint64_t tolerance;
    bool fixed_base; /* every displacement is told */
    ftr_stream_times *streams;
    size_t stream_count;
    ftr_seen_displacement seen[FTR_SEEN_DISPLACEMENTS]; /* the last one seen is first */
    size_t seen_count;
    ftr_changed_end *ends; /* a heap: the first end is first */
    size_t end_count;
    ftr_found_shift *shifts;
    size_t shift_count;
    void (*told)(void *user, ftr_time_change change, const ftr_timed_pair *pair, int64_t delta,
                 bool follows);
    void *user;
} ftr_time_changes;

/* @return false without memory */
bool ftr_time_changes_init(ftr_time_changes *changes, size_t stream_count);
void ftr_time_changes_release(ftr_time_changes *changes);

/* Takes the next pair, in order of begin in the first trace. @p untold: a change of its duration or
 * a displacement of its own is part of another change. @return whether its duration changed */
bool ftr_time_changes_put(ftr_time_changes *changes, const ftr_timed_pair *pair, bool untold);

/* Tells of what waited for what comes behind it. */
void ftr_time_changes_finish(ftr_time_changes *changes);

#endif
