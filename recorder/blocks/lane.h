/* A lane: the blocks, slots and ids that one thread records with. For each further buffer to which
 * this thread records, the lane has a sibling, which has only blocks. */
#ifndef FTR_LANE_H
#define FTR_LANE_H

#include "recorder_state.h"

struct ftr_lane {
    ftr_lane_front *front; /* `own`; for the thread that recorded first, the front lane */
    ftr_lane_front own;
    ftr_recorder *recorder;
    ftr_lane *next;    /* the next lane in the recorder's list of lanes; never changes */
    uint64_t id_limit; /* one past the last id of the lane's stock */
    ftr_lane *main;    /* the lane with the slots and ids: itself, or the owner of a sibling */
    ftr_lane *sibling; /* the next sibling, for another buffer; used only by the lane's thread */
    uint32_t buffer;
    uint32_t number;
    /* number of transactions that the thread ended without a record in this lane */
    uint32_t ends_without_block;
    uint32_t taken; /* not 0: a thread has the lane; under `lock` */
    /* Under `lock`: */
    uint32_t first_block; /* number of the first block (in a ring, the oldest one); 0: none */
    /* in a ring, if a drain has read a part of the first block: the offset of the next record;
     * otherwise 0 */
    uint32_t first_offset;

    /* The position of the drain in this lane; under `encoding`. */
    ftr_block *reading;
    uint32_t read_offset;
};

/* Returns a lane that no thread has, or a new one, for the calling thread. NULL: out of memory, or
 * the thread is in a guarded call. */
ftr_lane *ftr_lane_take(ftr_recorder *rec);

/* Called when the thread of the lane ends: another thread can then take the lane, with its blocks
 * and slots. Does not access @p lane if the recorder is closed, because its lanes have been freed.
 * The caller holds the lock of the registry. */
void ftr_lane_leave(ftr_recorder *rec, ftr_lane *lane);

/* Adds a sibling for a further buffer. Returns NULL in the same cases as ftr_lane_take(). */
ftr_lane *ftr_lane_add_sibling(ftr_lane *lane, uint32_t buffer);

/* Makes a lane, and marks it as taken by a thread. @p main: the lane with the slots and ids; NULL:
 * the new lane itself. The caller holds `lock`. Returns NULL if out of memory. */
ftr_lane *ftr_lane_make(ftr_recorder *rec, uint32_t buffer, ftr_lane *main);

/* Adds a block behind the lane's last block, with space for @p size bytes of records. The buffer
 * may thus exceed its budget. The caller holds `lock`. Returns false if out of memory. */
bool ftr_lane_add_block(ftr_lane *lane, size_t size);

/* Returns whether @p size more bytes of records fit into the lane's block. While the writer thread
 * is scheduled, the limit of the block is set such that exactly one record fits, so each call that
 * records reaches this function. Called by the lane's thread. */
bool ftr_lane_extend(ftr_lane *lane, size_t size);

/* A lane uses fewer ids than this number from one block to the next. */
#define FTR_LANE_LEAST_IDS 4096

static inline bool ftr_lane_has_few_ids(const ftr_lane *lane)
{
    return lane->id_limit - lane->front->next_id < FTR_LANE_LEAST_IDS;
}

/* Gives the lane enough ids for all transactions that can begin before the next call of this
 * function: one for each free slot, and one for each transaction that fits into a block. The caller
 * holds `lock`. */
void ftr_lane_keep_ids(ftr_lane *lane);

/* Called by the thread of the lane when it records the first transaction that began in the time
 * window: the ids of the lane, and those of later lanes, are no longer expected to be discarded. */
void ftr_lane_begin_window(ftr_lane *lane);

/* If the lane has more free slots than a limit, gives the others back to the recorder. Without
 * this, a thread that ends the transactions of other threads would collect the slots of these
 * threads. The caller holds `lock`. */
void ftr_lane_trim_slots(ftr_lane *lane);

/* For the drain: returns the number of the block that the drain reads next; 0 if there is none, or
 * if the current block is not read to its end. If the drain has caught up, wakes the threads that
 * pause. The caller holds `encoding`.
 * @param[out] lacks_memory  whether ftr_ready_blocks_provide() should be called */
uint32_t ftr_lane_next_block(const ftr_lane *lane, bool *lacks_memory);

/* Returns the latest tick in the blocks of all lanes and in the open transactions. */
uint64_t ftr_lanes_latest(ftr_recorder *rec);

/* Sets the numbers of waits and of renamed streams in @p statistics, and adds the size of the
 * memory of blocks and slots. */
void ftr_lanes_count(ftr_recorder *rec, ftr_statistics *statistics);

/* Frees the lanes of a recorder that is being closed. */
void ftr_lanes_release(ftr_recorder *rec);

static inline ftr_lane *ftr_lanes_first(const ftr_recorder *rec)
{
    return atomic_load_explicit(&rec->lanes.first, memory_order_acquire);
}

static inline ftr_buffer_entry *ftr_buffer_of_lane(ftr_recorder *rec, const ftr_lane *lane)
{
    return &rec->buffers.at[lane->buffer];
}

/* Returns the first record that no drain has read in @p block, which is the lane's first block. */
static inline const uint8_t *ftr_lane_first_record(const ftr_lane *lane, const ftr_block *block)
{
    return (const uint8_t *)block + (lane->first_offset ? lane->first_offset : sizeof *block);
}

/* Completes the record of @p size bytes that was written behind the last one. From now on the drain
 * reads the record, and recovery finds it after a crash. */
static inline void ftr_lane_commit(ftr_lane *lane, size_t size)
{
    ftr_block_front *block = lane->front->block;
    __atomic_store_n(&block->committed, (uint32_t)(block->committed + size), __ATOMIC_RELEASE);
}

#endif
