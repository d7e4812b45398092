/* Supplies lanes with blocks, slots and ids. Only in these functions does a recording thread wait
 * for the writer thread or, if there is no writer thread, drain the lanes itself. */
#ifndef FTR_LANE_SUPPLY_H
#define FTR_LANE_SUPPLY_H

#include "lane.h"

/* Means that the transaction must be dropped: there is no block, and either none will become free,
 * or the options of the recorder require dropping instead of waiting. This status is not returned
 * to users. */
#define FTR_LANE_DROPS FTR_ERR_END

/* Gives the lane a new block, with room for @p size bytes of records. May wait for the writer.
 * @return FTR_OK; FTR_LANE_DROPS; FTR_ERR_MEMORY; FTR_ERR_STATE in a signal handler that has
 *         interrupted a guarded call; or the status of a recorder that has ended */
FTR_MUST_USE ftr_status ftr_lane_take_block(ftr_lane *lane, size_t size);

/* Gives slots and ids to a lane that has none. May wait for the writer.
 * @return FTR_OK; FTR_ERR_LIMIT if too many transactions are open; FTR_ERR_STATE in a signal
 * handler that has interrupted a guarded call; or the status of a recorder that has ended */
FTR_MUST_USE ftr_status ftr_lane_take_slots(ftr_lane *lane);

/* Keeps the stock of ids and free slots within limits. Must be called from time to time by callers
 * that free slots without filling blocks: otherwise ids would run out, and free slots would
 * collect. */
void ftr_lane_tend(ftr_lane *lane);

/* Makes room for @p size more bytes of items in a slot.
 * @return FTR_OK; FTR_ERR_LIMIT if a transaction must not have so many bytes; FTR_ERR_MEMORY;
 *         FTR_ERR_STATE in a signal handler that has interrupted a guarded call */
FTR_MUST_USE ftr_status ftr_lane_grow_slot(ftr_recorder *rec, ftr_slot *slot, size_t size);

/* Releases the spill of a slot if it consists of whole blocks. A signal handler that has
 * interrupted a guarded call releases nothing. */
void ftr_lane_shrink_slot(ftr_recorder *rec, ftr_slot *slot);

/* Takes the next id of a lane that is not a sibling. If the lane has no ids left, first calls
 * ftr_lane_take_slots(), and returns its error. */
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

/* Returns the address for a record of @p size bytes. If there is no room, returns NULL and sets @p
 * status. Nothing is recorded until ftr_lane_commit(). */
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
