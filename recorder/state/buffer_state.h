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
    size_t retained;     /* blocks of the buffer in ftr_recorder.retained */
    /* Under `lock`: */
    bool is_drained;      /* triggered: the drain empties the ring, and nothing is evicted */
    ftr_id_set evicted;   /* transactions */
    size_t blocks_in_use; /* full and not yet released */
    size_t blocks_max;
} ftr_buffer_entry;

typedef struct ftr_buffers {
    ftr_buffer_entry at[FTR_BUFFERS_MAX];
    _Atomic uint32_t count;
    bool leaves_no_file; /* unless its ring, the only content, was triggered */
    bool was_triggered;
} ftr_buffers;

#endif
