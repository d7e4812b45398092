/* The buffers of a recorder. Number 0 is the main buffer. A buffer with a separate file or a
 * callback belongs to another trace, where it has another number. */
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
    /* the trace with the blocks of the buffer. If this is another trace, the entry in this recorder
     * is a linear buffer without blocks, which only refers to the trace */
    ftr_recorder *trace;
    uint32_t number; /* number of the buffer in its trace */
    ftr_name_filter streams;
    const ftr_block_policy *policy;
    bool is_ring;
    _Atomic uint32_t triggers; /* number of triggers that a drain has begun to handle */
    _Atomic bool is_triggered;
    /* lane for the relations of the ring's transactions; filled by the drain, under `encoding` */
    ftr_lane *relations;
    /* number of the buffer's blocks in ftr_recorder.retained; under `encoding` */
    _Atomic size_t retained;
    /* Under `lock`: */
    bool is_drained;      /* after a trigger: the drain empties the ring, and nothing is evicted */
    ftr_id_set evicted;   /* ids of evicted transactions */
    size_t blocks_in_use; /* blocks that are full and not yet released */
    /* The budget: at least `blocks_usual`, and up to `blocks_most` while many streams have data;
     * see ftr_buffer_fit(). All three are reduced if the journal cannot be extended. The drain also
     * reads them without `lock`. */
    _Atomic size_t blocks_max;
    _Atomic size_t blocks_usual;
    _Atomic size_t blocks_most;
    /* threads pause if the drain has this number of full blocks still to read; grows up to
     * `blocks_max` */
    size_t unread_usual;
} ftr_buffer_entry;

typedef struct ftr_buffers {
    ftr_buffer_entry at[FTR_BUFFERS_MAX];
    _Atomic uint32_t count;
    bool leaves_no_file; /* the trace contains only a ring: without a trigger, no file is left */
    bool was_triggered;
} ftr_buffers;

/* Returns the number of full blocks that the drain has not read to their end. The caller holds
 * `lock`. */
static inline size_t ftr_buffer_unread(const ftr_buffer_entry *buffer)
{
    size_t retained = atomic_load_explicit(&buffer->retained, memory_order_relaxed);
    return buffer->blocks_in_use > retained ? buffer->blocks_in_use - retained : 0;
}

#endif
