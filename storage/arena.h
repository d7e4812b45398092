/* The memory of all recorded data that is not written yet: runs of 64 KiB blocks, and slots of open
 * transactions. References are offsets, so that they stay valid for a process that maps the memory
 * later. */
#ifndef FTR_ARENA_H
#define FTR_ARENA_H

#include <ftr/recorder.h>

#include "address_range.h"
#include "journal.h"

#define FTR_BLOCK_SIZE ((size_t)64 << 10)
#define FTR_SLOT_SIZE ((size_t)256)

/* Where address space is limited, blocks reserve at most 1/32 of the rest, unless the minimum is
 * larger. */
#define FTR_BLOCKS_SHARE 32

/* The minimum number of blocks in the reserved address space: @p blocks, and some for definitions
 * and large transactions. */
#define FTR_ARENA_LEAST(blocks) ((blocks) + (blocks) / 4 + 64)

/* The state or contents of a block. */
enum {
    FTR_BLOCK_FREE = 0,
    FTR_BLOCK_TRANSACTIONS = 1,
    FTR_BLOCK_DEFINITIONS = 2,
    FTR_BLOCK_TAKEN = 3 /* in use for something else */
};

typedef struct ftr_arena {
    /* FTR_SLOTS_MAX slots, all usable memory, because even an invalid handle may be dereferenced */
    ftr_range slots;
    ftr_range blocks;
    ftr_journal *journal; /* the file that contains the slots and blocks; NULL: none */
    uint8_t *kinds;       /* FTR_BLOCK_... of each block; in the journal if there is one */
    bool is_backed;       /* all usable memory so far is in the journal */
    size_t block_count;   /* number of usable blocks; block 0 is never allocated */
    size_t taken_count;
    size_t touched_count; /* blocks before this number have been used */
    size_t search_from;   /* blocks before this number are not free */
} ftr_arena;

/* @p blocks is the initial number of blocks, except in memory: then blocks are added when they are
 * needed. @p share: see ftr_range_reserve(). @p journal is
 * started, or NULL. FTR_ERR_IO: the journal has no space for the blocks. */
FTR_MUST_USE ftr_status ftr_arena_init(ftr_arena *arena, size_t blocks, size_t share,
                                       ftr_journal *journal);
void ftr_arena_release(ftr_arena *arena);

/* Adds @p blocks blocks, if there is space for them. */
void ftr_arena_grow(ftr_arena *arena, size_t blocks);

/* Allocates @p run adjacent blocks. Returns the number of the first, or 0 without memory. The
 * contents are undefined, and recovery ignores the blocks until they are marked. */
uint32_t ftr_arena_take(ftr_arena *arena, size_t run);
void ftr_arena_mark(ftr_arena *arena, uint32_t block, uint8_t kind);
void ftr_arena_give(ftr_arena *arena, uint32_t block, size_t run);

/* Moves slots [from, from + count) into the journal, if there is one. */
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
