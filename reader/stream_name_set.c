/* Compares stream names. */
#include "stream_name_set.h"

#include "hash.h"
#include "open_table.h"
#include "stream_name_rules.h"

#include <stdlib.h>
#include <string.h>

ftr_status ftr_name_set_init(ftr_name_set *set, ftr_budget *budget, uint64_t count)
{
    *set = (ftr_name_set){.slots = NULL};
    size_t capacity = 16;
    while (capacity < 2 * count)
        capacity *= 2;
    if (!ftr_budget_reserve(budget, capacity * sizeof *set->slots))
        return FTR_ERR_LIMIT;
    set->slots = calloc(capacity, sizeof *set->slots);
    if (set->slots == NULL) {
        ftr_budget_release(budget, capacity * sizeof *set->slots);
        return FTR_ERR_MEMORY;
    }
    set->capacity = capacity;
    return FTR_OK;
}

void ftr_name_set_release(ftr_name_set *set, ftr_budget *budget)
{
    ftr_budget_release(budget, set->capacity * sizeof *set->slots);
    free(set->slots);
}

static bool is_free(const void *slot)
{
    return ((const ftr_view *)slot)->data == NULL;
}

static bool is_same(const void *slot, const void *name)
{
    const ftr_view *a = slot;
    const ftr_view *b = name;
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

static uint64_t hash_of(const void *slot)
{
    const ftr_view *name = slot;
    return ftr_hash_text(FTR_HASH_SEED, name->data, name->size);
}

static const ftr_table_rule RULE = {sizeof(ftr_view), 0, is_free, is_same, hash_of};

/* Returns the entry of a name with this hash in the hash table, or the free entry for it. */
static ftr_view *slot_of(const ftr_name_set *set, uint64_t hash, ftr_view name)
{
    return ftr_table_search(&RULE, set->slots, set->capacity, hash >> 16, &name);
}

bool ftr_name_set_add(ftr_name_set *set, ftr_view name)
{
    ftr_view *slot = slot_of(set, hash_of(&name), name);
    if (slot->data != NULL)
        return false;
    *slot = name;
    return true;
}

bool ftr_name_set_has(const ftr_name_set *set, ftr_view name)
{
    return slot_of(set, hash_of(&name), name)->data != NULL;
}

uint64_t ftr_name_set_dots(ftr_view name)
{
    uint64_t dots = 0;
    for (size_t i = 1; i < name.size; i++)
        dots += name.data[i] == '.';
    return dots;
}

void ftr_name_set_add_prefixes(ftr_name_set *set, ftr_view name)
{
    uint64_t hash = FTR_HASH_SEED; /* each prefix continues the hash of the shorter one, so each
                                      byte is hashed once */
    for (size_t i = 0; i < name.size; hash = ftr_hash_byte(hash, (uint8_t)name.data[i++]))
        if (i > 0 && name.data[i] == '.')
            *slot_of(set, hash, (ftr_view){name.data, i}) = (ftr_view){name.data, i};
}

bool ftr_name_set_has_prefix(const ftr_name_set *set, ftr_view name)
{
    uint64_t hash = FTR_HASH_SEED;
    for (size_t i = 0; i < name.size; hash = ftr_hash_byte(hash, (uint8_t)name.data[i++]))
        if (i > 0 && name.data[i] == '.' &&
            slot_of(set, hash, (ftr_view){name.data, i})->data != NULL)
            return true;
    return false;
}

bool ftr_name_set_clashes(const ftr_name_set *set, ftr_view name)
{
    return ftr_name_set_has(set, name) || ftr_name_set_has_prefix(set, name) ||
           ftr_stream_name_has_empty_part(name.data, name.size);
}
