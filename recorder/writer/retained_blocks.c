/* Retains and releases blocks by their tickets. */
#include "retained_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "buffers.h"
#include "encoder_bodies.h"
#include "growing_array.h"
#include "journal_state.h"

bool ftr_retained_add(ftr_recorder *rec, const ftr_lane *lane)
{
    ftr_retained_blocks *retained = &rec->retained;
    ftr_buffer_entry *buffer = ftr_buffer_of_lane(rec, lane);
    if (!ftr_array_grow(&retained->at, &retained->capacity, retained->count,
                        sizeof *retained->at)) {
        ftr_recorder_fail(rec, FTR_ERR_MEMORY, &(ftr_failure){0});
        return false;
    }
    retained->at[retained->count++] = (ftr_retained_block){
        ftr_arena_number(&rec->arena, lane->reading), lane->buffer, lane->reading->ticket};
    buffer->retained++;
    return ftr_buffer_retains_enough(buffer) && !ftr_buffer_fit(rec, buffer);
}

uint64_t ftr_retained_middle(const ftr_recorder *rec, uint32_t buffer)
{
    size_t left = rec->buffers.at[buffer].retained / 2;
    size_t i = 0;
    while (rec->retained.at[i].buffer != buffer || left-- > 0)
        i++;
    return rec->retained.at[i].ticket;
}

static bool has_older(const ftr_retained_blocks *retained, uint64_t ticket)
{
    bool found = false;
    for (size_t i = 0; i < retained->count && !found; i++)
        found = retained->at[i].ticket < ticket;
    return found;
}

/* With a summary, each release saves the state of the summary, which takes time. It is therefore
 * not worth the time before a quarter of a buffer's blocks is retained. */
bool ftr_retained_are_enough(const ftr_recorder *rec)
{
    bool enough = rec->summary == NULL;
    for (uint32_t i = 0; i < rec->buffers.count && !enough; i++)
        enough = rec->buffers.at[i].retained * 4 >= rec->buffers.at[i].blocks_max;
    return enough;
}

bool ftr_retained_can_release(const ftr_recorder *rec)
{
    return has_older(&rec->retained, ftr_encoder_oldest_ticket(&rec->encoder));
}

void ftr_retained_release(ftr_recorder *rec)
{
    ftr_retained_blocks *retained = &rec->retained;
    uint64_t oldest = ftr_encoder_oldest_ticket(&rec->encoder);
    size_t kept = 0;
    /* After a failure, records that were not written stay in their blocks in the journal. */
    if (ftr_recorder_valve(rec) & FTR_VALVE_FAILED)
        return;
    ftr_lock_take(&rec->locks);
    for (size_t i = 0; i < retained->count; i++) {
        const ftr_retained_block *at = &retained->at[i];
        if (at->ticket < oldest) {
            const ftr_block *block = ftr_arena_block(&rec->arena, at->block);
            ftr_buffer_entry *buffer = &rec->buffers.at[at->buffer];
            buffer->blocks_in_use -= block->run;
            buffer->retained--;
            ftr_uncovered_block_released(rec, block);
            ftr_arena_give(&rec->arena, at->block, block->run);
        } else {
            retained->at[kept++] = *at;
        }
    }
    bool released = kept < retained->count;
    if (released)
        rec->lanes.provider_is_late = false;
    retained->count = kept;
    const bool is_awaited = rec->lanes.waiting || rec->lanes.pausing || rec->lanes.needing;
    ftr_lock_release(&rec->locks);
    if (released && is_awaited)
        ftr_lock_wake_recording(&rec->locks);
}

void ftr_retained_free(ftr_recorder *rec)
{
    free(rec->retained.at);
    rec->retained = (ftr_retained_blocks){0};
}

/* ---- read positions -------------------------------------------------------------------------- */

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

/* Returns the number of transactions in a block before @p offset; 0 if the block is not in the
 * journal. */
static uint64_t count_before(const ftr_recorder *rec, const ftr_block *block, uint32_t offset)
{
    uint64_t count = 0;
    if (ftr_block_is_uncovered(rec, block))
        return 0;
    for (uint32_t at = sizeof *block; at < offset;) {
        const ftr_stored_tx *record = (const ftr_stored_tx *)((const uint8_t *)block + at);
        count += ftr_record_kind(record) == FTR_RECORD_TX;
        at += (uint32_t)ftr_record_size(record);
    }
    return count;
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

/* Returns the block of a lane that was read in part, and sets @p offset to the read position. NULL:
 * there is no such block */
static ftr_block *block_of(const ftr_recorder *rec, const ftr_lane *lane, uint32_t *offset)
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
    ftr_lane *const first = ftr_lanes_first(rec);
    uint32_t offset;
    size_t count = retained->count;
    ftr_lock_take(&rec->locks); /* protects lane->first_block */
    for (const ftr_lane *lane = first; lane != NULL; lane = lane->next)
        count += block_of(rec, lane, &offset) != NULL;
    ftr_cbor_put_head(w, FTR_CBOR_MAJOR_BYTES, count * sizeof(ftr_read_position));
    for (const ftr_lane *lane = first; lane != NULL; lane = lane->next) {
        const ftr_block *block = block_of(rec, lane, &offset);
        /* If a thread is still filling this block, the last transaction before the position may
         * still have its slot. This is not possible for the full blocks below. */
        if (block != NULL)
            put_position(rec, w, block, offset, last_tx_before(block, offset));
    }
    for (size_t i = 0; i < retained->count; i++) {
        const ftr_block *block = ftr_arena_block(&rec->arena, retained->at[i].block);
        put_position(rec, w, block, block->front.committed, NULL);
    }
    ftr_lock_release(&rec->locks);
}

static bool is_retained(const ftr_recorder *rec, const ftr_block *block)
{
    const ftr_retained_blocks *retained = &rec->retained;
    const uint32_t number = ftr_arena_number(&rec->arena, block);
    size_t i = 0;
    while (i < retained->count && retained->at[i].block != number)
        i++;
    return i < retained->count;
}

uint64_t ftr_read_positions_count(ftr_recorder *rec, uint64_t oldest)
{
    const ftr_retained_blocks *retained = &rec->retained;
    ftr_lane *const first = ftr_lanes_first(rec);
    uint64_t count = 0;
    uint32_t offset;
    ftr_lock_take(&rec->locks); /* protects lane->first_block */
    for (const ftr_lane *lane = first; lane != NULL; lane = lane->next) {
        const ftr_block *block = block_of(rec, lane, &offset);
        /* A block that has just been read completely is also in the list of retained blocks, and
         * must not be counted twice. */
        if (block != NULL && !is_retained(rec, block))
            count += count_before(rec, block, offset);
    }
    for (size_t i = 0; i < retained->count; i++) {
        const ftr_block *block = ftr_arena_block(&rec->arena, retained->at[i].block);
        count += retained->at[i].ticket >= oldest
                     ? count_before(rec, block, (uint32_t)block->front.committed)
                     : 0;
    }
    ftr_lock_release(&rec->locks);
    return count;
}

/* Marks the transactions in @p block up to @p offset as part of files before file number @p next,
 * so that recovery does not write them again. A block with a pending relation is not marked; to
 * find out which transactions of such a block are in a file, recovery reads the preceding file. */
static void settle_block(ftr_recorder *rec, ftr_block *block, uint32_t next, uint32_t offset)
{
    if (!ftr_pending_relations_holds(&rec->encoder.pending_relations, block->ticket))
        ftr_block_settle(block, next, offset);
}

uint64_t ftr_retained_settle(ftr_recorder *rec, uint32_t next)
{
    uint64_t newest = 0;
    ftr_lock_take(&rec->locks);
    for (const ftr_lane *lane = ftr_lanes_first(rec); lane != NULL; lane = lane->next) {
        uint32_t offset;
        ftr_block *block = block_of(rec, lane, &offset);
        if (block != NULL && lane->reading != NULL && block->ticket > newest)
            newest = block->ticket;
        if (block != NULL)
            settle_block(rec, block, next, offset);
    }
    for (size_t i = 0; i < rec->retained.count; i++) {
        ftr_block *block = ftr_arena_block(&rec->arena, rec->retained.at[i].block);
        newest = block->ticket > newest ? block->ticket : newest;
        settle_block(rec, block, next, block->front.committed);
    }
    ftr_lock_release(&rec->locks);
    return newest;
}
