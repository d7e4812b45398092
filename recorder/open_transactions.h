/* Transactions between begin and end: a slot each, with the items put so far. */
#ifndef FTR_OPEN_TRANSACTIONS_H
#define FTR_OPEN_TRANSACTIONS_H

#include <stdatomic.h>

#include "arena.h"
#include "record.h"

#define FTR_SLOT_INLINE_SIZE (FTR_SLOT_SIZE - 64)

typedef struct ftr_slot {
    _Atomic uint64_t id; /* 0: free; stored last at begin, first at end */
    uint64_t begin;      /* ticks */
    /* Bytes of items | their number << 32, in one word stored last, so that whoever finds the slot
     * after a crash sees whole items only. */
    _Atomic uint64_t fill;
    uint8_t *items; /* in place or in a spill; means nothing to another process */
    uint32_t generator;
    uint32_t capacity; /* bytes at items */
    uint32_t first_attribute;
    uint32_t attribute_count;
    uint32_t spill; /* where the spill is, in units of FTR_SPILL_UNIT; 0: in place */
    uint32_t flags; /* FTR_SLOT_... */
    uint32_t next_free;
    uint32_t pad;
    uint8_t in_place[FTR_SLOT_INLINE_SIZE];
} ftr_slot;

_Static_assert(sizeof(ftr_slot) == FTR_SLOT_SIZE, "slots tile their range");

enum { FTR_SLOT_WINDOWED = 1 /* whether it is recorded is known when it ends */ };

#define FTR_SPILL_UNIT ((size_t)1 << 10)
#define FTR_SPILL_CLASSES 2 /* of 1 and 8 units; larger ones are whole blocks */
#define FTR_NO_SLOT UINT32_MAX

/* The slots of a recorder; protected by its lock. */
typedef struct ftr_open_transactions {
    ftr_arena *arena;
    _Atomic uint32_t slot_count; /* slots that are memory */
    uint32_t first_free;         /* slots no lane holds, FTR_NO_SLOT: none */
    uint32_t free_spills[FTR_SPILL_CLASSES];
} ftr_open_transactions;

void ftr_open_transactions_init(ftr_open_transactions *open, ftr_arena *arena);

static inline ftr_slot *ftr_slot_at(const uint8_t *slots, uint32_t index)
{
    return (ftr_slot *)(slots + index * FTR_SLOT_SIZE);
}

/* Takes up to @p wanted free slots as a chain. @p taken tells how many, at least one on FTR_OK. */
FTR_MUST_USE ftr_status ftr_open_transactions_take(ftr_open_transactions *open, uint32_t wanted,
                                                   uint32_t *first, uint32_t *taken);

/* Gives a free slot back. */
void ftr_open_transactions_give(ftr_open_transactions *open, uint32_t index);

/* Makes room for @p needed bytes of items in all. The items move. */
FTR_MUST_USE ftr_status ftr_slot_grow(ftr_open_transactions *open, ftr_slot *slot, size_t needed);

/* Gives a spill of whole blocks back; a small one stays with the slot for its next transaction. */
void ftr_slot_shrink(ftr_open_transactions *open, ftr_slot *slot);

#endif
