/* A lane: the blocks, slots and ids that one thread records with. For each further buffer that its
 * thread records to, it has a sibling, which has blocks alone. */
#ifndef FTR_LANE_H
#define FTR_LANE_H

#include "recorder_state.h"

struct ftr_lane {
    ftr_lane_front *front; /* `own`, or that of the recorder for the thread that recorded first */
    ftr_lane_front own;
    ftr_recorder *recorder;
    ftr_lane *next; /* of the recorder's lanes; never changes */
    uint64_t id_limit;
    ftr_lane *main;    /* the lane with the slots and ids: itself, or the one it is a sibling of */
    ftr_lane *sibling; /* the next sibling, for another buffer; the thread's own */
    uint32_t buffer;
    uint32_t number;
    uint32_t ends_without_block; /* transactions that ended here but are not in its blocks */
    uint32_t taken;              /* a thread has it; under `lock` */
    /* Under `lock`: */
    uint32_t first_block;  /* number of the first block ever, or that a ring still has; 0: none */
    uint32_t first_offset; /* of its first record that is in no file; 0: all are in none */

    /* The position of the drain in this lane; under `encoding`. */
    ftr_block *reading;
    uint32_t read_offset;
};

/* A new lane, which is taken. @p main: NULL for a lane with slots and ids of its own. The caller
 * holds `lock`. Returns NULL without memory. */
ftr_lane *ftr_lane_make(ftr_recorder *rec, uint32_t buffer, ftr_lane *main);

/* A new block behind the lane's last, with room for @p size bytes of records, even beyond the
 * budget. The caller holds `lock`. Returns false without memory. */
bool ftr_lane_add_block(ftr_lane *lane, size_t size);

/* More ids than can be used before the lane gets its next block. */
#define FTR_LANE_LEAST_IDS 4096

/* Gives the lane ids for all transactions that can begin before the next call: as many as there are
 * free slots, and as many as end in one block. The caller holds `lock`. */
void ftr_lane_keep_ids(ftr_lane *lane);

/* Returns free slots beyond a limit to the recorder: a thread that ends transactions of others must
 * not collect their slots. The caller holds `lock`. */
void ftr_lane_trim_slots(ftr_lane *lane);

/* Frees the lanes of a recorder that closes. */
void ftr_lanes_release(ftr_recorder *rec);

static inline ftr_buffer_entry *ftr_buffer_of_lane(ftr_recorder *rec, const ftr_lane *lane)
{
    return &rec->buffers.at[lane->buffer];
}

/* The records of the lane's first block that are in no file yet. */
static inline const uint8_t *ftr_lane_first_record(const ftr_lane *lane, const ftr_block *block)
{
    return (const uint8_t *)block + (lane->first_offset ? lane->first_offset : sizeof *block);
}

/* Completes the record that was written behind the last one: the drain sees it, and recovery finds
 * it after a crash. */
static inline void ftr_lane_commit(ftr_lane *lane, size_t size)
{
    ftr_block_front *block = lane->front->block;
    __atomic_store_n(&block->committed, (uint32_t)(block->committed + size), __ATOMIC_RELEASE);
}

#endif
