/* Owns the search for names by hash. Does not copy the names, and does not know the meaning of
 * their numbers. */
#include "name_table.h"

#include "hash.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY_MIN 64

/* Returns the slot of the name, or the free slot where the name would be inserted. */
static ftr_name_slot *slot_of(const ftr_name_table *table, const char *name, size_t size,
                              size_t part)
{
    const uint64_t hash = ftr_hash_text(FTR_HASH_SEED ^ part, name, size);
    size_t at = (size_t)(hash ^ hash >> 29) & (table->capacity - 1);
    for (;; at = (at + 1) & (table->capacity - 1)) {
        ftr_name_slot *slot = &table->slots[at];
        if (slot->name == NULL || (slot->size == size && slot->part == part &&
                                   (size == 0 || memcmp(slot->name, name, size) == 0)))
            return slot;
    }
}

size_t ftr_name_table_find(const ftr_name_table *table, const char *name, size_t size, size_t part)
{
    if (table->count == 0)
        return FTR_NAME_UNKNOWN;
    const ftr_name_slot *slot = slot_of(table, name, size, part);
    return slot->name != NULL ? slot->number : FTR_NAME_UNKNOWN;
}

static bool grow(ftr_name_table *table)
{
    const ftr_name_table old = *table;
    const size_t capacity = old.capacity > 0 ? old.capacity * 2 : CAPACITY_MIN;
    ftr_name_slot *slots = calloc(capacity, sizeof *slots);
    if (slots == NULL)
        return false;
    table->slots = slots;
    table->capacity = capacity;
    for (size_t i = 0; i < old.capacity; i++) {
        const ftr_name_slot *slot = &old.slots[i];
        if (slot->name != NULL)
            *slot_of(table, slot->name, slot->size, slot->part) = *slot;
    }
    free(old.slots);
    return true;
}

bool ftr_name_table_add(ftr_name_table *table, const char *name, size_t size, size_t part,
                        size_t number)
{
    if ((table->count + 1) * 4 > table->capacity * 3 && !grow(table))
        return false;
    *slot_of(table, name, size, part) = (ftr_name_slot){name, size, part, number};
    table->count++;
    return true;
}

void ftr_name_table_release(ftr_name_table *table)
{
    free(table->slots);
    *table = (ftr_name_table){0};
}
