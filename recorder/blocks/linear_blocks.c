/* The policy of linear buffers: full blocks are written to the file. */
#include "blocks.h"

/* Number of free blocks in the journal that the buffers leave to definitions, to the items of large
 * transactions, and to threads that begin to record. */
#define SPARE_BLOCKS 2

/* If the journal cannot be extended, reduces the budget of the buffer to its present full blocks:
 * threads then wait until the data of these blocks is in the file, instead of recording into blocks
 * that recovery cannot find. If the buffer has no full block, the budget stays, because a thread
 * would wait in vain. */
static void fit_into_journal(ftr_recorder *rec, ftr_buffer_entry *buffer)
{
    if (buffer->blocks_in_use > 0 && buffer->blocks_in_use < buffer->blocks_max &&
        !ftr_arena_has_cover(&rec->arena, SPARE_BLOCKS)) {
        buffer->blocks_max = buffer->blocks_in_use;
        buffer->blocks_usual = buffer->blocks_in_use;
        buffer->blocks_most = buffer->blocks_in_use;
    }
}

/* Returns whether the buffer has room for one more block. The block that a lane is filling is not
 * counted, even if it is large. Such a block is released only after the lane has got its next
 * block; if it were counted, lanes could wait for each other forever. */
static ftr_room make_room(ftr_recorder *rec, ftr_buffer_entry *buffer)
{
    if (!atomic_load_explicit(&rec->window.scale_known, memory_order_relaxed))
        return FTR_ROOM_FREE;
    /* Nothing is drained before the trigger. */
    if (ftr_flight_is_holding(&rec->flight))
        return buffer->blocks_in_use >= buffer->blocks_max ? FTR_ROOM_NONE : FTR_ROOM_FREE;
    fit_into_journal(rec, buffer);
    if (buffer->blocks_in_use >= buffer->blocks_max)
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
