/* The memory of everything recorded and not yet written: runs of 64 KiB blocks and slots of open
 * transactions, all named by offset so that they mean the same to whoever maps them later. */
#ifndef FTR_ARENA_H
#define FTR_ARENA_H

#include <ftr/recorder.h>

#include "address_range.h"
#include "journal.h"

#define FTR_BLOCK_SIZE ((size_t)64 << 10)
#define FTR_SLOT_SIZE ((size_t)256)

/* Of a limited address space, blocks take this part at most, unless the fewest need more. */
#define FTR_BLOCKS_SHARE 32

/* The fewest blocks there is address space for: @p blocks, and some for definitions and large
 * transactions. */
#define FTR_ARENA_LEAST(blocks) ((blocks) + (blocks) / 4 + 64)

/* What a block is. */
enum {
    FTR_BLOCK_FREE = 0,
    FTR_BLOCK_TRANSACTIONS = 1,
    FTR_BLOCK_DEFINITIONS = 2,
    FTR_BLOCK_TAKEN = 3 /* anything else that is not free */
};

typedef struct ftr_arena {
    ftr_range
        slots; /* FTR_SLOTS_MAX, all memory: a handle that fits no slot may still be looked at */
    ftr_range blocks;
    ftr_journal *journal; /* the file they lie in; NULL: none */
    uint8_t *kinds;       /* FTR_BLOCK_... of each block; in the journal, if there is one */
    bool is_backed;       /* all memory so far lies in the journal */
    size_t block_count;   /* blocks that are memory; block 0 is never given out */
    size_t taken_count;
    size_t search_from;
} ftr_arena;

/* @p blocks: how many to have from the start. @p share: of a limited address space, as in
 * ftr_range_reserve(). @p journal: started, or NULL. FTR_ERR_IO: the journal
 * has no room for them. */
FTR_MUST_USE ftr_status ftr_arena_init(ftr_arena *arena, size_t blocks, size_t share,
                                       ftr_journal *journal);
void ftr_arena_release(ftr_arena *arena);

/* Has @p blocks more from now on, if there is room for them. */
void ftr_arena_grow(ftr_arena *arena, size_t blocks);

/* Takes @p run neighbouring blocks. Returns the number of the first, 0 when there is no memory.
 * Contents are whatever they were, and to recovery the blocks are none until they are marked. */
uint32_t ftr_arena_take(ftr_arena *arena, size_t run);
void ftr_arena_mark(ftr_arena *arena, uint32_t block, uint8_t kind);
void ftr_arena_give(ftr_arena *arena, uint32_t block, size_t run);

/* Puts slots [from, from + count) into the journal, if there is one. */
void ftr_arena_back_slots(ftr_arena *arena, size_t from, size_t count);

static inline void *ftr_arena_block(const ftr_arena *arena, uint32_t block)
{
    return arena->blocks.base + block * FTR_BLOCK_SIZE;
}

static inline uint32_t ftr_arena_number(const ftr_arena *arena, const void *block)
{
    return (uint32_t)((size_t)((const uint8_t *)block - arena->blocks.base) / FTR_BLOCK_SIZE);
}

#endif
