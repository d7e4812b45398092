/* The buffers of a recorder as its parts see them. Number 0 is the recorder's own buffer. A buffer
 * with a file or a callback of its own belongs to another trace, where it has another number. */
#ifndef FTR_BUFFER_STATE_H
#define FTR_BUFFER_STATE_H

#include <stdatomic.h>
#include <stdbool.h>

#include <ftr/buffer.h>

#include "id_set.h"
#include "losses.h"
#include "name_filter.h"

#define FTR_BUFFER_NAME_MAX 32

typedef struct ftr_lane ftr_lane;
typedef struct ftr_block_policy ftr_block_policy;

typedef struct ftr_buffer_entry {
    char name[FTR_BUFFER_NAME_MAX + 1];
    /* if it is not this recorder, the entry only leads to it: a linear buffer without blocks */
    ftr_recorder *trace;
    uint32_t number; /* of the buffer in its trace */
    ftr_name_filter streams;
    const ftr_block_policy *policy;
    bool is_ring;
    _Atomic uint32_t triggers; /* how often the ring was triggered */
    _Atomic bool is_triggered;
    ftr_lane *relations; /* of transactions in the ring; filled by the drain, under `encoding` */
    _Atomic size_t retained; /* blocks of the buffer in ftr_recorder.retained; under `encoding` */
    /* Under `lock`: */
    bool is_drained;      /* triggered: the drain empties the ring, and nothing is evicted */
    ftr_id_set evicted;   /* transactions */
    size_t blocks_in_use; /* full and not yet released */
    size_t blocks_max;
    /* full blocks that the drain has not read yet, up to which threads need not pause; grows up to
     * `blocks_max` */
    size_t unread_usual;
} ftr_buffer_entry;

typedef struct ftr_buffers {
    ftr_buffer_entry at[FTR_BUFFERS_MAX];
    _Atomic uint32_t count;
    bool leaves_no_file; /* unless its ring, the only content, was triggered */
    bool was_triggered;
} ftr_buffers;

/* Full blocks that the drain has not read to their end. The caller holds `lock`. */
static inline size_t ftr_buffer_unread(const ftr_buffer_entry *buffer)
{
    size_t retained = atomic_load_explicit(&buffer->retained, memory_order_relaxed);
    return buffer->blocks_in_use > retained ? buffer->blocks_in_use - retained : 0;
}

#endif
