/* The buffers within one recorder: the ring that each may be, when its content goes to the file,
 * and what goes from buffer to buffer. Knows blocks and records; which stream is given to which
 * buffer, and traces of their own, are for buffer_calls.c and buffer_traces.c. */
#include "buffers.h"

#include <string.h>

#include "lane.h"

void ftr_buffers_init(ftr_recorder *rec, size_t blocks)
{
    rec->buffers.at[0] = (ftr_buffer_entry){.trace = rec, .blocks_max = blocks};
    atomic_store(&rec->buffers.count, 1);
}

static uint32_t count_of(const ftr_recorder *rec)
{
    return atomic_load_explicit(&rec->buffers.count, memory_order_acquire);
}

/* Whether @p number lies in this recorder and keeps its content until something asks for it. */
static bool is_ring(const ftr_recorder *rec, uint32_t number)
{
    const ftr_buffer_entry *buffer = &rec->buffers.at[number];
    return number != 0 && buffer->trace == rec && buffer->is_ring;
}

ftr_buffer_entry *ftr_buffer_of_lane(ftr_recorder *rec, const ftr_lane *lane)
{
    return &rec->buffers.at[lane->buffer];
}

/* ---- turning ----------------------------------------------------------------------------------
 */

bool ftr_buffer_turns(const ftr_recorder *rec, uint32_t number)
{
    if (number == 0)
        return ftr_flight_is_holding(&rec->flight);
    return rec->buffers.at[number].is_ring && !rec->buffers.at[number].is_written;
}

/* The buffer's lane with the oldest block that is full; NULL: there is none. */
static ftr_lane *oldest_lane(ftr_recorder *rec, uint32_t number)
{
    ftr_lane *oldest = NULL;
    uint64_t sequence = UINT64_MAX;
    for (ftr_lane *lane = atomic_load_explicit(&rec->lanes, memory_order_relaxed); lane;
         lane = lane->next) {
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

/* What of the lane's first block no file has yet. */
static const uint8_t *first_record(const ftr_lane *lane, const ftr_block *block)
{
    return (const uint8_t *)block + (lane->first_offset ? lane->first_offset : sizeof *block);
}

/* The transactions in [from, to), which the ring loses. */
static ftr_loss evicted(ftr_recorder *rec, uint32_t number, const uint8_t *from, const uint8_t *to)
{
    ftr_loss lost = {.from = UINT64_MAX};
    uint64_t relations = 0;
    ftr_preamble_collect(&rec->segments.preamble, &rec->definitions, from, to);
    while (from < to) {
        const ftr_stored_tx *record = (const ftr_stored_tx *)from;
        if (record->kind == FTR_RECORD_TX) {
            ++lost.count;
            if (number)
                ftr_id_set_add(&rec->buffers.at[number].evicted, record->id);
            lost.from = record->begin < lost.from ? record->begin : lost.from;
            lost.to = record->end > lost.to ? record->end : lost.to;
        } else {
            ++relations;
        }
        from += ftr_record_size(record);
    }
    atomic_fetch_add_explicit(&rec->relations_discarded, relations, memory_order_relaxed);
    return lost;
}

/* Gives the lane's first block, which is full, back. */
static void release_first(ftr_recorder *rec, ftr_lane *lane)
{
    uint32_t number = lane->first_block;
    const ftr_block *block = ftr_arena_block(&rec->arena, number);
    lane->first_block = block->next;
    lane->first_offset = 0;
    rec->buffers.at[lane->buffer].blocks_in_use -= block->run;
    ftr_arena_give(&rec->arena, number, block->run);
}

void ftr_buffer_evict(ftr_recorder *rec, uint32_t number)
{
    const ftr_buffer_entry *buffer = &rec->buffers.at[number];
    ftr_lane *lane;
    while (buffer->blocks_in_use >= buffer->blocks_max &&
           (lane = oldest_lane(rec, number)) != NULL) {
        const ftr_block *block = ftr_arena_block(&rec->arena, lane->first_block);
        const ftr_loss lost = evicted(rec, number, first_record(lane, block),
                                      (const uint8_t *)block + block->front.committed);
        ftr_losses_add(&rec->losses, number, FTR_LOSS_EVICTED, &lost);
        release_first(rec, lane);
    }
}

void ftr_buffers_count_rest(ftr_recorder *rec)
{
    pthread_mutex_lock(&rec->lock);
    for (ftr_lane *lane = atomic_load(&rec->lanes); lane; lane = lane->next) {
        if (!is_ring(rec, lane->buffer))
            continue;
        while (lane->first_block) {
            const ftr_block *block = ftr_arena_block(&rec->arena, lane->first_block);
            const ftr_loss lost = evicted(rec, lane->buffer, first_record(lane, block),
                                          (const uint8_t *)block + block->front.committed);
            ftr_losses_add_recoverable(&rec->losses, lane->buffer, FTR_LOSS_EVICTED, &lost);
            lane->first_block = block->next;
            lane->first_offset = 0;
        }
    }
    pthread_mutex_unlock(&rec->lock);
}

/* ---- writing ----------------------------------------------------------------------------------
 */

void ftr_buffers_trigger_all(ftr_recorder *rec)
{
    for (uint32_t number = 1; number < count_of(rec); ++number) {
        if (is_ring(rec, number))
            atomic_store_explicit(&rec->buffers.at[number].is_triggered, true,
                                  memory_order_release);
    }
}

/* Whether the content of the buffer is asked for; then nothing of it is evicted, and what is open
 * goes where it goes. */
static bool start_if_wanted(ftr_recorder *rec, uint32_t number)
{
    ftr_buffer_entry *buffer = &rec->buffers.at[number];
    if (!atomic_exchange_explicit(&buffer->is_triggered, false, memory_order_acquire))
        return false;
    pthread_mutex_lock(&rec->lock);
    buffer->is_written = true;
    pthread_mutex_unlock(&rec->lock);
    atomic_fetch_add(&buffer->triggers, 1);
    rec->buffers.was_triggered = true;
    return true;
}

bool ftr_buffers_start_writing(ftr_recorder *rec)
{
    bool any = false;
    for (uint32_t number = 1; number < count_of(rec); ++number) {
        if (is_ring(rec, number) && !rec->buffers.at[number].into)
            any |= start_if_wanted(rec, number);
    }
    return any;
}

/* The lane's chain starts where the drain is. */
static void cut_chain(ftr_recorder *rec, ftr_lane *lane)
{
    if (!lane->reading)
        return;
    /* The ring may evict the block at any time. */
    uint64_t ticket = lane->reading->ticket;
    ftr_pending_relations_let_go(&rec->encoder.pending_relations, ticket, ticket);
    lane->first_block = ftr_arena_number(&rec->arena, lane->reading);
    lane->first_offset = lane->read_offset;
    lane->reading = NULL;
}

void ftr_buffers_stop_writing(ftr_recorder *rec)
{
    pthread_mutex_lock(&rec->lock);
    for (ftr_lane *lane = atomic_load_explicit(&rec->lanes, memory_order_acquire); lane;
         lane = lane->next) {
        if (is_ring(rec, lane->buffer) && rec->buffers.at[lane->buffer].is_written)
            cut_chain(rec, lane);
    }
    for (uint32_t number = 1; number < count_of(rec); ++number)
        rec->buffers.at[number].is_written = false;
    pthread_cond_broadcast(&rec->space);
    pthread_mutex_unlock(&rec->lock);
}

bool ftr_buffers_lets_read(const ftr_recorder *rec, const ftr_lane *lane)
{
    const ftr_buffer_entry *buffer = &rec->buffers.at[lane->buffer];
    return !buffer->into && (!buffer->is_ring || buffer->is_written);
}

bool ftr_buffers_are_short(const ftr_recorder *rec)
{
    bool is_short = rec->waiting > 0;
    for (uint32_t number = 0; number < count_of(rec); ++number) {
        const ftr_buffer_entry *buffer = &rec->buffers.at[number];
        is_short |=
            !buffer->is_ring && buffer->trace == rec && buffer->blocks_in_use >= buffer->blocks_max;
    }
    return is_short;
}

bool ftr_buffers_keep_open(const ftr_recorder *rec, const ftr_slot *slot)
{
    uint32_t number = ftr_buffer_of_kind(rec->front.entities[slot->generator].kind);
    const ftr_buffer_entry *buffer = &rec->buffers.at[number];
    return !is_ring(rec, number) ||
           (uint16_t)atomic_load(&buffer->triggers) != slot->flags >> FTR_SLOT_TRIGGERS_SHIFT;
}

/* ---- from buffer to buffer --------------------------------------------------------------------
 */

static uint32_t buffer_of_stream(const ftr_recorder *rec, uint32_t stream)
{
    return ftr_buffer_of_kind(rec->front.entities[stream].kind);
}

uint32_t ftr_buffers_holder(const ftr_recorder *rec, const void *relation)
{
    const ftr_stored_relation *record = relation;
    const ftr_id_set *in_file = rec->encoder.pending_relations.in_file;
    const uint32_t streams[] = {(uint32_t)(record->from_place >> 32),
                                (uint32_t)(record->to_place >> 32)};
    const uint64_t ids[] = {record->from, record->to};
    for (size_t i = 0; i < 2; ++i) {
        uint32_t number = buffer_of_stream(rec, streams[i]);
        const ftr_buffer_entry *buffer = &rec->buffers.at[number];
        bool holds = buffer->into || (buffer->is_ring && !buffer->is_written);
        if (number && holds && !ftr_id_set_contains(in_file, ids[i]))
            return number;
    }
    return 0;
}

/* Whether the record is a relation of what the ring has no more. */
static bool came_too_late(ftr_recorder *rec, uint32_t number, const ftr_stored_tx *record)
{
    const ftr_stored_relation *relation = (const ftr_stored_relation *)record;
    const ftr_id_set *evicted = &rec->buffers.at[number].evicted;
    if (record->kind != FTR_RECORD_RELATION)
        return false;
    pthread_mutex_lock(&rec->lock);
    bool is_late =
        ftr_id_set_contains(evicted, relation->from) || ftr_id_set_contains(evicted, relation->to);
    pthread_mutex_unlock(&rec->lock);
    return is_late;
}

/* Whether a record finds no place in a buffer that nothing empties. */
static bool is_refused(ftr_recorder *rec, uint32_t number)
{
    const ftr_buffer_entry *buffer = &rec->buffers.at[number];
    return number && !buffer->is_ring && !buffer->into && ftr_flight_is_holding(&rec->flight) &&
           buffer->blocks_in_use >= buffer->blocks_max;
}

static void count_unplaced(ftr_recorder *rec, uint32_t number, ftr_loss_cause cause,
                           const ftr_stored_tx *record)
{
    if (record->kind == FTR_RECORD_TX)
        ftr_losses_add(&rec->losses, number, cause, &(ftr_loss){1, record->begin, record->end});
    else
        atomic_fetch_add_explicit(&rec->relations_discarded, 1, memory_order_relaxed);
}

void ftr_buffers_give(ftr_recorder *rec, uint32_t number, const void *record)
{
    ftr_buffer_entry *buffer = &rec->buffers.at[number];
    size_t size = ftr_record_size(record);
    if (!buffer->carrier)
        buffer->carrier = ftr_lane_make_carrier(rec, number);
    ftr_lane *lane = buffer->carrier;
    if (!lane || came_too_late(rec, number, record)) {
        count_unplaced(rec, number, FTR_LOSS_DROPPED, record);
        return;
    }
    const ftr_lane_front *front = lane->front;
    if (front->block->committed + size > front->block_limit) {
        pthread_mutex_lock(&rec->lock);
        if (ftr_buffer_turns(rec, number))
            ftr_buffer_evict(rec, number);
        bool is_full = is_refused(rec, number);
        /* Beyond the budget, if need be: who empties the buffer is who calls this. */
        bool has_room = !is_full && ftr_lane_add_block(lane, size);
        pthread_mutex_unlock(&rec->lock);
        if (!has_room) {
            count_unplaced(rec, number, is_full ? FTR_LOSS_FULL : FTR_LOSS_DROPPED, record);
            return;
        }
    }
    memcpy((uint8_t *)front->block + front->block->committed, record, size);
    ftr_lane_commit(lane, size);
}

/* Gives all records of the lane's first block that it has to buffer @p into. Returns whether the
 * block is done with. */
static bool give_block(ftr_recorder *rec, ftr_lane *lane, uint32_t into)
{
    pthread_mutex_lock(&rec->lock);
    uint32_t first = lane->first_block;
    uint32_t offset = lane->first_offset ? lane->first_offset : sizeof(ftr_block);
    pthread_mutex_unlock(&rec->lock);
    if (!first)
        return false;
    const ftr_block *block = ftr_arena_block(&rec->arena, first);
    uint32_t committed = __atomic_load_n(&block->front.committed, __ATOMIC_ACQUIRE);
    while (offset < committed) {
        const uint8_t *record = (const uint8_t *)block + offset;
        ftr_buffers_give(rec, into, record);
        offset += (uint32_t)ftr_record_size((const ftr_stored_tx *)record);
    }
    pthread_mutex_lock(&rec->lock);
    bool is_done = block->sealed && offset == block->front.committed;
    if (is_done)
        release_first(rec, lane);
    else
        lane->first_offset = offset;
    if (rec->waiting)
        pthread_cond_broadcast(&rec->space);
    pthread_mutex_unlock(&rec->lock);
    return is_done;
}

static void hand_on(ftr_recorder *rec, uint32_t number)
{
    const ftr_buffer_entry *buffer = &rec->buffers.at[number];
    pthread_mutex_lock(&rec->lock);
    size_t blocks = buffer->blocks_in_use; /* what comes meanwhile is for the next time */
    pthread_mutex_unlock(&rec->lock);
    for (ftr_lane *lane = atomic_load_explicit(&rec->lanes, memory_order_acquire); lane;
         lane = lane->next) {
        size_t left = blocks;
        while (lane->buffer == number && give_block(rec, lane, buffer->into) && left-- > 0)
            continue;
    }
}

void ftr_buffers_hand_on(ftr_recorder *rec, bool all)
{
    /* A buffer goes into one with a lower number, so that one pass brings everything to its end. */
    for (uint32_t number = count_of(rec) - 1; number > 0; --number) {
        ftr_buffer_entry *buffer = &rec->buffers.at[number];
        if (buffer->trace != rec || !buffer->into)
            continue;
        pthread_mutex_lock(&rec->lock);
        bool is_full = buffer->blocks_in_use >= buffer->blocks_max;
        pthread_mutex_unlock(&rec->lock);
        if (buffer->is_ring ? start_if_wanted(rec, number) : all || is_full)
            hand_on(rec, number);
        if (!buffer->is_ring)
            continue;
        pthread_mutex_lock(&rec->lock);
        buffer->is_written = false;
        pthread_mutex_unlock(&rec->lock);
    }
}
