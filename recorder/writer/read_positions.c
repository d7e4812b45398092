/* Collects the read positions of the drain in the blocks, for recovery. Independent of the use of
 * the records that were read. */
#include "read_positions.h"

#include <string.h>

#include "journal_state.h"
#include "record.h"

/* Returns the last transaction in a block before @p offset; NULL if there is none. */
static const ftr_stored_tx *last_tx_before(const ftr_block *block, uint32_t offset)
{
    const ftr_stored_tx *last = NULL;
    for (uint32_t at = sizeof *block; at < offset;) {
        const ftr_stored_tx *record = (const ftr_stored_tx *)((const uint8_t *)block + at);
        if (ftr_record_kind(record) == FTR_RECORD_TX)
            last = record;
        at += (uint32_t)ftr_record_size(record);
    }
    return last;
}

uint64_t ftr_read_position_time(const ftr_lane *lane)
{
    const ftr_stored_tx *last =
        lane->reading != NULL ? last_tx_before(lane->reading, lane->read_offset) : NULL;
    return last != NULL ? last->end : 0;
}

static void put_position(const ftr_recorder *rec, ftr_cbor_writer *w, const ftr_block *block,
                         uint32_t offset, const ftr_stored_tx *last_tx)
{
    const ftr_read_position position = {.sequence = block->sequence,
                                        .last_tx = last_tx != NULL ? last_tx->id : 0,
                                        .block = ftr_arena_number(&rec->arena, block),
                                        .offset = offset};
    ftr_cbor_put_encoded(w, &position, sizeof position);
}

/* Returns the block of a lane that was read in part, and the read position in @p offset. NULL:
 * none */
static const ftr_block *block_of(const ftr_recorder *rec, const ftr_lane *lane, uint32_t *offset)
{
    if (lane->reading != NULL) {
        *offset = lane->read_offset;
        return lane->reading;
    }
    *offset = lane->first_offset;
    return lane->first_offset ? ftr_arena_block(&rec->arena, lane->first_block) : NULL;
}

void ftr_read_positions_put(ftr_recorder *rec, ftr_cbor_writer *w)
{
    const ftr_retained_blocks *retained = &rec->retained;
    ftr_lane *const first = atomic_load_explicit(&rec->lanes.first, memory_order_acquire);
    uint32_t offset;
    size_t count = retained->count;
    pthread_mutex_lock(&rec->lock); /* protects lane->first_block */
    for (const ftr_lane *lane = first; lane != NULL; lane = lane->next)
        count += block_of(rec, lane, &offset) != NULL;
    ftr_cbor_put_head(w, FTR_CBOR_MAJOR_BYTES, count * sizeof(ftr_read_position));
    for (const ftr_lane *lane = first; lane != NULL; lane = lane->next) {
        const ftr_block *block = block_of(rec, lane, &offset);
        /* The last transaction may still have its slot if its thread is still filling this block.
         * This is not possible for the full blocks below. */
        if (block != NULL)
            put_position(rec, w, block, offset, last_tx_before(block, offset));
    }
    for (size_t i = 0; i < retained->count; i++) {
        const ftr_block *block = ftr_arena_block(&rec->arena, retained->at[i].block);
        put_position(rec, w, block, block->front.committed, NULL);
    }
    pthread_mutex_unlock(&rec->lock);
}
