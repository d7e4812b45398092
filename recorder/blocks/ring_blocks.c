/* Evicts the oldest blocks of rings, and lets the drain read triggered rings. The main buffer of a
 * flight recorder is a ring until the recorder is triggered. */
#include "blocks.h"

#include <string.h>

#include "lane.h"

static bool is_holding(const ftr_buffer_entry *buffer)
{
    return buffer->is_ring && !buffer->is_drained;
}

static uint32_t number_of(const ftr_recorder *rec, const ftr_buffer_entry *buffer)
{
    return (uint32_t)(buffer - rec->buffers.at);
}

/* ---- eviction -------------------------------------------------------------------------------- */

/* Returns the lane with the oldest full block of the buffer; NULL if no block is full. */
static ftr_lane *oldest_lane(ftr_recorder *rec, uint32_t number)
{
    ftr_lane *oldest = NULL;
    uint64_t sequence = UINT64_MAX;
    for (ftr_lane *lane = atomic_load_explicit(&rec->lanes.first, memory_order_relaxed);
         lane != NULL; lane = lane->next) {
        if (lane->buffer != number || !lane->first_block)
            continue;
        const ftr_block *block = ftr_arena_block(&rec->arena, lane->first_block);
        if (block->sealed && block->sequence < sequence) {
            oldest = lane;
            sequence = block->sequence;
        }
    }
    return oldest;
}

/* Removes the lane's first block from the lane. Returns the number and the times of the
 * transactions that are lost with this block. */
static ftr_loss evict_first(ftr_recorder *rec, ftr_lane *lane)
{
    const ftr_block *block = ftr_arena_block(&rec->arena, lane->first_block);
    const uint8_t *from = ftr_lane_first_record(lane, block);
    const uint8_t *to = (const uint8_t *)block + block->front.committed;
    ftr_loss lost = {.from = UINT64_MAX};
    uint64_t relations = 0;
    ftr_preamble_collect(&rec->preamble, &rec->definitions, from, to);
    while (from < to) {
        const ftr_stored_tx *record = (const ftr_stored_tx *)from;
        if (record->kind & FTR_RECORD_COUNTED) {
            /* This record was already counted as lost. */
        } else if (record->kind == FTR_RECORD_TX) {
            lost.count++;
            if (lane->buffer)
                ftr_id_set_add(&ftr_buffer_of_lane(rec, lane)->evicted, record->id);
            lost.from = record->begin < lost.from ? record->begin : lost.from;
            lost.to = record->end > lost.to ? record->end : lost.to;
        } else {
            relations++;
        }
        from += ftr_record_size(record);
    }
    atomic_fetch_add_explicit(&rec->counts.relations_discarded, relations, memory_order_relaxed);
    lane->first_block = block->next;
    lane->first_offset = 0;
    return lost;
}

static ftr_room evict(ftr_recorder *rec, ftr_buffer_entry *buffer)
{
    ftr_lane *lane;
    while (buffer->blocks_in_use >= buffer->blocks_max &&
           (lane = oldest_lane(rec, number_of(rec, buffer))) != NULL) {
        uint32_t number = lane->first_block;
        const ftr_block *block = ftr_arena_block(&rec->arena, number);
        const ftr_loss lost = evict_first(rec, lane);
        ftr_losses_add(&rec->losses, lane->buffer, FTR_LOSS_EVICTED, &lost);
        buffer->blocks_in_use -= block->run;
        ftr_uncovered_block_released(rec, block);
        ftr_arena_give(&rec->arena, number, block->run);
    }
    return FTR_ROOM_FREE;
}

void ftr_rings_count_rest(ftr_recorder *rec)
{
    ftr_lock_take(&rec->locks);
    for (ftr_lane *lane = atomic_load(&rec->lanes.first); lane != NULL; lane = lane->next) {
        const ftr_buffer_entry *buffer = ftr_buffer_of_lane(rec, lane);
        while (buffer->is_ring && lane->first_block) {
            const ftr_loss lost = evict_first(rec, lane);
            ftr_losses_add_recoverable(&rec->losses, lane->buffer, FTR_LOSS_EVICTED, &lost);
        }
    }
    ftr_lock_release(&rec->locks);
}

/* ---- triggers -------------------------------------------------------------------------------- */

void ftr_rings_trigger(ftr_recorder *rec)
{
    uint32_t count = atomic_load_explicit(&rec->buffers.count, memory_order_acquire);
    for (uint32_t number = 1; number < count; number++) {
        ftr_buffer_entry *buffer = &rec->buffers.at[number];
        if (buffer->is_ring)
            atomic_store_explicit(&buffer->is_triggered, true, memory_order_release);
    }
}

bool ftr_ring_keeps_open(const ftr_recorder *rec, const ftr_slot *slot)
{
    const ftr_buffer_entry *buffer =
        &rec->buffers.at[ftr_buffer_of_generator(rec, slot->generator)];
    return !buffer->is_ring ||
           (uint16_t)atomic_load(&buffer->triggers) != slot->flags >> FTR_SLOT_TRIGGERS_SHIFT;
}

/* ---- relations of transactions in a ring ----------------------------------------------------- */

ftr_buffer_entry *ftr_ring_of_relation(ftr_recorder *rec, const ftr_stored_relation *relation)
{
    const ftr_pending_relations *pending = &rec->encoder.pending_relations;
    const uint32_t streams[] = {(uint32_t)(relation->from_place >> 32),
                                (uint32_t)(relation->to_place >> 32)};
    const uint64_t ids[] = {relation->from, relation->to};
    for (size_t i = 0; i < 2; i++) {
        ftr_buffer_entry *buffer =
            &rec->buffers.at[ftr_buffer_of_kind(rec->front.entities[streams[i]].kind)];
        if (is_holding(buffer) && !ftr_pending_relations_has_in_file(pending, ids[i]))
            return buffer;
    }
    return NULL;
}

/* Makes room for a relation in the lane of the ring's relations. May exceed the budget, because the
 * caller is the drain, which cannot wait for itself to release blocks. The caller holds `lock`. */
static bool make_relation_room(ftr_recorder *rec, ftr_buffer_entry *ring)
{
    if (ring->relations == NULL)
        ring->relations = ftr_lane_make(rec, number_of(rec, ring), NULL);
    if (ring->relations == NULL)
        return false;
    const ftr_lane_front *front = ring->relations->front;
    if (front->block->committed + sizeof(ftr_stored_relation) <= front->block_limit)
        return true;
    (void)ring->policy->make_room(rec, ring);
    return ftr_lane_add_block(ring->relations, sizeof(ftr_stored_relation));
}

void ftr_ring_keep_relation(ftr_recorder *rec, ftr_buffer_entry *ring,
                            const ftr_stored_relation *relation)
{
    ftr_lock_take(&rec->locks);
    bool is_late = ftr_id_set_contains(&ring->evicted, relation->from) ||
                   ftr_id_set_contains(&ring->evicted, relation->to);
    bool is_kept = !is_late && make_relation_room(rec, ring);
    ftr_lock_release(&rec->locks);
    if (!is_kept) {
        atomic_fetch_add_explicit(&rec->counts.relations_discarded, 1, memory_order_relaxed);
        return;
    }
    ftr_lane *lane = ring->relations;
    memcpy((uint8_t *)lane->front->block + lane->front->block->committed, relation,
           sizeof *relation);
    ftr_lane_commit(lane, sizeof *relation);
}

/* ---- policies -------------------------------------------------------------------------------- */

static ftr_room ring_make_room(ftr_recorder *rec, ftr_buffer_entry *buffer)
{
    return buffer->is_drained ? ftr_linear_blocks.make_room(rec, buffer) : evict(rec, buffer);
}

static bool ring_is_readable(const ftr_recorder *rec, const ftr_buffer_entry *buffer)
{
    (void)rec;
    return buffer->is_drained;
}

/* Begins the drain of a ring if the ring was triggered. Until ring_end_drain(), no block of the
 * ring is evicted, and transactions that end are written to the file. */
static bool ring_begin_drain(ftr_recorder *rec, ftr_buffer_entry *buffer)
{
    if (!atomic_exchange_explicit(&buffer->is_triggered, false, memory_order_acquire))
        return false;
    ftr_lock_take(&rec->locks);
    buffer->is_drained = true;
    ftr_lock_release(&rec->locks);
    atomic_fetch_add(&buffer->triggers, 1);
    rec->buffers.was_triggered = true;
    return true;
}

/* Removes the records that the drain has read: each lane of the ring now begins at the read
 * position of the drain. */
static void ring_end_drain(ftr_recorder *rec, ftr_buffer_entry *buffer)
{
    for (ftr_lane *lane = atomic_load_explicit(&rec->lanes.first, memory_order_acquire);
         lane != NULL && buffer->is_drained; lane = lane->next) {
        if (lane->buffer != number_of(rec, buffer) || lane->reading == NULL)
            continue;
        /* From now on the ring may evict this block, so pending relations must not wait for it. */
        uint64_t ticket = lane->reading->ticket;
        ftr_pending_relations_let_go(&rec->encoder.pending_relations, ticket, ticket);
        lane->first_block = ftr_arena_number(&rec->arena, lane->reading);
        lane->first_offset = lane->read_offset;
        lane->reading = NULL;
    }
    buffer->is_drained = false;
}

const ftr_block_policy ftr_ring_blocks = {ring_make_room, ring_is_readable, ring_begin_drain,
                                          ring_end_drain};

static ftr_room flight_make_room(ftr_recorder *rec, ftr_buffer_entry *buffer)
{
    return ftr_flight_is_holding(&rec->flight) ? evict(rec, buffer)
                                               : ftr_linear_blocks.make_room(rec, buffer);
}

static bool flight_is_readable(const ftr_recorder *rec, const ftr_buffer_entry *buffer)
{
    (void)buffer;
    return !ftr_flight_is_holding(&rec->flight);
}

const ftr_block_policy ftr_flight_blocks = {flight_make_room, flight_is_readable, NULL, NULL};
