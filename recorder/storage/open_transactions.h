/* Transactions between begin and end. Each transaction has a slot, which contains its items. */
#ifndef FTR_OPEN_TRANSACTIONS_H
#define FTR_OPEN_TRANSACTIONS_H

#include <stdatomic.h>

#include "arena.h"
#include "record.h"

/* Maximum bytes of items in the slot itself: a multiple of 32. The slot has at least 16 more bytes
 * behind the items, so that reads beyond the items are safe. */
#define FTR_SLOT_IN_PLACE 160

_Static_assert(sizeof(ftr_slot) == FTR_SLOT_SIZE, "slots tile their range");

enum {
    /* the spill consists of whole blocks, which are released when the transaction ends */
    FTR_SLOT_LARGE = 2,
    /* the transaction belongs to a buffer other than 0; the upper 16 bits of the flags contain the
     * number of triggers of this buffer when the transaction began */
    FTR_SLOT_BUFFERED = 4
};
#define FTR_SLOT_TRIGGERS_SHIFT 16

#define FTR_SPILL_UNIT ((size_t)1 << 10)
#define FTR_SPILL_CLASSES 2 /* 1 unit and 8 units; larger spills consist of whole blocks */

/* The slots of a recorder, protected by its lock. */
typedef struct ftr_open_transactions {
    ftr_arena *arena;
    uint32_t slot_tag;
    _Atomic uint32_t slot_count; /* number of initialised slots */
    uint32_t backed_count;       /* number of slots that are in the journal, if there is one */
    ftr_slot *first_free;        /* list of the slots that belong to no lane */
    uint32_t free_spills[FTR_SPILL_CLASSES];
} ftr_open_transactions;

void ftr_open_transactions_init(ftr_open_transactions *open, ftr_arena *arena, uint32_t slot_tag);

static inline ftr_slot *ftr_open_slot(const ftr_open_transactions *open, uint32_t index)
{
    return (ftr_slot *)open->arena->slots.base + index;
}

/* Takes up to @p wanted free slots from the list, and sets @p chain to them, linked by `next_free`.
 * If the list is empty, first initialises further slots.
 * @return FTR_OK: @p chain contains at least one slot; FTR_ERR_LIMIT: all FTR_SLOTS_MAX slots are
 *         initialised, and none is free */
FTR_MUST_USE ftr_status ftr_open_transactions_take(ftr_open_transactions *open, size_t wanted,
                                                   ftr_slot **chain);

/* Returns whether the next free slot will be in memory that was never used. */
bool ftr_open_transactions_need_memory(const ftr_open_transactions *open);

/* Reserves the memory of the next slots. The caller allocates this memory with
 * ftr_arena_allocate_slots(), and can release the lock during the allocation. */
ftr_slot_memory ftr_open_transactions_reserve(ftr_open_transactions *open);

/* Adds allocated memory, for at most FTR_SLOTS_MAX slots in total. Sets memory->count to the number
 * of added slots, and returns the first one. */
ftr_slot *ftr_open_transactions_add(ftr_open_transactions *open, ftr_slot_memory *memory);

/* If no slot is free, initialises further slots in the memory that ftr_open_transactions_add() has
 * added. */
void ftr_open_transactions_provide(ftr_open_transactions *open);

/* Returns a slot that is not in use to the list. */
void ftr_open_transactions_give(ftr_open_transactions *open, ftr_slot *slot);

/* Moves the items to a larger spill with space for @p needed bytes of items, old and new ones
 * together.
 * @return FTR_OK; FTR_ERR_LIMIT if a transaction must not have so many bytes; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_slot_grow(ftr_open_transactions *open, ftr_slot *slot, size_t needed);

/* Releases the spill of the slot if it consists of whole blocks. A smaller spill is kept for the
 * next transaction in the slot. */
void ftr_slot_shrink(ftr_open_transactions *open, ftr_slot *slot);

#endif
