/* Allocates blocks and slots. Not thread-safe: the caller holds a lock. */
#include "arena.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS_WANTED ((size_t)4 << 30)
/* Number of blocks that are added at once when all initial blocks are in use. */
#define GROW_BLOCKS 16
/* For a journal in a file system in memory, where an allocated block takes memory before it is
 * used: the initial number of blocks, and the minimum number of blocks that are added at once. */
#define MEMORY_BLOCKS FTR_ARENA_LEAST_IN_JOURNAL
/* Number of blocks that ftr_arena_make_free() leaves to definitions, large transactions and slots.
 */
#define SPARE_BLOCKS 4

/* Records that the journal could not be extended. The journal does not contain the blocks and slots
 * that are added from now on. */
static void lose_cover(ftr_arena *arena, ftr_status status)
{
    ftr_journal_mark_short(arena->journal, status);
    arena->is_backed = false;
}

/* Adds blocks that the journal contains. */
static ftr_status add_covered(ftr_arena *arena, size_t count)
{
    const size_t from = arena->block_count;
    const ftr_journal_place place = ftr_journal_reserve(arena->journal, count * FTR_BLOCK_SIZE);
    ftr_status status = ftr_journal_allocate(arena->journal, place, false);
    if (status == FTR_OK)
        status = ftr_journal_map(arena->journal, FTR_JOURNAL_BLOCKS, &arena->blocks,
                                 from * FTR_BLOCK_SIZE, place);
    if (status != FTR_OK) {
        ftr_journal_cancel(arena->journal, place);
        return status;
    }
    arena->block_count = from + count;
    arena->blocks.committed = arena->block_count * FTR_BLOCK_SIZE;
    arena->covered_count = arena->block_count;
    return FTR_OK;
}

/* Adds blocks in anonymous memory. If there is a journal, it does not contain these blocks. */
static ftr_status add_uncovered(ftr_arena *arena, size_t count)
{
    const size_t end = arena->block_count + count;
    const ftr_status status = ftr_range_commit(&arena->blocks, end * FTR_BLOCK_SIZE);
    if (status != FTR_OK)
        return status;
    if (arena->journal != NULL)
        memset(arena->kinds + arena->block_count, FTR_BLOCK_UNCOVERED | FTR_BLOCK_FREE, count);
    arena->block_count = end;
    return FTR_OK;
}

/* Returns whether the reserved address space has room for @p count further blocks. */
static bool has_numbers(const ftr_arena *arena, size_t count)
{
    const size_t wanted = arena->block_count + count;
    return wanted * FTR_BLOCK_SIZE <= arena->blocks.reserved && wanted <= FTR_JOURNAL_BLOCKS_MAX;
}

static bool is_in_memory(const ftr_arena *arena)
{
    return arena->journal != NULL && arena->journal->is_in_memory;
}

/* Adds blocks that the journal contains or, without a journal, blocks in anonymous memory. Returns
 * FTR_ERR_LIMIT if the address space has no more blocks, and FTR_ERR_IO if an earlier attempt to
 * extend the journal has failed. */
static ftr_status add_blocks(ftr_arena *arena, size_t count)
{
    if (!has_numbers(arena, count))
        return FTR_ERR_LIMIT;
    if (arena->journal != NULL && !arena->is_backed)
        return FTR_ERR_IO;
    return arena->journal != NULL ? add_covered(arena, count) : add_uncovered(arena, count);
}

/* Returns how many blocks are added at once if one is needed. */
static size_t step_of(const ftr_arena *arena)
{
    const size_t step = is_in_memory(arena) ? MEMORY_BLOCKS + arena->block_count / 4 : GROW_BLOCKS;
    return has_numbers(arena, step) ? step : 1;
}

/* Adds at least @p run adjacent blocks, and further ones if possible. If the journal cannot be
 * extended, adds blocks that the journal does not contain. */
static ftr_status grow(ftr_arena *arena, size_t run)
{
    const size_t step = step_of(arena);
    if (!has_numbers(arena, run))
        return FTR_ERR_LIMIT;
    ftr_status status = add_blocks(arena, run > step ? run : step);
    if (status != FTR_OK && run < step)
        status = add_blocks(arena, run);
    if (status == FTR_OK || arena->journal == NULL)
        return status;
    if (arena->is_backed)
        lose_cover(arena, status);
    return add_uncovered(arena, run);
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
    if (status == FTR_ERR_IO && blocks > MEMORY_BLOCKS) /* a small journal is better than none */
        status = add_blocks(arena, 1 + MEMORY_BLOCKS);
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

/* Returns the lowest number that begins @p run free blocks; 0: there is none. Low numbers are
 * preferred for two reasons: no more blocks are touched than are in use at the same time, and
 * blocks that are not in the journal have higher numbers than all others. */
static size_t find_run(const ftr_arena *arena, size_t run)
{
    size_t length = 0;
    for (size_t i = arena->search_from; i < arena->block_count; i++) {
        length = ftr_arena_use(arena, (uint32_t)i) != FTR_BLOCK_FREE ? 0 : length + 1;
        if (length == run)
            return i + 1 - run;
    }
    return 0;
}

/* Returns the number of free blocks in the journal. */
static size_t free_in_journal(const ftr_arena *arena)
{
    return arena->covered_count - 1 - (arena->taken_count - arena->uncovered_taken);
}

bool ftr_arena_has_cover(ftr_arena *arena, size_t spare)
{
    if (arena->journal == NULL || free_in_journal(arena) > spare)
        return true;
    if (!arena->is_backed)
        return false;
    if (!has_numbers(arena, 1))
        return true; /* the address space is the limit, not the journal */
    ftr_status status = add_blocks(arena, step_of(arena));
    if (status != FTR_OK)
        status = add_blocks(arena, 1);
    if (status != FTR_OK)
        lose_cover(arena, status);
    return status == FTR_OK;
}

bool ftr_arena_make_free(ftr_arena *arena, size_t blocks)
{
    const size_t wanted = blocks + SPARE_BLOCKS;
    const size_t free = arena->block_count - 1 - arena->taken_count;
    if (arena->journal != NULL && !arena->is_backed)
        return false;
    return free >= wanted || add_blocks(arena, wanted - free) == FTR_OK;
}

void ftr_arena_grow(ftr_arena *arena, size_t blocks)
{
    if (!is_in_memory(arena))
        (void)!add_blocks(arena, blocks);
}

/* Changes the use of [from, from + run), but not whether the journal contains these blocks. */
static void set_use(ftr_arena *arena, size_t from, size_t run, uint8_t kind)
{
    for (size_t i = from; i < from + run; i++)
        arena->kinds[i] = (uint8_t)((arena->kinds[i] & FTR_BLOCK_UNCOVERED) | kind);
}

/* Returns the number of blocks in [from, from + run) that are not in the journal although there is
 * one. */
static size_t uncovered_in(const ftr_arena *arena, size_t from, size_t run)
{
    size_t count = 0;
    for (size_t i = from; i < from + run; i++)
        count += (arena->kinds[i] & FTR_BLOCK_UNCOVERED) != 0;
    return count;
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
    set_use(arena, number, 1, FTR_BLOCK_TAKEN);
    arena->taken_count++;
    arena->uncovered_taken += uncovered_in(arena, number, 1);
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
        found = arena->block_count;
        if (grow(arena, run) != FTR_OK)
            return 0;
    }
    set_use(arena, found, run, FTR_BLOCK_TAKEN);
    arena->taken_count += run;
    arena->uncovered_taken += uncovered_in(arena, found, run);
    if (run == 1)
        arena->search_from = found + 1;
    touch(arena, found + run);
    return (uint32_t)found;
}

void ftr_arena_mark(ftr_arena *arena, uint32_t block, uint8_t kind)
{
    const uint8_t uncovered = arena->kinds[block] & FTR_BLOCK_UNCOVERED;
    __atomic_store_n(&arena->kinds[block], (uint8_t)(uncovered | kind), __ATOMIC_RELEASE);
}

void ftr_arena_give(ftr_arena *arena, uint32_t block, size_t run)
{
    arena->uncovered_taken -= uncovered_in(arena, block, run);
    set_use(arena, block, run, FTR_BLOCK_FREE);
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
    if (memory->place.size == 0)
        return;
    memory->status =
        ftr_journal_allocate(arena->journal, memory->place, !arena->journal->is_in_memory);
    memory->error = errno;
}

/* Called if the journal cannot be extended: maps the slots to a free block of the journal. If the
 * journal has no free block, it will not contain the slots. */
static void map_slots_to_block(ftr_arena *arena, size_t from, ftr_slot_memory *memory)
{
    if (free_in_journal(arena) == 0)
        return;
    const uint32_t block = ftr_arena_take(arena, 1);
    const ftr_journal_place place =
        ftr_journal_place_of_blocks(arena->journal, block * FTR_BLOCK_SIZE, FTR_BLOCK_SIZE);
    if (memory->count > FTR_BLOCK_SIZE / FTR_SLOT_SIZE)
        memory->count = FTR_BLOCK_SIZE / FTR_SLOT_SIZE;
    memset(ftr_arena_block(arena, block), 0, FTR_BLOCK_SIZE);
    if (place.size == 0 || ftr_journal_map(arena->journal, FTR_JOURNAL_SLOTS, &arena->slots,
                                           from * FTR_SLOT_SIZE, place) != FTR_OK)
        ftr_arena_give(arena, block, 1);
}

void ftr_arena_map_slots(ftr_arena *arena, size_t from, ftr_slot_memory *memory)
{
    if (arena->journal == NULL)
        return;
    ftr_status status = memory->status;
    errno = memory->error;
    if (arena->is_backed && status == FTR_OK)
        status = ftr_journal_map(arena->journal, FTR_JOURNAL_SLOTS, &arena->slots,
                                 from * FTR_SLOT_SIZE, memory->place);
    if (arena->is_backed && status != FTR_OK) {
        ftr_journal_cancel(arena->journal, memory->place);
        lose_cover(arena, status);
    }
    if (!arena->is_backed)
        map_slots_to_block(arena, from, memory);
}
