/* A lane: what one thread needs to record without asking anybody. It fills blocks, hands out ids
 * and slots from its own stock, and goes to the recorder when a stock is used up. For the streams
 * of each further buffer it has a sibling, which has blocks alone. */
#ifndef FTR_LANE_H
#define FTR_LANE_H

#include "recorder_state.h"

#define UNLIKELY(condition) (!FTR_LIKELY(!(condition)))

struct ftr_lane {
    ftr_lane_front *front; /* `own`, or that of the recorder for the thread that recorded first */
    ftr_lane_front own;
    ftr_recorder *recorder;
    ftr_lane *next; /* of the recorder's lanes; never changes */
    uint64_t id_limit;
    ftr_lane *main;    /* the one with the stocks: itself, or that it is a sibling of */
    ftr_lane *sibling; /* the next of those, for other buffers; the thread's own */
    uint32_t buffer;
    uint32_t number;
    uint32_t ends_without_block; /* transactions that ended here without filling its blocks */
    uint32_t taken;              /* some thread has it; under the recorder's lock */
    /* Under the recorder's lock: */
    uint32_t first_block;  /* number of the first block ever, or that a ring still has; 0: none */
    uint32_t first_offset; /* where its records begin that are in no file; 0: all are */

    /* The encoder's place in this lane. */
    ftr_block *reading;
    uint32_t read_offset;
};

/* The lane of the calling thread. NULL: no memory. */
ftr_lane *ftr_lane_find(ftr_recorder *rec);

/* What a lane answers that has no block while its recorder drops. Not a status for users. */
#define FTR_LANE_DROPS FTR_ERR_END

/* A new block for the lane, with room for @p size bytes of records. FTR_LANE_DROPS: there is none,
 * and the recorder drops. May wait for the writer. */
FTR_MUST_USE ftr_status ftr_lane_take_block(ftr_lane *lane, size_t size);

/* A lane for the records that other buffers give to this one. NULL: no memory. */
ftr_lane *ftr_lane_make_carrier(ftr_recorder *rec, uint32_t buffer);

/* A new block for it, whatever the budget is. The caller holds `lock`. False: no memory. */
bool ftr_lane_add_block(ftr_lane *lane, size_t size);

/* The lane's sibling for @p buffer, not 0, with ids for what begins there next. NULL: no memory. */
ftr_lane *ftr_lane_sibling(ftr_lane *lane, uint32_t buffer);

/* Where the thread of @p lane records what is in @p buffer. NULL: no memory. */
static inline ftr_lane *ftr_lane_of_buffer(ftr_lane *lane, uint32_t buffer)
{
    return FTR_LIKELY(buffer == 0) ? lane : ftr_lane_sibling(lane, buffer);
}

/* To be called now and then by whoever frees slots without filling blocks: ids would run out, and
 * slots pile up. */
void ftr_lane_tend(ftr_lane *lane);

/* Slots for a lane that has none. */
FTR_MUST_USE ftr_status ftr_lane_take_slots(ftr_lane *lane);

/* Frees the lanes of a recorder that closes. */
void ftr_lanes_release(ftr_recorder *rec);

/* The calling thread's most recent recorder and its lane. */
typedef struct ftr_lane_cache {
    uint64_t serial;
    ftr_lane *lane;
} ftr_lane_cache;

extern _Thread_local ftr_lane_cache ftr_current_lane __attribute__((tls_model("initial-exec")))
__attribute__((visibility("hidden")));

static inline ftr_lane *ftr_lane_of(ftr_recorder *rec)
{
    if (FTR_LIKELY(ftr_current_lane.serial == rec->serial))
        return ftr_current_lane.lane;
    return ftr_lane_find(rec);
}

/* Room for a record, or NULL and why. Nothing is recorded until the commit. */
static inline uint8_t *ftr_lane_reserve(ftr_lane *lane, size_t size, ftr_status *status)
{
    const ftr_lane_front *front = lane->front;
    if (!FTR_LIKELY(front->block->committed + size <= front->block_limit)) {
        *status = ftr_lane_take_block(lane, size);
        if (*status != FTR_OK)
            return NULL;
    }
    return (uint8_t *)front->block + front->block->committed;
}

/* Makes the record that was written one that has happened: seen by the encoder, and found after a
 * crash. */
static inline void ftr_lane_commit(ftr_lane *lane, size_t size)
{
    ftr_block_front *block = lane->front->block;
    __atomic_store_n(&block->committed, (uint32_t)(block->committed + size), __ATOMIC_RELEASE);
}

#endif
