/* The policy of buffers with full blocks that are written to the file. */
#include "block_policy.h"

/* The block that a lane is filling is not counted, however large it is: it is released only after
 * the lane has got another block, so lanes could wait for each other forever. */
static ftr_room make_room(ftr_recorder *rec, ftr_buffer_entry *buffer)
{
    bool is_full = buffer->blocks_in_use >= buffer->blocks_max;
    if (!atomic_load_explicit(&rec->window.scale_known, memory_order_relaxed))
        return FTR_ROOM_FREE;
    /* Nothing is drained before the trigger. */
    if (ftr_flight_is_holding(&rec->flight))
        return is_full ? FTR_ROOM_NONE : FTR_ROOM_FREE;
    if (is_full)
        return FTR_ROOM_WAIT;
    return ftr_buffer_unread(buffer) < buffer->unread_usual ? FTR_ROOM_FREE : FTR_ROOM_SOON;
}

static bool is_readable(const ftr_recorder *rec, const ftr_buffer_entry *buffer)
{
    (void)rec;
    (void)buffer;
    return true;
}

const ftr_block_policy ftr_linear_blocks = {make_room, is_readable, NULL, NULL};
