/* Policies for the full blocks of a buffer. There are three:
 *
 *   linear   blocks go to the file; a thread that finds the buffer full waits, or drops
 *   ring     the oldest blocks make room for new ones; a trigger has the content written
 *   flight   a ring until the flight recorder is triggered, linear from then on */
#ifndef FTR_BLOCK_POLICY_H
#define FTR_BLOCK_POLICY_H

#include "recorder_state.h"

typedef enum ftr_room {
    FTR_ROOM_FREE, /* one more block may be used */
    /* one more block may be used, but would be touched for the first time, while the drain is about
     * to release blocks */
    FTR_ROOM_SOON,
    FTR_ROOM_WAIT, /* not before the drain has released one */
    FTR_ROOM_NONE  /* not before the flight recorder is triggered */
} ftr_room;

struct ftr_block_policy {
    /* Makes room for one more block if that does not need the drain. The caller holds `lock`. */
    ftr_room (*make_room)(ftr_recorder *rec, ftr_buffer_entry *buffer);
    /* Returns whether the drain reads the lanes of the buffer. The caller holds `encoding`. */
    bool (*is_readable)(const ftr_recorder *rec, const ftr_buffer_entry *buffer);
    /* A drain begins: returns whether it has to write content that was triggered. The caller holds
     * `encoding`. NULL: never. */
    bool (*begin_drain)(ftr_recorder *rec, ftr_buffer_entry *buffer);
    /* A drain has written triggered content. The caller holds `encoding` and `lock`. NULL: nothing
     * to do. */
    void (*end_drain)(ftr_recorder *rec, ftr_buffer_entry *buffer);
};

extern const ftr_block_policy ftr_linear_blocks;
extern const ftr_block_policy ftr_ring_blocks;
extern const ftr_block_policy ftr_flight_blocks;

#endif
