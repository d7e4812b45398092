/* The memory of everything recorded and not yet written: runs of 64 KiB blocks and slots of open
 * transactions, all named by offset so that they mean the same to whoever maps them later. */
#ifndef FTR_ARENA_H
#define FTR_ARENA_H

#include <ftr/recorder.h>

#include "address_range.h"

#define FTR_BLOCK_SIZE ((size_t)64 << 10)
#define FTR_SLOT_SIZE ((size_t)256)

typedef struct ftr_arena {
    ftr_range
        slots; /* FTR_SLOTS_MAX, all memory: a handle that fits no slot may still be looked at */
    ftr_range blocks;
    uint8_t *taken;     /* a byte a block: in use or free */
    size_t block_count; /* blocks that are memory; block 0 is never given out */
    size_t taken_count;
    size_t search_from;
} ftr_arena;

/* @p blocks: how many to have from the start. */
FTR_MUST_USE ftr_status ftr_arena_init(ftr_arena *arena, size_t blocks);
void ftr_arena_release(ftr_arena *arena);

/* Takes @p run neighbouring blocks. Returns the number of the first, 0 when there is no memory.
 * Contents are whatever they were. */
uint32_t ftr_arena_take(ftr_arena *arena, size_t run);
void ftr_arena_give(ftr_arena *arena, uint32_t block, size_t run);

static inline void *ftr_arena_block(const ftr_arena *arena, uint32_t block)
{
    return arena->blocks.base + block * FTR_BLOCK_SIZE;
}

#endif
