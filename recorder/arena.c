/* Hands out blocks and slots. Not thread safe: its owner holds a lock. Knows nothing of contents.
 */
#include "arena.h"

#include <stdlib.h>
#include <string.h>

#define BLOCKS_WANTED ((size_t)4 << 30)
#define BLOCKS_LEAST ((size_t)32 << 20)
/* Blocks are added this many at a time once the first ones are in use. */
#define GROW_BLOCKS 16

static ftr_status add_blocks(ftr_arena *arena, size_t count)
{
    size_t wanted = arena->block_count + count;
    if (wanted * FTR_BLOCK_SIZE > arena->blocks.reserved)
        return FTR_ERR_LIMIT;
    uint8_t *taken = realloc(arena->taken, wanted);
    if (!taken)
        return FTR_ERR_MEMORY;
    arena->taken = taken;
    ftr_status status = ftr_range_commit(&arena->blocks, wanted * FTR_BLOCK_SIZE);
    if (status != FTR_OK)
        return status;
    memset(taken + arena->block_count, 0, count);
    arena->block_count = wanted;
    return FTR_OK;
}

ftr_status ftr_arena_init(ftr_arena *arena, size_t blocks)
{
    *arena = (ftr_arena){0};
    size_t slots = FTR_SLOTS_MAX * FTR_SLOT_SIZE;
    ftr_status status = ftr_range_reserve(&arena->slots, slots, slots);
    if (status == FTR_OK)
        status = ftr_range_commit(&arena->slots, slots);
    if (status == FTR_OK)
        status = ftr_range_reserve(&arena->blocks, BLOCKS_WANTED, BLOCKS_LEAST);
    if (status == FTR_OK)
        status = add_blocks(arena, blocks + 1);
    if (status != FTR_OK) {
        ftr_arena_release(arena);
        return status;
    }
    arena->taken[0] = 1;
    arena->search_from = 1;
    return FTR_OK;
}

void ftr_arena_release(ftr_arena *arena)
{
    ftr_range_release(&arena->slots);
    ftr_range_release(&arena->blocks);
    free(arena->taken);
    *arena = (ftr_arena){0};
}

/* First free run in [from, to), or 0. */
static size_t find_run(const ftr_arena *arena, size_t from, size_t to, size_t run)
{
    size_t length = 0;
    for (size_t i = from; i < to; ++i) {
        length = arena->taken[i] ? 0 : length + 1;
        if (length == run)
            return i + 1 - run;
    }
    return 0;
}

uint32_t ftr_arena_take(ftr_arena *arena, size_t run)
{
    size_t found = find_run(arena, arena->search_from, arena->block_count, run);
    if (!found)
        found = find_run(arena, 1, arena->block_count, run);
    if (!found) {
        size_t end = arena->block_count;
        if (add_blocks(arena, run > GROW_BLOCKS ? run : GROW_BLOCKS) != FTR_OK &&
            add_blocks(arena, run) != FTR_OK)
            return 0;
        found = end;
    }
    memset(arena->taken + found, 1, run);
    arena->taken_count += run;
    arena->search_from = found + run < arena->block_count ? found + run : 1;
    return (uint32_t)found;
}

void ftr_arena_give(ftr_arena *arena, uint32_t block, size_t run)
{
    memset(arena->taken + block, 0, run);
    arena->taken_count -= run;
    arena->search_from = block;
}
