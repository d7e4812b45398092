/* The memory of all recorded data that is not written yet: blocks of 64 KiB, and slots of open
 * transactions. Adjacent blocks that are allocated together are a run. References to blocks and
 * slots are offsets, so that they are also valid in a process that maps the memory later. */
#ifndef FTR_ARENA_H
#define FTR_ARENA_H

#include <ftr/recorder.h>

#include "address_range.h"
#include "journal.h"

#define FTR_BLOCK_SIZE ((size_t)64 << 10)
#define FTR_SLOT_SIZE ((size_t)256)

/* If address space is limited, blocks reserve at most 1/32 of the free address space, or
 * FTR_ARENA_LEAST if that is larger. */
#define FTR_BLOCKS_SHARE 32

/* The minimum number of blocks for which address space is reserved: @p blocks blocks for records,
 * and some more for definitions and large transactions. */
#define FTR_ARENA_LEAST(blocks) ((blocks) + (blocks) / 4 + 64)
/* The numbers of blocks and slots of an incomplete journal. Blocks get disk space when they are
 * first used. Blocks 1 and 2 are partial at first: only their first bytes have disk space, enough
 * for the definitions and records of a short run, and for what calls copy behind a record. */
#define FTR_ARENA_FIRST_BLOCKS ((size_t)16)
#define FTR_ARENA_FIRST_SLOTS ((size_t)64)
#define FTR_ARENA_PARTIAL_BLOCKS 2
#define FTR_ARENA_FIRST_DEFINITIONS ((size_t)8 << 10)
#define FTR_ARENA_FIRST_RECORDS ((size_t)20 << 10)
/* The numbers of blocks and slots that other journals have at least. The blocks are one for
 * definitions, two for the lanes of two threads, and one that the drain reads. */
#define FTR_ARENA_LEAST_BLOCKS ((size_t)4)
#define FTR_ARENA_LEAST_SLOTS ((size_t)256)

/* The use of a block. */
enum {
    FTR_BLOCK_FREE = 0,
    FTR_BLOCK_TRANSACTIONS = 1,
    FTR_BLOCK_DEFINITIONS = 2,
    FTR_BLOCK_TAKEN = 3 /* allocated; ignored by recovery */
};

/* A bit in the use of a block: the block is not in the journal, because the journal could not be
 * extended, so recovery does not find its content. */
#define FTR_BLOCK_UNCOVERED 0x80

typedef struct ftr_arena {
    ftr_range header; /* for the header of the journal; the slots follow */
    ftr_range slots;  /* FTR_SLOTS_MAX slots; the blocks follow */
    ftr_range blocks;
    ftr_journal *journal; /* the file that contains the slots and blocks; borrowed; NULL: none */
    /* index: block number; FTR_BLOCK_...; in the journal if there is one, otherwise owned */
    uint8_t *kinds;
    bool is_backed;    /* all slots and blocks so far are in the journal */
    bool is_complete;  /* ftr_arena_complete() was called, or there is no journal */
    bool is_allocated; /* ftr_arena_complete() has succeeded */
    bool is_partial[1 + FTR_ARENA_PARTIAL_BLOCKS]; /* index: block number */
    size_t first_count; /* the number of blocks that the journal had from its start */
    size_t planned;     /* number of blocks for ftr_arena_complete() */
    size_t block_count; /* number of usable blocks, including block 0, which is never allocated */
    size_t taken_count;
    size_t uncovered_taken; /* number of taken blocks that are not in the journal */
    size_t covered_count;   /* blocks with lower numbers are in the journal, if there is one */
    size_t touched_count;   /* blocks with lower numbers have been used */
    size_t numbers_max;     /* blocks get lower numbers than this one */
    size_t search_from;     /* blocks with lower numbers are not free */
} ftr_arena;

/* Starts the journal of an arena, whose ranges are reserved: makes @p journal, a locked file
 * without content, the file that contains the first slots and blocks.
 * @param blocks the number of blocks of the complete journal; 0: the journal is completed later
 * than ftr_arena_init()
 * @return FTR_OK; FTR_ERR_IO with errno set */
FTR_MUST_USE ftr_status ftr_arena_start_journal(const ftr_arena *arena, ftr_journal *journal,
                                                const char *trace,
                                                const ftr_recorder_options *options, size_t blocks);

/* Creates an arena in its reserved ranges. With a journal, the arena has the first blocks of the
 * journal. ftr_arena_complete() adds the others; it is called at the latest when a further block is
 * needed.
 * @param blocks the initial number of blocks
 * @param journal the journal of ftr_arena_start_journal(); NULL: no journal
 * @return FTR_OK; FTR_ERR_MEMORY; FTR_ERR_LIMIT if the address space has too few blocks. On error,
 *         the arena is released */
FTR_MUST_USE ftr_status ftr_arena_init(ftr_arena *arena, size_t blocks, ftr_journal *journal);
/* Adds blocks to the journal until the arena has @p blocks blocks, or as many as possible; in a
 * file system in memory, only a few. Has no effect without a journal. */
void ftr_arena_complete(ftr_arena *arena);
/* Releases everything except the ranges. */
void ftr_arena_release(ftr_arena *arena);

/* Returns whether the journal has more than @p spare free blocks, or can be extended. The @p spare
 * blocks are needed for other data than records. Returns true if there is no journal. */
bool ftr_arena_has_cover(ftr_arena *arena, size_t spare);

/* Makes sure that more than @p blocks blocks are free, in the journal if there is one. Returns
 * false if this is not possible; the arena is then unchanged. */
FTR_MUST_USE bool ftr_arena_make_free(ftr_arena *arena, size_t blocks);

/* Adds @p blocks free blocks if possible, except if the journal is in a file system in memory. */
void ftr_arena_grow(ftr_arena *arena, size_t blocks);

/* Memory for further slots. If there is a journal, and it contains all earlier memory, the new
 * memory is added to the journal in three steps. */
typedef struct ftr_slot_memory {
    size_t count; /* number of slots */
    /* place in the journal; size 0: the journal does not contain the slots */
    ftr_journal_place place;
    /* result of the second step; FTR_ERR_IO and errno `error`: no disk space */
    ftr_status status;
    int error;
} ftr_slot_memory;

/* First step: reserves a place in the journal for the slots. */
ftr_slot_memory ftr_arena_reserve_slots(ftr_arena *arena, size_t count);

/* Second step: allocates disk space. The caller need not hold the lock. The third step handles a
 * failure. */
void ftr_arena_allocate_slots(const ftr_arena *arena, ftr_slot_memory *memory);

/* Third step: maps the slots from number @p from on. Sets memory->count to the number of mapped
 * slots, which can be lower than before if the journal cannot be extended. */
void ftr_arena_map_slots(ftr_arena *arena, size_t from, ftr_slot_memory *memory);

/* Called when the run is not short: makes all bytes of the partial blocks usable, or completes a
 * journal that was allocated at its start. If the disk has no space, blocks stay partial, and the
 * journal is not extended any more. */
void ftr_arena_make_whole(ftr_arena *arena);

/* Allocates block 1 of an incomplete journal for definitions, or block 2 for records. Returns the
 * number of the block; 0 if it is taken, or if there is no incomplete journal. */
uint32_t ftr_arena_take_first(ftr_arena *arena, bool is_for_records);

/* Returns how many bytes of the run of @p run blocks from number @p block on can be used. */
size_t ftr_arena_room(const ftr_arena *arena, uint32_t block, size_t run);

/* Allocates @p run adjacent blocks. Returns the number of the first block; 0
 * if there is no memory or no reserved address space left. The contents are undefined. Recovery
 * ignores the blocks until ftr_arena_mark() is called. */
uint32_t ftr_arena_take(ftr_arena *arena, size_t run);
/* Sets the use of a block to @p kind, FTR_BLOCK_... */
void ftr_arena_mark(ftr_arena *arena, uint32_t block, uint8_t kind);
/* Frees @p run blocks from number @p block on. */
void ftr_arena_give(ftr_arena *arena, uint32_t block, size_t run);

/* Allocates a block that has never been used, without providing its memory. Returns 0 if there is
 * no such block. */
uint32_t ftr_arena_take_unused(ftr_arena *arena);

/* Provides the memory of a block of ftr_arena_take_unused(), so that accesses to the block cause no
 * page faults. The caller need not hold the lock. Returns false if there is no disk space. */
FTR_MUST_USE bool ftr_arena_provide(const ftr_arena *arena, uint32_t block);

/* Frees the block after ftr_arena_provide(), which has returned @p is_provided. */
void ftr_arena_give_unused(ftr_arena *arena, uint32_t block, bool is_provided);

/* Returns the number of free blocks that have memory. */
static inline size_t ftr_arena_ready(const ftr_arena *arena)
{
    return arena->touched_count - 1 - arena->taken_count;
}

/* Returns the largest budget of blocks for which the address space has room. */
static inline size_t ftr_arena_budget_room(const ftr_arena *arena)
{
    const size_t blocks = arena->blocks.reserved / FTR_BLOCK_SIZE;
    return blocks > FTR_ARENA_LEAST(0) ? (blocks - FTR_ARENA_LEAST(0)) / 5 * 4 : 0;
}

/* Returns the use of a block, whether it is in the journal or not. */
static inline uint8_t ftr_arena_use(const ftr_arena *arena, uint32_t block)
{
    return arena->kinds[block] & (uint8_t)~FTR_BLOCK_UNCOVERED;
}

/* Returns whether the journal, if there is one, contains all blocks and slots. */
static inline bool ftr_arena_is_covered(const ftr_arena *arena)
{
    return arena->journal == NULL || arena->is_backed;
}

static inline void *ftr_arena_block(const ftr_arena *arena, uint32_t block)
{
    return arena->blocks.base + block * FTR_BLOCK_SIZE;
}

static inline uint32_t ftr_arena_number(const ftr_arena *arena, const void *block)
{
    return (uint32_t)((size_t)((const uint8_t *)block - arena->blocks.base) / FTR_BLOCK_SIZE);
}

#endif
