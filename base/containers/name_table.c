/* Searches for names by hash. */
#include "name_table.h"

#include "growing_array.h"
#include "hash.h"
#include "open_table.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY_MIN 64

static uint64_t hash_of(const ftr_name_slot *key)
{
    const uint64_t hash = ftr_hash_text(FTR_HASH_SEED ^ key->part, key->name, key->size);
    return hash ^ hash >> 29;
}

static bool is_free(const void *slot)
{
    return ((const ftr_name_slot *)slot)->name == NULL;
}

static bool has_key(const void *item, const void *key)
{
    const ftr_name_slot *slot = item;
    const ftr_name_slot *wanted = key;
    return slot->size == wanted->size && slot->part == wanted->part &&
           (slot->size == 0 || memcmp(slot->name, wanted->name, slot->size) == 0);
}

static uint64_t hash_of_slot(const void *slot)
{
    return hash_of(slot);
}

static const ftr_table_rule RULE = {sizeof(ftr_name_slot), 0, is_free, has_key, hash_of_slot};

/* Returns the slot of the name, or the free slot where the name would be inserted. */
static ftr_name_slot *slot_of(const ftr_name_table *table, const ftr_name_slot *key)
{
    return ftr_table_search(&RULE, table->slots, table->capacity, hash_of(key), key);
}

size_t ftr_name_table_find(const ftr_name_table *table, const char *name, size_t size, size_t part)
{
    if (table->count == 0)
        return FTR_NAME_UNKNOWN;
    const ftr_name_slot *slot = slot_of(table, &(ftr_name_slot){name, size, part, 0});
    return slot->name != NULL ? slot->number : FTR_NAME_UNKNOWN;
}

bool ftr_name_table_add(ftr_name_table *table, const char *name, size_t size, size_t part,
                        size_t number)
{
    const ftr_name_slot added = {name, size, part, number};
    if (!ftr_table_grow(&RULE, &table->slots, &table->capacity, table->count, CAPACITY_MIN))
        return false;
    *slot_of(table, &added) = added;
    table->count++;
    return true;
}

void ftr_name_table_release(ftr_name_table *table)
{
    free(table->slots);
    *table = (ftr_name_table){0};
}

const ftr_name *ftr_names_intern(ftr_names *names, const char *text, size_t size)
{
    const size_t known = ftr_name_table_find(&names->table, text, size, 0);
    if (known != FTR_NAME_UNKNOWN)
        return names->names[known];
    if (!ftr_array_grow(&names->names, &names->capacity, names->count, sizeof(ftr_name *)))
        return NULL;
    ftr_name *name = malloc(sizeof *name + size + 1);
    if (name == NULL)
        return NULL;
    char *copy = (char *)(name + 1);
    if (size > 0)
        memcpy(copy, text, size);
    copy[size] = '\0';
    *name = (ftr_name){names->count, size, copy};
    if (!ftr_name_table_add(&names->table, name->text, size, 0, name->number)) {
        free(name);
        return NULL;
    }
    names->names[names->count++] = name;
    return name;
}

void ftr_names_release(ftr_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->names[i]);
    free(names->names);
    ftr_name_table_release(&names->table);
    *names = (ftr_names){0};
}
