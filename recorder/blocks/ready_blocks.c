/* Decides how many blocks are ready, and provides blocks and slots. In a run that needs only one
 * block, no further blocks are provided. */
#include "blocks.h"

/* Maximum number of ready blocks. */
#define READY_MAX 4

/* Returns the number of blocks that should be ready: half of those that the lanes have taken so
 * far, so no block while the first one of the run is being filled. A block for which a thread waits
 * counts as taken, because the thread takes it at once. */
static size_t wanted(const ftr_recorder *rec)
{
    const uint64_t taken = rec->lanes.next_sequence + (rec->lanes.needing > 0);
    return taken / 2 > READY_MAX ? READY_MAX : (size_t)taken / 2;
}

bool ftr_ready_blocks_can_be_awaited(const ftr_recorder *rec)
{
    return rec->lanes.next_sequence > 0 && rec->arena.touched_count < rec->arena.block_count &&
           ftr_arena_ready(&rec->arena) == 0;
}

static bool blocks_are_few(const ftr_recorder *rec)
{
    return rec->arena.touched_count < rec->arena.block_count &&
           ftr_arena_ready(&rec->arena) * 2 < wanted(rec);
}

static bool slots_are_few(const ftr_recorder *rec)
{
    return rec->lanes.needing_slots && !rec->lanes.allocates_slots &&
           ftr_open_transactions_need_memory(&rec->open);
}

bool ftr_ready_blocks_are_few(const ftr_recorder *rec)
{
    return !ftr_recorder_dead_valve(rec) && (blocks_are_few(rec) || slots_are_few(rec));
}

/* Provides one block. Returns false if there is no unused block, or no disk space. The caller holds
 * `lock`, which is released meanwhile. */
static bool provide(ftr_recorder *rec)
{
    const uint32_t number = ftr_arena_take_unused(&rec->arena);
    if (!number)
        return false;
    ftr_lock_release(&rec->locks);
    const bool is_provided = ftr_arena_provide(&rec->arena, number);
    ftr_lock_take(&rec->locks);
    ftr_arena_give_unused(&rec->arena, number, is_provided);
    return is_provided;
}

/* Provides slots if a thread waits for them. The caller holds `lock`, which is released during
 * allocation and the first access. */
static void provide_slots(ftr_recorder *rec)
{
    if (!slots_are_few(rec))
        return;
    ftr_slot_memory memory = ftr_open_transactions_reserve(&rec->open);
    rec->lanes.allocates_slots = true;
    ftr_lock_release(&rec->locks);
    ftr_arena_allocate_slots(&rec->arena, &memory);
    ftr_lock_take(&rec->locks);
    ftr_slot *added = ftr_open_transactions_add(&rec->open, &memory);
    ftr_lock_release(&rec->locks);
    ftr_range_touch(added, memory.count * FTR_SLOT_SIZE);
    ftr_lock_take(&rec->locks);
    rec->lanes.allocates_slots = false;
    ftr_open_transactions_provide(&rec->open);
}

void ftr_ready_blocks_provide(ftr_recorder *rec)
{
    ftr_lock_take(&rec->locks);
    const bool are_few = ftr_ready_blocks_are_few(rec);
    provide_slots(rec);
    while (are_few && ftr_arena_ready(&rec->arena) < wanted(rec) && provide(rec))
        continue;
    provide_slots(rec); /* a thread may have begun to wait while blocks were provided */
    if (are_few)
        rec->lanes.provider_is_late = false;
    const bool is_awaited = are_few && (rec->lanes.needing || rec->lanes.needing_slots);
    ftr_lock_release(&rec->locks);
    if (is_awaited)
        ftr_lock_wake_recording(&rec->locks);
}

void ftr_ready_blocks_provide_first(ftr_recorder *rec)
{
    ftr_lock_take(&rec->locks);
    (void)provide(rec);
    rec->lanes.provider_is_late = false;
    const bool is_awaited = rec->lanes.needing || rec->lanes.needing_slots;
    ftr_lock_release(&rec->locks);
    if (is_awaited)
        ftr_lock_wake_recording(&rec->locks);
}
