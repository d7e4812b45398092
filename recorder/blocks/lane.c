/* Makes lanes and gives them blocks, ids and slots. Never waits for blocks. */
#include "lane.h"

#include <stdlib.h>

#include "blocks.h"
#include "buffers.h"
#include "registry.h"

#define IDS_AT_ONCE 65536
/* ftr_lane_trim_slots() leaves this number of free slots to a lane. Between two calls, a lane can
 * have more. */
#define SLOTS_HELD 256

/* An empty block for a lane that has none yet. No record fits into it, so calls need not test for a
 * missing block. */
static ftr_block_front no_block;

ftr_lane *ftr_lane_make(ftr_recorder *rec, uint32_t buffer, ftr_lane *main)
{
    ftr_lane *lane = calloc(1, sizeof *lane);
    if (lane == NULL)
        return NULL;
    lane->recorder = rec;
    lane->main = main != NULL ? main : lane;
    lane->buffer = buffer;
    lane->front = rec->lanes.count == 0 ? &rec->front.lane : &lane->own;
    lane->front->block = &no_block;
    lane->number = rec->lanes.count++;
    lane->taken = 1;
    lane->next = atomic_load_explicit(&rec->lanes.first, memory_order_relaxed);
    atomic_store_explicit(&rec->lanes.first, lane, memory_order_release);
    return lane;
}

ftr_lane *ftr_lane_take(ftr_recorder *rec)
{
    ftr_guarded_call call;
    if (!ftr_recorder_lock(rec, &call))
        return NULL;
    ftr_lane *lane = atomic_load_explicit(&rec->lanes.first, memory_order_relaxed);
    while (lane != NULL && lane->taken)
        lane = lane->next;
    if (lane != NULL)
        lane->taken = 1;
    else
        lane = ftr_lane_make(rec, 0, NULL);
    if (lane != NULL && lane->front == &rec->front.lane) {
        rec->owner = ftr_thread_self();
        ftr_recorder_set_valve(rec, ftr_recorder_valve(rec));
    }
    ftr_recorder_unlock(rec, &call);
    return lane;
}

void ftr_lane_leave(ftr_recorder *rec, ftr_lane *lane)
{
    if (ftr_recorder_valve(rec) & (FTR_VALVE_CLOSED | FTR_VALVE_FORKED))
        return;
    ftr_lock_take(&rec->locks);
    lane->taken = 0;
    if (lane->front == &rec->front.lane) {
        rec->owner = 0;
        ftr_recorder_set_valve(rec, ftr_recorder_valve(rec));
    }
    ftr_lock_release(&rec->locks);
}

ftr_lane *ftr_lane_add_sibling(ftr_lane *lane, uint32_t buffer)
{
    ftr_guarded_call call;
    if (!ftr_recorder_lock(lane->recorder, &call))
        return NULL;
    ftr_lane *made = ftr_lane_make(lane->recorder, buffer, lane);
    ftr_recorder_unlock(lane->recorder, &call);
    if (made == NULL)
        return NULL;
    made->sibling = lane->sibling;
    lane->sibling = made;
    return made;
}

/* Returns how many bytes of the block records may use. */
static size_t room_of(const ftr_recorder *rec, const ftr_block *block)
{
    const ftr_arena *arena = &rec->arena;
    return ftr_arena_room(arena, ftr_arena_number(arena, block), block->run) - FTR_BLOCK_SLACK;
}

/* @p size: bytes of the first record. */
static void link_block(ftr_lane *lane, uint32_t number, size_t run, size_t size)
{
    ftr_recorder *rec = lane->recorder;
    ftr_lane_front *front = lane->front;
    ftr_block *block = ftr_arena_block(&rec->arena, number);
    *block = (ftr_block){.front = {sizeof *block},
                         .run = (uint32_t)run,
                         .lane = lane->number,
                         .sequence = rec->lanes.next_sequence++};
    ftr_arena_mark(&rec->arena, number, FTR_BLOCK_TRANSACTIONS);
    if (front->block_limit) {
        ftr_block *last = (ftr_block *)front->block;
        last->next = number;
        last->sealed = 1;
        ftr_uncovered_block_full(rec, last);
        ftr_buffer_of_lane(rec, lane)->blocks_in_use += last->run;
    } else {
        lane->first_block = number;
    }
    front->block = &block->front;
    front->block_limit = ftr_writer_is_scheduled(rec) ? sizeof *block + size : room_of(rec, block);
}

bool ftr_lane_add_block(ftr_lane *lane, size_t size)
{
    size_t run = (sizeof(ftr_block) + size + FTR_BLOCK_SLACK + FTR_BLOCK_SIZE - 1) / FTR_BLOCK_SIZE;
    ftr_arena *arena = &lane->recorder->arena;
    uint32_t number = 0;
    if (ftr_writer_is_scheduled(lane->recorder) &&
        sizeof(ftr_block) + size + FTR_BLOCK_SLACK <= FTR_ARENA_FIRST_RECORDS)
        number = ftr_arena_take_first(arena, true);
    if (!number)
        number = ftr_arena_take(arena, run);
    if (number)
        link_block(lane, number, run, size);
    return number != 0;
}

bool ftr_lane_extend(ftr_lane *lane, size_t size)
{
    ftr_recorder *rec = lane->recorder;
    ftr_lane_front *front = lane->front;
    if (front->block_limit == 0)
        return false;
    const ftr_block *block = (const ftr_block *)front->block;
    const size_t end = front->block->committed + size;
    if (end > room_of(rec, block) && ftr_writer_is_scheduled(rec)) {
        ftr_lock_take(&rec->locks);
        ftr_arena_make_whole(&rec->arena);
        ftr_lock_release(&rec->locks);
    }
    const size_t room = room_of(rec, block);
    front->block_limit = end < room && ftr_writer_is_scheduled(rec) ? end : room;
    return end <= room;
}

void ftr_lane_keep_ids(ftr_lane *lane)
{
    ftr_lane_front *front = lane->front;
    if (!ftr_lane_has_few_ids(lane))
        return;
    uint64_t first =
        atomic_fetch_add_explicit(lane->recorder->next_id, IDS_AT_ONCE, memory_order_relaxed);
    if (first != lane->id_limit)
        front->next_id = first;
    lane->id_limit = first + IDS_AT_ONCE;
}

/* A thread that has not seen the new watermark has only discarded transactions with lower ids:
 * lanes get their ids under the same lock, and the newest ids belong to this lane, which has not
 * used them yet. The other lanes may still have lower ids that they have not used. */
void ftr_lane_begin_window(ftr_lane *lane)
{
    ftr_recorder *rec = lane->recorder;
    ftr_lock_take(&rec->locks);
    const uint64_t next = atomic_load(rec->next_id);
    if (ftr_discarded_ids_watermark(&rec->discarded_ids) == UINT64_MAX) {
        ftr_discarded_ids_set_watermark(&rec->discarded_ids,
                                        lane->id_limit == next ? lane->front->next_id : next);
        ftr_recorder_set_valve(rec, ftr_recorder_valve(rec));
    }
    ftr_lock_release(&rec->locks);
}

void ftr_lane_trim_slots(ftr_lane *lane)
{
    ftr_slot *slot = lane->front->free_slot;
    for (size_t held = 1; slot != NULL && held < SLOTS_HELD; held++)
        slot = slot->next_free;
    while (slot != NULL && slot->next_free != NULL) {
        ftr_slot *surplus = slot->next_free;
        slot->next_free = surplus->next_free;
        ftr_open_transactions_give(&lane->recorder->open, surplus);
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

uint32_t ftr_lane_next_block(const ftr_lane *lane, bool *lacks_memory)
{
    ftr_recorder *rec = lane->recorder;
    const ftr_buffer_entry *buffer = ftr_buffer_of_lane(rec, lane);
    ftr_lock_take(&rec->locks);
    const uint32_t next = lane->reading != NULL ? lane->reading->next : lane->first_block;
    const bool is_done =
        lane->reading == NULL ||
        (lane->reading->sealed && lane->read_offset == lane->reading->front.committed);
    const bool has_caught_up =
        rec->lanes.pausing && ftr_buffer_unread(buffer) * 4 <= buffer->unread_usual;
    *lacks_memory = ftr_writer_is_running(rec) && ftr_ready_blocks_are_few(rec);
    ftr_lock_release(&rec->locks);
    if (has_caught_up)
        ftr_lock_wake_recording(&rec->locks);
    return is_done ? next : 0;
}

/* Returns the begin of an open transaction; 0 for a free slot. If the owning thread changes the
 * slot at the same time, the result is the begin of the old or of the new transaction in the slot.
 * ThreadSanitizer would report this race. */
__attribute__((no_sanitize("thread"))) static uint64_t begin_of_open(const ftr_slot *slot)
{
    return __atomic_load_n(&slot->id, __ATOMIC_ACQUIRE) != FTR_SLOT_FREE ? slot->begin : 0;
}

uint64_t ftr_lanes_latest(ftr_recorder *rec)
{
    uint64_t latest = 0;
    ftr_lock_take(&rec->locks);
    for (ftr_lane *lane = atomic_load_explicit(&rec->lanes.first, memory_order_acquire);
         lane != NULL; lane = lane->next) {
        for (uint32_t number = lane->first_block; number;) {
            const ftr_block *block = ftr_arena_block(&rec->arena, number);
            const uint8_t *at = (const uint8_t *)(block + 1);
            const uint8_t *end =
                (const uint8_t *)block + __atomic_load_n(&block->front.committed, __ATOMIC_ACQUIRE);
            for (; at < end; at += ftr_record_size((const ftr_stored_tx *)at)) {
                const ftr_stored_tx *record = (const ftr_stored_tx *)at;
                if (ftr_record_kind(record) == FTR_RECORD_TX && record->end > latest)
                    latest = record->end;
            }
            number = block->next;
        }
    }
    uint32_t count = atomic_load(&rec->open.slot_count);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t begin = begin_of_open(ftr_open_slot(&rec->open, i));
        latest = begin > latest ? begin : latest;
    }
    ftr_lock_release(&rec->locks);
    return latest;
}

void ftr_lanes_count(ftr_recorder *rec, ftr_statistics *statistics)
{
    ftr_lock_take(&rec->locks);
    statistics->waits = rec->lanes.waits;
    statistics->renamed_streams = rec->definitions.renamed_streams;
    statistics->memory += rec->arena.touched_count * FTR_BLOCK_SIZE +
                          atomic_load(&rec->open.slot_count) * FTR_SLOT_SIZE;
    ftr_lock_release(&rec->locks);
}

void ftr_lanes_release(ftr_recorder *rec)
{
    ftr_registry_lock(); /* a thread that is ending may be leaving its lane */
    ftr_lane *lane = atomic_exchange(&rec->lanes.first, NULL);
    while (lane != NULL) {
        ftr_lane *next = lane->next;
        free(lane);
        lane = next;
    }
    ftr_registry_unlock();
}
