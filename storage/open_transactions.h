/* Transactions between begin and end. Each has a slot with the items recorded so far. */
#ifndef FTR_OPEN_TRANSACTIONS_H
#define FTR_OPEN_TRANSACTIONS_H

#include <stdatomic.h>

#include "arena.h"
#include "record.h"

/* Bytes of items in the slot itself: a multiple of 32, such that a read of 16 more bytes stays
 * inside the slot. */
#define FTR_SLOT_IN_PLACE 160

_Static_assert(sizeof(ftr_slot) == FTR_SLOT_SIZE, "slots tile their range");

enum {
    FTR_SLOT_WINDOWED = 1, /* its end decides whether it is recorded */
    /* its spill consists of whole blocks, which are released when the transaction ends */
    FTR_SLOT_LARGE = 2,
    FTR_SLOT_BUFFERED =
        4 /* of a buffer other than 0; the upper bits contain the number of the buffer's triggers */
};
#define FTR_SLOT_TRIGGERS_SHIFT 16

#define FTR_SPILL_UNIT ((size_t)1 << 10)
#define FTR_SPILL_CLASSES 2 /* sizes of 1 and 8 units; larger spills consist of whole blocks */

/* The slots of a recorder, protected by its lock. */
typedef struct ftr_open_transactions {
    ftr_arena *arena;
    uint32_t slot_tag;
    _Atomic uint32_t slot_count; /* number of usable slots */
    ftr_slot *first_free;        /* slots that belong to no lane */
    uint32_t free_spills[FTR_SPILL_CLASSES];
} ftr_open_transactions;

void ftr_open_transactions_init(ftr_open_transactions *open, ftr_arena *arena, uint32_t slot_tag);

static inline ftr_slot *ftr_open_slot(const ftr_open_transactions *open, uint32_t index)
{
    return (ftr_slot *)open->arena->slots.base + index;
}

/* Allocates up to @p wanted free slots as a chain; at least one on FTR_OK. */
FTR_MUST_USE ftr_status ftr_open_transactions_take(ftr_open_transactions *open, size_t wanted,
                                                   ftr_slot **chain);

/* Releases a free slot. */
void ftr_open_transactions_give(ftr_open_transactions *open, ftr_slot *slot);

/* Provides space for @p needed bytes of items in total. The items move. */
FTR_MUST_USE ftr_status ftr_slot_grow(ftr_open_transactions *open, ftr_slot *slot, size_t needed);

/* Releases a spill that consists of whole blocks. A small spill stays with the slot for its next
 * transaction. */
void ftr_slot_shrink(ftr_open_transactions *open, ftr_slot *slot);

#endif
