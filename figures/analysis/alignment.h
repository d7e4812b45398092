/* Finds for each transaction of one trace its partner in another trace. The caller puts
 * transactions of both traces alternately, in order of begin within each stream. The alignment
 * reports each transaction as part of a pair or without partner. Equal transactions are reported
 * immediately. Only a section with differences is kept in memory, until both traces agree again. If
 * a stream differs too much, its remaining transactions are only counted. */
#ifndef FTR_ALIGNMENT_H
#define FTR_ALIGNMENT_H

#include "alignment_window.h"

#include <ftr/status.h>

/* The transactions of one trace that are still held: numbers `first` to `next` - 1. */
typedef struct ftr_entry_ring {
    ftr_aligned_tx *entries; /* index: number % capacity */
    size_t capacity;
    uint64_t first, next;
    size_t pending; /* number of transactions that are not aligned yet */
} ftr_entry_ring;

/* Transactions of one stream that are not aligned yet: one list for each side. */
typedef struct ftr_aligned_stream {
    uint64_t head[2], tail[2]; /* transaction numbers; FTR_TX_PENDING: none */
    size_t count[2];
    /* the next attempt to align the sides is made when each has this number of transactions; 0:
     * the sides agree */
    size_t wanted;
    int64_t base; /* present displacement of the second trace relative to the first, in ticks */
    /* for the last pair: id in the second trace - id in the first trace, modulo 2^64 */
    uint64_t id_base;
    bool one_sided;
    bool alignment_stopped; /* the traces differ too much: the rest of the stream is not aligned */
    /* If the alignment stopped: begin of the first transaction that is not aligned, in common ticks
     * of the first trace. */
    uint64_t aligned_until;
    uint64_t not_aligned[2];
} ftr_aligned_stream;

typedef struct ftr_alignment {
    ftr_alignment_rules rules;
    ftr_aligned_stream *streams;
    size_t stream_count;
    ftr_entry_ring ring[2];
    size_t ring_limit; /* maximum capacity of a ring; a power of two */
    ftr_window window;
    int64_t base; /* `base` of the stream that was aligned last, in ticks */
    /* Called for each pair, in order of begin in the first trace. */
    void (*paired)(void *user, const ftr_aligned_tx *a, const ftr_aligned_tx *b);
    /* Called for each transaction without partner. */
    void (*alone)(void *user, unsigned side, const ftr_aligned_tx *tx);
    void *user;
} ftr_alignment;

/* Initialises the alignment of @p stream_count streams. The caller must then set one_sided for
 * streams that only one trace has.
 * @param held maximum number of transactions of each trace that are held; rounded down to a power
 * of two, but at least 1024 */
FTR_MUST_USE ftr_status ftr_alignment_init(ftr_alignment *alignment, size_t stream_count,
                                           size_t held);
void ftr_alignment_release(ftr_alignment *alignment);

FTR_MUST_USE ftr_status ftr_alignment_put(ftr_alignment *alignment, unsigned side,
                                          const ftr_aligned_tx *tx);

/* Returns the trace, 0 or 1, of which the caller should put the next transaction. @p begins: begin
 * of the last transaction of each trace, in common ticks. */
unsigned ftr_alignment_wants(const ftr_alignment *alignment, const uint64_t *begins);

/* Aligns all remaining transactions. */
FTR_MUST_USE ftr_status ftr_alignment_finish(ftr_alignment *alignment);

#endif
