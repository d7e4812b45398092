/* Transactions between begin and end: a slot each, with the items put so far. */
#ifndef FTR_OPEN_TRANSACTIONS_H
#define FTR_OPEN_TRANSACTIONS_H

#include <stdatomic.h>

#include "arena.h"
#include "record.h"

/* Bytes of items in the slot itself: a multiple of 32, and reading 16 more stays inside the slot.
 */
#define FTR_SLOT_IN_PLACE 160

_Static_assert(sizeof(ftr_slot) == FTR_SLOT_SIZE, "slots tile their range");

enum {
    FTR_SLOT_WINDOWED = 1, /* whether it is recorded is known when it ends */
    FTR_SLOT_LARGE = 2,    /* its spill is of whole blocks, to be given back when it ends */
    FTR_SLOT_BUFFERED =
        4 /* of a buffer other than 0; the upper bits are the number of its triggers */
};
#define FTR_SLOT_TRIGGERS_SHIFT 16

#define FTR_SPILL_UNIT ((size_t)1 << 10)
#define FTR_SPILL_CLASSES 2 /* of 1 and 8 units; larger ones are whole blocks */

/* The slots of a recorder; protected by its lock. */
typedef struct ftr_open_transactions {
    ftr_arena *arena;
    uint32_t slot_tag;
    _Atomic uint32_t slot_count; /* slots that are memory */
    ftr_slot *first_free;        /* slots no lane holds */
    uint32_t free_spills[FTR_SPILL_CLASSES];
} ftr_open_transactions;

void ftr_open_transactions_init(ftr_open_transactions *open, ftr_arena *arena, uint32_t slot_tag);

static inline ftr_slot *ftr_open_slot(const ftr_open_transactions *open, uint32_t index)
{
    return (ftr_slot *)open->arena->slots.base + index;
}

/* Takes free slots as a chain: up to @p wanted, at least one on FTR_OK. */
FTR_MUST_USE ftr_status ftr_open_transactions_take(ftr_open_transactions *open, size_t wanted,
                                                   ftr_slot **chain);

/* Gives a free slot back. */
void ftr_open_transactions_give(ftr_open_transactions *open, ftr_slot *slot);

/* Makes room for @p needed bytes of items in all. The items move. */
FTR_MUST_USE ftr_status ftr_slot_grow(ftr_open_transactions *open, ftr_slot *slot, size_t needed);

/* Gives a spill of whole blocks back; a small one stays with the slot for its next transaction. */
void ftr_slot_shrink(ftr_open_transactions *open, ftr_slot *slot);

#endif
