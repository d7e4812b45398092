/* The blocks of buffers: the policies for full blocks, and the supply of new blocks. */
#ifndef FTR_BLOCKS_H
#define FTR_BLOCKS_H

#include "recorder_state.h"

/* Policies for the full blocks of a buffer. There are three:
 *
 *   linear   full blocks are written to the file; a thread waits, or drops, if the buffer is full
 *   ring     the oldest blocks are evicted for new ones; a trigger writes the content to the file
 *   flight   as ring until the flight recorder is triggered, then as linear */

typedef enum ftr_room {
    FTR_ROOM_FREE, /* one more block may be used */
    /* one more block may be used, but its memory was probably never touched, and the first access
     * to memory is slow: it is better to wait, because the drain will soon release a block that was
     * used before */
    FTR_ROOM_SOON,
    FTR_ROOM_WAIT, /* no block is free until the drain has released one */
    FTR_ROOM_NONE  /* no block becomes free until the flight recorder is triggered */
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

/* ---- rings ----------------------------------------------------------------------------------- */

/* Rings: buffers that evict their oldest blocks to make room for new ones. */

/* Returns the ring that contains a transaction of the relation; the relation must wait in this
 * ring. NULL: none. The caller holds `encoding`. */
ftr_buffer_entry *ftr_ring_of_relation(ftr_recorder *rec, const ftr_stored_relation *relation);

/* Stores the relation in the ring that contains its transaction. If the ring has already evicted a
 * transaction of the relation, or has no room, counts the relation as discarded. The caller holds
 * `encoding`. */
void ftr_ring_keep_relation(ftr_recorder *rec, ftr_buffer_entry *ring,
                            const ftr_stored_relation *relation);

/* Counts the content of all rings as evicted. Called when the recorder ends. */
void ftr_rings_count_rest(ftr_recorder *rec);

/* Returns whether a transaction that is still open when the recorder ends is written to the file. A
 * transaction of a ring is written if the ring was triggered since the transaction began; other
 * transactions are always written. */
bool ftr_ring_keeps_open(const ftr_recorder *rec, const ftr_slot *slot);

/* Makes the next drain write all rings of @p rec. May be called on any thread;
 * async-signal-safe. */
void ftr_rings_trigger(ftr_recorder *rec);

/* ---- ready blocks ---------------------------------------------------------------------------- */

/* Memory that the draining thread provides for the recording threads: blocks, some of which are
 * always ready, and slots, if a thread waits for them. Without this, the first access to a block or
 * slot would cost a recording thread more time than recording into it. */

/* Returns whether the writer thread should provide memory: fewer than half of the wanted blocks are
 * ready, or a thread waits for slots. The caller holds `lock`. */
bool ftr_ready_blocks_are_few(const ftr_recorder *rec);

/* Returns whether no block is ready that a thread could take, and the writer thread can provide
 * one. The caller holds `lock`. */
bool ftr_ready_blocks_can_be_awaited(const ftr_recorder *rec);

/* Provides the wanted blocks and slots. Called by the thread that drains, without `lock`. */
void ftr_ready_blocks_provide(ftr_recorder *rec);

/* Provides a block. Called when the writer thread begins. */
void ftr_ready_blocks_provide_first(ftr_recorder *rec);

/* ---- uncovered blocks ------------------------------------------------------------------------ */

/* Counts the records in blocks that are not in the journal, because the journal could not be
 * extended. The counts are in the journal, so that recovery of a killed run knows how many
 * transactions it cannot restore. The calls that record do not count: a block is counted when it is
 * full. For the block that a lane was filling, recovery therefore knows only an upper bound. */

/* Returns whether the journal exists and does not contain the block. */
bool ftr_block_is_uncovered(const ftr_recorder *rec, const ftr_block *block);

/* Called when the block is full: counts its records. The caller holds `lock`. */
void ftr_uncovered_block_full(ftr_recorder *rec, ftr_block *block);

/* Called when the drain begins to read the block: from then on, some of its records can be in the
 * file. */
void ftr_uncovered_block_read(ftr_recorder *rec, ftr_block *block);

/* Called before the full block is released: its records are in the file or counted as losses. The
 * caller holds `lock`. */
void ftr_uncovered_block_released(ftr_recorder *rec, const ftr_block *block);

#endif
