/* Allocates blocks and slots. Not thread-safe: the caller holds a lock. Does not know contents. */
#include "arena.h"

#include <stdlib.h>
#include <string.h>

#define BLOCKS_WANTED ((size_t)4 << 30)
/* Number of blocks that are added at once, if the initial blocks are in use. */
#define GROW_BLOCKS 16
/* The same for a journal in a file system in memory, where an allocated block takes memory before
 * it is used: the initial number of blocks, and the minimum number that is added at once. */
#define MEMORY_BLOCKS ((size_t)4)

/* Makes blocks [from, from + count) usable: in the journal or, if the disk was ever full, in
 * anonymous memory. */
static ftr_status back_blocks(ftr_arena *arena, size_t from, size_t count)
{
    if (arena->journal != NULL && arena->is_backed) {
        const ftr_journal_place place = ftr_journal_reserve(arena->journal, count * FTR_BLOCK_SIZE);
        ftr_status status = ftr_journal_allocate(arena->journal, place, false);
        if (status == FTR_OK)
            status = ftr_journal_map(arena->journal, FTR_JOURNAL_BLOCKS, &arena->blocks,
                                     from * FTR_BLOCK_SIZE, place);
        arena->is_backed = status == FTR_OK;
        if (status == FTR_OK) {
            arena->blocks.committed = (from + count) * FTR_BLOCK_SIZE;
            return FTR_OK;
        }
        if (from == 0)
            return status;
    }
    return ftr_range_commit(&arena->blocks, (from + count) * FTR_BLOCK_SIZE);
}

static bool is_in_memory(const ftr_arena *arena)
{
    return arena->journal != NULL && arena->journal->is_in_memory;
}

static ftr_status add_blocks(ftr_arena *arena, size_t count)
{
    size_t wanted = arena->block_count + count;
    if (wanted * FTR_BLOCK_SIZE > arena->blocks.reserved || wanted > FTR_JOURNAL_BLOCKS_MAX)
        return FTR_ERR_LIMIT;
    ftr_status status = back_blocks(arena, arena->block_count, count);
    if (status == FTR_OK)
        arena->block_count = wanted;
    return status;
}

ftr_status ftr_arena_init(ftr_arena *arena, size_t blocks, size_t share, ftr_journal *journal)
{
    *arena = (ftr_arena){.journal = journal, .is_backed = journal != NULL};
    size_t slots = FTR_SLOTS_MAX * FTR_SLOT_SIZE;
    arena->kinds = journal != NULL ? journal->header->blocks : calloc(FTR_JOURNAL_BLOCKS_MAX, 1);
    ftr_status status = arena->kinds != NULL ? FTR_OK : FTR_ERR_MEMORY;
    const ftr_range_request parts[] = {
        {&arena->slots, slots, slots, 1},
        {&arena->blocks, BLOCKS_WANTED, FTR_ARENA_LEAST(blocks) * FTR_BLOCK_SIZE, share},
    };
    if (status == FTR_OK)
        status = ftr_ranges_reserve(&arena->memory, parts, sizeof parts / sizeof parts[0]);
    if (status == FTR_OK)
        status = ftr_range_commit(&arena->slots, slots);
    if (status == FTR_OK)
        status = add_blocks(arena, 1 + (is_in_memory(arena) ? MEMORY_BLOCKS : blocks));
    if (status != FTR_OK) {
        ftr_arena_release(arena);
        return status;
    }
    arena->kinds[0] = FTR_BLOCK_TAKEN;
    arena->search_from = 1;
    arena->touched_count = 1;
    return FTR_OK;
}

void ftr_arena_release(ftr_arena *arena)
{
    ftr_range_release(&arena->memory);
    if (arena->journal == NULL)
        free(arena->kinds);
    *arena = (ftr_arena){0};
}

/* Returns the lowest number that begins @p run free blocks; 0: there is none. Low blocks are
 * preferred, so that only as many blocks are touched as are in use at the same time. */
static size_t find_run(const ftr_arena *arena, size_t run)
{
    size_t length = 0;
    for (size_t i = arena->search_from; i < arena->block_count; i++) {
        length = arena->kinds[i] != FTR_BLOCK_FREE ? 0 : length + 1;
        if (length == run)
            return i + 1 - run;
    }
    return 0;
}

void ftr_arena_grow(ftr_arena *arena, size_t blocks)
{
    if (!is_in_memory(arena))
        (void)!add_blocks(arena, blocks);
}

/* If the journal is on a disk, fills blocks [from, end), which have not been used yet, with zeros,
 * so that Linux has their pages in memory. */
static void fill(const ftr_arena *arena, size_t from, size_t end)
{
    if (arena->journal != NULL && !arena->journal->is_in_memory)
        ftr_journal_fill_blocks(arena->journal, from * FTR_BLOCK_SIZE,
                                (end - from) * FTR_BLOCK_SIZE);
}

/* Fills the blocks below number @p end that have not been used yet, and counts them as used. */
static void touch(ftr_arena *arena, size_t end)
{
    if (end <= arena->touched_count)
        return;
    fill(arena, arena->touched_count, end);
    arena->touched_count = end;
}

uint32_t ftr_arena_take_unused(ftr_arena *arena)
{
    const size_t number = arena->touched_count;
    if (number >= arena->block_count)
        return 0;
    arena->kinds[number] = FTR_BLOCK_TAKEN;
    arena->taken_count++;
    arena->touched_count++;
    return (uint32_t)number;
}

void ftr_arena_provide(const ftr_arena *arena, uint32_t block)
{
    fill(arena, block, (size_t)block + 1);
    ftr_range_touch(ftr_arena_block(arena, block), FTR_BLOCK_SIZE);
}

uint32_t ftr_arena_take(ftr_arena *arena, size_t run)
{
    size_t found = find_run(arena, run);
    if (!found) {
        size_t end = arena->block_count;
        size_t step = is_in_memory(arena) ? MEMORY_BLOCKS + end / 4 : GROW_BLOCKS;
        if (add_blocks(arena, run > step ? run : step) != FTR_OK &&
            add_blocks(arena, run) != FTR_OK)
            return 0;
        found = end;
    }
    memset(arena->kinds + found, FTR_BLOCK_TAKEN, run);
    arena->taken_count += run;
    if (run == 1)
        arena->search_from = found + 1;
    touch(arena, found + run);
    return (uint32_t)found;
}

void ftr_arena_mark(ftr_arena *arena, uint32_t block, uint8_t kind)
{
    __atomic_store_n(&arena->kinds[block], kind, __ATOMIC_RELEASE);
}

void ftr_arena_give(ftr_arena *arena, uint32_t block, size_t run)
{
    memset(arena->kinds + block, FTR_BLOCK_FREE, run);
    arena->taken_count -= run;
    if (block < arena->search_from)
        arena->search_from = block;
}

ftr_slot_memory ftr_arena_reserve_slots(ftr_arena *arena, size_t count)
{
    ftr_slot_memory memory = {.count = count};
    if (arena->journal != NULL && arena->is_backed)
        memory.place = ftr_journal_reserve(arena->journal, count * FTR_SLOT_SIZE);
    return memory;
}

void ftr_arena_allocate_slots(const ftr_arena *arena, ftr_slot_memory *memory)
{
    if (memory->place.size > 0 && ftr_journal_allocate(arena->journal, memory->place,
                                                       !arena->journal->is_in_memory) != FTR_OK)
        memory->place.size = 0;
}

void ftr_arena_map_slots(ftr_arena *arena, size_t from, const ftr_slot_memory *memory)
{
    if (arena->is_backed)
        arena->is_backed = memory->place.size > 0 &&
                           ftr_journal_map(arena->journal, FTR_JOURNAL_SLOTS, &arena->slots,
                                           from * FTR_SLOT_SIZE, memory->place) == FTR_OK;
}
