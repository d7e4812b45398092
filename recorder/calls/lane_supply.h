/* Supplies lanes with blocks, slots and ids: the only place where a recording thread waits, and
 * where it drains itself if there is no writer thread. */
#ifndef FTR_LANE_SUPPLY_H
#define FTR_LANE_SUPPLY_H

#include "lane.h"

/* Returned for a lane without a block while its recorder drops. Not a status for users. */
#define FTR_LANE_DROPS FTR_ERR_END

/* A new block for the lane, with room for @p size bytes of records. FTR_LANE_DROPS: there is none,
 * and the recorder drops. May wait for the writer. */
FTR_MUST_USE ftr_status ftr_lane_take_block(ftr_lane *lane, size_t size);

/* Slots and ids for a lane that has none. */
FTR_MUST_USE ftr_status ftr_lane_take_slots(ftr_lane *lane);

/* For callers that free slots without filling blocks, now and then: ids would run out, and slots
 * would collect. */
void ftr_lane_tend(ftr_lane *lane);

/* The next id of a lane with slots and ids of its own, which may have none yet. */
static inline ftr_status ftr_lane_take_id(ftr_lane *lane, uint64_t *id)
{
    if (!FTR_LIKELY(lane->front->next_id != lane->id_limit)) {
        ftr_status status = ftr_lane_take_slots(lane);
        if (status != FTR_OK)
            return status;
    }
    *id = lane->front->next_id++;
    return FTR_OK;
}

/* Room for a record. Returns NULL and sets @p status if there is none. Nothing is recorded until
 * ftr_lane_commit(). */
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

#endif
