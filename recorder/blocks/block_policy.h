/* Policies for the full blocks of a buffer. There are three:
 *
 *   linear   full blocks are written to the file; a thread waits, or drops, if the buffer is full
 *   ring     the oldest blocks are evicted for new ones; a trigger writes the content to the file
 *   flight   as ring until the flight recorder is triggered, then as linear */
#ifndef FTR_BLOCK_POLICY_H
#define FTR_BLOCK_POLICY_H

#include "recorder_state.h"

typedef enum ftr_room {
    FTR_ROOM_FREE, /* one more block may be used */
    /* one more block may be used, but this block was never used before, and the drain will soon
     * release used ones */
    FTR_ROOM_SOON,
    FTR_ROOM_WAIT, /* no block until the drain has released one */
    FTR_ROOM_NONE  /* no block until the flight recorder is triggered */
} ftr_room;

struct ftr_block_policy {
    /* Makes room for one more block if this is possible without a drain. The caller holds
     * `lock`. */
    ftr_room (*make_room)(ftr_recorder *rec, ftr_buffer_entry *buffer);
    /* Returns whether the drain reads the lanes of the buffer. The caller holds `encoding`. */
    bool (*is_readable)(const ftr_recorder *rec, const ftr_buffer_entry *buffer);
    /* Called when a drain begins: returns whether the drain must write the content of a triggered
     * ring. The caller holds `encoding`. NULL: never. */
    bool (*begin_drain)(ftr_recorder *rec, ftr_buffer_entry *buffer);
    /* Called when a drain has written the content of a triggered ring. The caller holds `encoding`
     * and `lock`. NULL: nothing to do. */
    void (*end_drain)(ftr_recorder *rec, ftr_buffer_entry *buffer);
};

extern const ftr_block_policy ftr_linear_blocks;
extern const ftr_block_policy ftr_ring_blocks;
extern const ftr_block_policy ftr_flight_blocks;

#endif
