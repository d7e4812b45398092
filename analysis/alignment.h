/* Which transaction of one trace belongs to which of another. Transactions come stream by stream in
 * order of begin, from both traces in turn; they leave as pairs or alone. What is held is bounded:
 * equal stretches leave at once, and a stretch that differs is held until both traces agree again.
 */
#ifndef FTR_ALIGNMENT_H
#define FTR_ALIGNMENT_H

#include "alignment_window.h"

#include <ftr/status.h>

/* Transactions of one trace, by number, from the oldest that is still held. */
typedef struct ftr_entry_ring {
    ftr_aligned_tx *entries; /* by number, modulo the capacity */
    size_t capacity;
    uint64_t first, next;
    size_t pending; /* not aligned yet */
} ftr_entry_ring;

/* Transactions of one stream that are not aligned yet: a list on each side. */
typedef struct ftr_aligned_stream {
    uint64_t head[2], tail[2]; /* numbers; FTR_TX_PENDING: none */
    size_t count[2];
    size_t wanted; /* on both sides, until the next try; 0: the sides agree */
    int64_t base;  /* how much later the second trace is here, in ticks */
    bool one_sided;
    bool too_different;      /* and not aligned any more */
    uint64_t different_from; /* ticks, in the first trace or in the one that has the stream */
    uint64_t not_aligned[2];
} ftr_aligned_stream;

typedef struct ftr_alignment {
    ftr_alignment_rules rules;
    ftr_aligned_stream *streams;
    size_t stream_count;
    ftr_entry_ring ring[2];
    size_t ring_limit; /* entries, a power of two */
    ftr_window window;
    int64_t base; /* of the stream that was aligned last */
    /* Told in order of begin in the first trace, later streams that had to wait excepted. */
    void (*paired)(void *user, const ftr_aligned_tx *a, const ftr_aligned_tx *b);
    /* Told of a transaction that only one trace has. */
    void (*alone)(void *user, unsigned side, const ftr_aligned_tx *tx);
    void *user;
} ftr_alignment;

/* @p stream_count streams; those that only one trace has are marked one_sided by the caller.
 * @param held how many transactions of each trace may be held */
FTR_MUST_USE ftr_status ftr_alignment_init(ftr_alignment *alignment, size_t stream_count,
                                           size_t held);
void ftr_alignment_release(ftr_alignment *alignment);

FTR_MUST_USE ftr_status ftr_alignment_put(ftr_alignment *alignment, unsigned side,
                                          const ftr_aligned_tx *tx);

/* The side whose next transaction is wanted, when these are the begins of the last ones. */
unsigned ftr_alignment_wants(const ftr_alignment *alignment, const uint64_t *begins);

/* Aligns what is left. */
FTR_MUST_USE ftr_status ftr_alignment_finish(ftr_alignment *alignment);

#endif
