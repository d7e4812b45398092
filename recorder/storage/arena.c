/* Allocates blocks and slots. Not thread-safe: the caller holds a lock. */
#include "arena.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Number of blocks that are added at once when all initial blocks are in use. */
#define GROW_BLOCKS 16
/* For a journal in a file system in memory, where an allocated block takes memory before it is
 * used: the minimum number of blocks that are added at once. */
#define MEMORY_BLOCKS FTR_ARENA_LEAST_BLOCKS
/* Number of blocks that ftr_arena_make_free() leaves to definitions, large transactions and slots.
 */
#define SPARE_BLOCKS 4

/* Blocks with lower numbers, except 0, can be partial. */
#define PARTIAL_END (1 + FTR_ARENA_PARTIAL_BLOCKS)

/* Returns whether only the first bytes of the block have disk space. The thread that records into
 * the block asks this without the lock. */
static bool is_partial(const ftr_arena *arena, uint32_t block)
{
    return block < PARTIAL_END && __atomic_load_n(&arena->is_partial[block], __ATOMIC_ACQUIRE);
}

/* Called when all bytes of a block have disk space. */
static void set_whole(ftr_arena *arena, uint32_t block)
{
    __atomic_store_n(&arena->is_partial[block], false, __ATOMIC_RELEASE);
}

/* Records that the journal could not be extended. The journal does not contain the blocks and slots
 * that are added from now on. */
static void lose_cover(ftr_arena *arena, ftr_status status)
{
    ftr_journal_mark_short(arena->journal, status);
    arena->is_backed = false;
}

/* Maps blocks to an allocated place in the journal. */
static ftr_status map_covered(ftr_arena *arena, size_t count, ftr_journal_place place)
{
    const size_t from = arena->block_count;
    const ftr_status status = ftr_journal_map(arena->journal, FTR_JOURNAL_BLOCKS, &arena->blocks,
                                              from * FTR_BLOCK_SIZE, place);
    if (status != FTR_OK)
        return status;
    arena->block_count = from + count;
    arena->blocks.committed = arena->block_count * FTR_BLOCK_SIZE;
    arena->covered_count = arena->block_count;
    return FTR_OK;
}

/* Adds blocks that the journal contains. */
static ftr_status add_covered(ftr_arena *arena, size_t count)
{
    const ftr_journal_place place = ftr_journal_reserve(arena->journal, count * FTR_BLOCK_SIZE);
    ftr_status status = ftr_journal_allocate(arena->journal, place, false);
    if (status == FTR_OK)
        status = map_covered(arena, count, place);
    if (status != FTR_OK)
        ftr_journal_cancel(arena->journal, place);
    return status;
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
    return wanted * FTR_BLOCK_SIZE <= arena->blocks.reserved && wanted <= arena->numbers_max;
}

static bool is_in_memory(const ftr_arena *arena)
{
    return arena->journal != NULL && ftr_journal_is_in_memory(arena->journal);
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

ftr_status ftr_arena_start_journal(const ftr_arena *arena, ftr_journal *journal, const char *trace,
                                   const ftr_recorder_options *options, size_t blocks)
{
    const bool is_allocated = blocks > 0;
    const size_t first = is_allocated ? FTR_ARENA_LEAST_BLOCKS : FTR_ARENA_FIRST_BLOCKS;
    const size_t slots = is_allocated ? FTR_ARENA_LEAST_SLOTS : FTR_ARENA_FIRST_SLOTS;
    const ftr_journal_memory memory = {
        .header = arena->header.base,
        .slots_size = slots * FTR_SLOT_SIZE,
        .blocks = &arena->blocks,
        .first_block = FTR_BLOCK_SIZE,
        .blocks_size = first * FTR_BLOCK_SIZE,
        .used = {FTR_ARENA_FIRST_DEFINITIONS, FTR_BLOCK_SIZE, FTR_ARENA_FIRST_RECORDS}};
    return ftr_journal_start(journal, trace, options, &memory,
                             blocks > first ? (blocks - first) * FTR_BLOCK_SIZE : 0, is_allocated);
}

ftr_status ftr_arena_init(ftr_arena *arena, size_t blocks, ftr_journal *journal)
{
    ftr_status status = FTR_OK;
    arena->journal = journal;
    arena->is_backed = journal != NULL;
    arena->is_complete = journal == NULL;
    arena->planned = blocks;
    arena->numbers_max = journal != NULL ? FTR_JOURNAL_BLOCKS_AT_START : FTR_JOURNAL_BLOCKS_MAX;
    arena->kinds = journal != NULL ? journal->header->blocks : calloc(FTR_JOURNAL_BLOCKS_MAX, 1);
    if (journal != NULL) {
        arena->first_count = ftr_journal_part_at(journal->header, 1)->size / FTR_BLOCK_SIZE;
        arena->block_count = 1 + arena->first_count;
        arena->blocks.committed = arena->block_count * FTR_BLOCK_SIZE;
        arena->covered_count = arena->block_count;
        arena->is_partial[1] = journal->allocated == 0;
        arena->is_partial[2] = journal->allocated == 0;
    } else {
        status = arena->kinds != NULL ? add_blocks(arena, 1 + blocks) : FTR_ERR_MEMORY;
    }
    if (status != FTR_OK) {
        ftr_arena_release(arena);
        return status;
    }
    arena->kinds[0] = FTR_BLOCK_TAKEN;
    arena->search_from = 1;
    arena->touched_count = 1;
    return FTR_OK;
}

/* Takes the first blocks that have no disk space. */
static void retire_first_blocks(ftr_arena *arena)
{
    for (uint32_t number = 1; number <= arena->first_count; number++) {
        const bool has_space = number < arena->touched_count && !is_partial(arena, number);
        if (ftr_arena_use(arena, number) == FTR_BLOCK_FREE && !has_space) {
            arena->kinds[number] = FTR_BLOCK_TAKEN;
            arena->taken_count++;
        }
    }
    if (arena->touched_count <= arena->first_count)
        arena->touched_count = 1 + arena->first_count;
}

void ftr_arena_complete(ftr_arena *arena)
{
    size_t added = 0;
    if (arena->is_complete)
        return;
    arena->is_complete = true;
    const size_t more =
        arena->planned > arena->first_count ? arena->planned - arena->first_count : 0;
    ftr_status status = ftr_journal_complete(arena->journal, more * FTR_BLOCK_SIZE, &added);
    arena->is_allocated = status == FTR_OK;
    if (arena->is_allocated) {
        arena->numbers_max = FTR_JOURNAL_BLOCKS_MAX;
        for (uint32_t block = 1; block < PARTIAL_END; block++)
            set_whole(arena, block);
    }
    if (added > 0) {
        const ftr_journal_place place = ftr_journal_reserve(arena->journal, added);
        status = map_covered(arena, added / FTR_BLOCK_SIZE, place);
        if (status != FTR_OK)
            ftr_journal_cancel(arena->journal, place);
    }
    ftr_journal_read_single_pages(arena->journal, &arena->blocks);
    if (status != FTR_OK)
        lose_cover(arena, status);
    if (!arena->is_allocated)
        retire_first_blocks(arena);
}

void ftr_arena_release(ftr_arena *arena)
{
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
    ftr_arena_complete(arena);
    if (free_in_journal(arena) > spare)
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
    ftr_arena_complete(arena);
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

/* Writes zeros to [from, end) of the blocks, which has not been used yet, so that Linux has the
 * pages in memory, and the bytes have disk space. Returns false if they have none. */
static bool fill(const ftr_arena *arena, size_t from, size_t end)
{
    const bool has_space = arena->journal == NULL || arena->is_allocated ||
                           from >= arena->covered_count * FTR_BLOCK_SIZE;
    if (arena->journal == NULL || (has_space && ftr_journal_is_in_memory(arena->journal)))
        return true;
    return ftr_journal_fill_blocks(arena->journal, from, end - from) || has_space;
}

static size_t partial_size(uint32_t block)
{
    return block == 1 ? FTR_ARENA_FIRST_DEFINITIONS : FTR_ARENA_FIRST_RECORDS;
}

/* Makes all bytes of a block usable. Returns false if there is no disk space. */
static bool make_block_whole(ftr_arena *arena, uint32_t block)
{
    const size_t at = block * FTR_BLOCK_SIZE;
    if (is_partial(arena, block) && fill(arena, at + partial_size(block), at + FTR_BLOCK_SIZE))
        set_whole(arena, block);
    return !is_partial(arena, block);
}

void ftr_arena_make_whole(ftr_arena *arena)
{
    const bool is_allocated = arena->journal != NULL && arena->journal->allocated > 0;
    if (is_allocated || !make_block_whole(arena, 1) || !make_block_whole(arena, 2))
        ftr_arena_complete(arena);
}

/* Fills the blocks [from, end) that have not been used yet, and counts all blocks below @p end as
 * used. Returns false if the journal is incomplete and has no disk space for the blocks. */
static bool touch(ftr_arena *arena, size_t from, size_t end)
{
    for (uint32_t number = 1; number <= FTR_ARENA_PARTIAL_BLOCKS; number++) {
        if (from <= number && number < end && !make_block_whole(arena, number))
            return false;
    }
    const size_t unused = arena->touched_count > PARTIAL_END ? arena->touched_count : PARTIAL_END;
    if (unused < end && !fill(arena, unused * FTR_BLOCK_SIZE, end * FTR_BLOCK_SIZE))
        return false;
    if (arena->touched_count < end)
        arena->touched_count = end;
    return true;
}

uint32_t ftr_arena_take_unused(ftr_arena *arena)
{
    const size_t number = arena->touched_count;
    if (number >= arena->block_count || is_partial(arena, (uint32_t)number))
        return 0;
    set_use(arena, number, 1, FTR_BLOCK_TAKEN);
    arena->taken_count++;
    arena->uncovered_taken += uncovered_in(arena, number, 1);
    arena->touched_count++;
    return (uint32_t)number;
}

bool ftr_arena_provide(const ftr_arena *arena, uint32_t block)
{
    const size_t at = block * FTR_BLOCK_SIZE;
    if (!fill(arena, at, at + FTR_BLOCK_SIZE))
        return false;
    ftr_range_touch(ftr_arena_block(arena, block), FTR_BLOCK_SIZE);
    return true;
}

void ftr_arena_give_unused(ftr_arena *arena, uint32_t block, bool is_provided)
{
    if (!is_provided)
        ftr_arena_complete(arena);
    /* otherwise, the block has no disk space, and stays taken */
    if (is_provided || arena->is_allocated)
        ftr_arena_give(arena, block, 1);
}

uint32_t ftr_arena_take_first(ftr_arena *arena, bool is_for_records)
{
    const uint32_t number = is_for_records ? 2 : 1;
    if (arena->is_complete || ftr_arena_use(arena, number) != FTR_BLOCK_FREE)
        return 0;
    set_use(arena, number, 1, FTR_BLOCK_TAKEN);
    arena->taken_count++;
    if (arena->touched_count <= number)
        arena->touched_count = number + 1;
    return number;
}

size_t ftr_arena_room(const ftr_arena *arena, uint32_t block, size_t run)
{
    return is_partial(arena, block) ? partial_size(block) : run * FTR_BLOCK_SIZE;
}

uint32_t ftr_arena_take(ftr_arena *arena, size_t run)
{
    size_t found = find_run(arena, run);
    if (!arena->is_complete && (!found || !touch(arena, found, found + run))) {
        ftr_arena_complete(arena);
        found = find_run(arena, run);
    }
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
    (void)touch(arena, found, found + run);
    return (uint32_t)found;
}

void ftr_arena_mark(ftr_arena *arena, uint32_t block, uint8_t kind)
{
    const uint8_t uncovered = arena->kinds[block] & FTR_BLOCK_UNCOVERED;
    __atomic_store_n(&arena->kinds[block], (uint8_t)(uncovered | kind), __ATOMIC_RELEASE);
}

void ftr_arena_give(ftr_arena *arena, uint32_t block, size_t run)
{
    if (is_partial(arena, block)) {
        ftr_arena_mark(arena, block, FTR_BLOCK_TAKEN); /* it is not used again */
        return;
    }
    arena->uncovered_taken -= uncovered_in(arena, block, run);
    set_use(arena, block, run, FTR_BLOCK_FREE);
    arena->taken_count -= run;
    if (block < arena->search_from)
        arena->search_from = block;
}

ftr_slot_memory ftr_arena_reserve_slots(ftr_arena *arena, size_t count)
{
    ftr_slot_memory memory = {.count = count};
    /* an incomplete journal has only a part of the table of parts */
    if (!arena->is_complete && arena->journal->header->part_count >= FTR_JOURNAL_FIRST_PARTS / 2)
        ftr_arena_complete(arena);
    if (arena->journal != NULL && arena->is_backed)
        memory.place = ftr_journal_reserve(arena->journal, count * FTR_SLOT_SIZE);
    return memory;
}

void ftr_arena_allocate_slots(const ftr_arena *arena, ftr_slot_memory *memory)
{
    if (memory->place.size == 0)
        return;
    memory->status = ftr_journal_allocate(arena->journal, memory->place, true);
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
