/* Allocates slots, and spills for large transactions. Not thread-safe: the caller holds the
 * recorder's lock. */
#include "open_transactions.h"

#include <string.h>

#define SLOTS_AT_ONCE 64
/* Slots are added to the journal in groups: as many slots as the journal already has, but at least
 * and at most these numbers. */
#define SLOTS_BACKED_LEAST 256
#define SLOTS_BACKED_MOST 4096
#define UNITS_OF_BLOCK (FTR_BLOCK_SIZE / FTR_SPILL_UNIT)
/* Maximum bytes of items of one transaction. */
#define ITEMS_MAX ((size_t)1 << 30)

static const uint32_t class_units[FTR_SPILL_CLASSES] = {1, 8};

void ftr_open_transactions_init(ftr_open_transactions *open, ftr_arena *arena, uint32_t slot_tag)
{
    *open = (ftr_open_transactions){.arena = arena, .slot_tag = slot_tag};
    if (arena->journal != NULL)
        open->backed_count =
            (uint32_t)(ftr_journal_part_at(arena->journal->header, 0)->size / FTR_SLOT_SIZE);
}

ftr_slot_memory ftr_open_transactions_reserve(ftr_open_transactions *open)
{
    uint32_t count = open->backed_count;
    count = count < SLOTS_BACKED_LEAST ? SLOTS_BACKED_LEAST : count;
    count = count > SLOTS_BACKED_MOST ? SLOTS_BACKED_MOST : count;
    return ftr_arena_reserve_slots(open->arena, count);
}

ftr_slot *ftr_open_transactions_add(ftr_open_transactions *open, ftr_slot_memory *memory)
{
    const uint32_t from = open->backed_count;
    /* Since this place was reserved, another thread may have reserved and added memory. */
    if (memory->count > FTR_SLOTS_MAX - from) {
        memory->count = FTR_SLOTS_MAX - from;
        memory->place.size = memory->place.size > 0 ? memory->count * FTR_SLOT_SIZE : 0;
    }
    if (memory->count > 0)
        ftr_arena_map_slots(open->arena, from, memory);
    open->backed_count = from + (uint32_t)memory->count;
    return ftr_open_slot(open, from);
}

static ftr_status add_slots(ftr_open_transactions *open)
{
    uint32_t count = atomic_load_explicit(&open->slot_count, memory_order_relaxed);
    if (count == FTR_SLOTS_MAX)
        return FTR_ERR_LIMIT;
    if (count == open->backed_count) {
        ftr_slot_memory memory = ftr_open_transactions_reserve(open);
        ftr_arena_allocate_slots(open->arena, &memory);
        (void)ftr_open_transactions_add(open, &memory);
    }
    for (uint32_t i = count + SLOTS_AT_ONCE; i-- > count;) {
        ftr_slot *slot = ftr_open_slot(open, i);
        slot->id = FTR_SLOT_FREE;
        slot->items = (uint8_t *)slot->in_place;
        slot->capacity = FTR_SLOT_IN_PLACE;
        slot->handle = i * (uint32_t)FTR_SLOT_SIZE | open->slot_tag;
        /* `place` gets the number of another slot, so that no handle is valid for this slot */
        slot->place = slot->handle ^ FTR_SLOT_SIZE;
        slot->next_free = open->first_free;
        open->first_free = slot;
    }
    atomic_store_explicit(&open->slot_count, count + SLOTS_AT_ONCE, memory_order_release);
    if (open->arena->journal != NULL)
        atomic_store_explicit(&open->arena->journal->header->slot_count, count + SLOTS_AT_ONCE,
                              memory_order_release);
    return FTR_OK;
}

ftr_status ftr_open_transactions_take(ftr_open_transactions *open, size_t wanted, ftr_slot **chain)
{
    if (open->first_free == NULL) {
        ftr_status status = add_slots(open);
        if (status != FTR_OK)
            return status;
    }
    ftr_slot *last = open->first_free;
    for (size_t count = 1; count < wanted && last->next_free != NULL; count++)
        last = last->next_free;
    *chain = open->first_free;
    open->first_free = last->next_free;
    last->next_free = NULL;
    return FTR_OK;
}

bool ftr_open_transactions_need_memory(const ftr_open_transactions *open)
{
    uint32_t count = atomic_load_explicit(&open->slot_count, memory_order_relaxed);
    return open->first_free == NULL && count == open->backed_count && count < FTR_SLOTS_MAX;
}

void ftr_open_transactions_provide(ftr_open_transactions *open)
{
    if (open->first_free == NULL && !ftr_open_transactions_need_memory(open))
        (void)!add_slots(open); /* if this fails, ftr_open_transactions_take() fails, too */
}

void ftr_open_transactions_give(ftr_open_transactions *open, ftr_slot *slot)
{
    slot->next_free = open->first_free;
    open->first_free = slot;
}

static uint8_t *spill_memory(const ftr_arena *arena, uint32_t unit)
{
    return arena->blocks.base + unit * FTR_SPILL_UNIT;
}

/* Puts a spill into the list of free spills of its class. The first word of a free spill contains
 * the number of the next one. */
static void give_piece(ftr_open_transactions *open, unsigned class_, uint32_t unit)
{
    memcpy(spill_memory(open->arena, unit), &open->free_spills[class_], sizeof unit);
    open->free_spills[class_] = unit;
}

static uint32_t take_piece(ftr_open_transactions *open, unsigned class_)
{
    if (!open->free_spills[class_]) {
        uint32_t block = ftr_arena_take(open->arena, 1);
        if (!block)
            return 0;
        uint32_t first = (uint32_t)(block * UNITS_OF_BLOCK);
        for (uint32_t at = 0; at < UNITS_OF_BLOCK; at += class_units[class_])
            give_piece(open, class_, first + at);
    }
    uint32_t unit = open->free_spills[class_];
    memcpy(&open->free_spills[class_], spill_memory(open->arena, unit), sizeof unit);
    return unit;
}

static void give_spill(ftr_open_transactions *open, uint32_t unit, size_t capacity)
{
    for (unsigned i = 0; i < FTR_SPILL_CLASSES; i++) {
        if (capacity == class_units[i] * FTR_SPILL_UNIT) {
            give_piece(open, i, unit);
            return;
        }
    }
    ftr_arena_give(open->arena, (uint32_t)(unit / UNITS_OF_BLOCK), capacity / FTR_BLOCK_SIZE);
}

/* Allocates a spill of at least @p needed bytes. Returns its position in the blocks, in units of
 * FTR_SPILL_UNIT; 0 without memory. */
static uint32_t take_spill(ftr_open_transactions *open, size_t needed, size_t *capacity)
{
    for (unsigned i = 0; i < FTR_SPILL_CLASSES; i++) {
        if (needed <= class_units[i] * FTR_SPILL_UNIT) {
            *capacity = class_units[i] * FTR_SPILL_UNIT;
            return take_piece(open, i);
        }
    }
    size_t run = (needed + needed / 2 + FTR_BLOCK_SIZE - 1) / FTR_BLOCK_SIZE;
    *capacity = run * FTR_BLOCK_SIZE;
    return (uint32_t)(ftr_arena_take(open->arena, run) * UNITS_OF_BLOCK);
}

ftr_status ftr_slot_grow(ftr_open_transactions *open, ftr_slot *slot, size_t needed)
{
    if (needed > ITEMS_MAX)
        return FTR_ERR_LIMIT;
    size_t capacity;
    uint32_t unit = take_spill(open, needed, &capacity);
    if (!unit)
        return FTR_ERR_MEMORY;
    uint8_t *items = spill_memory(open->arena, unit);
    memcpy(items, slot->items, slot->fill);
    uint32_t old = slot->spill;
    size_t old_capacity = slot->capacity;
    slot->items = items;
    slot->capacity = (uint32_t)capacity;
    if (capacity >= FTR_BLOCK_SIZE)
        slot->flags |= FTR_SLOT_LARGE;
    atomic_signal_fence(memory_order_seq_cst);
    slot->spill = unit;
    if (old)
        give_spill(open, old, old_capacity);
    return FTR_OK;
}

void ftr_slot_shrink(ftr_open_transactions *open, ftr_slot *slot)
{
    if (!(slot->flags & FTR_SLOT_LARGE))
        return;
    uint32_t unit = slot->spill;
    slot->spill = 0;
    slot->items = (uint8_t *)slot->in_place;
    give_spill(open, unit, slot->capacity);
    slot->capacity = FTR_SLOT_IN_PLACE;
}
