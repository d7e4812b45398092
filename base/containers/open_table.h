/* Hash tables with open addressing: search, growth and removal, for items of any type. A table is
 * an array. The number of its items is a power of two, and at least one item is free. The owner of
 * the table counts the used items. The functions are inlined, and the rule that they get is a
 * constant. The compiler therefore generates the same code as for functions that were written for
 * one type of items. */
#ifndef FTR_OPEN_TABLE_H
#define FTR_OPEN_TABLE_H

#include "hash.h"

#include <ftr/detail/inline_macros.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct ftr_table_rule {
    size_t item;       /* size of an item in bytes */
    uint8_t free_byte; /* the value of each byte of an item that was never used: 0 or 0xff */
    bool (*is_free)(const void *item);
    /* Returns whether the item has this key. The key may have another type than the items. */
    bool (*has_key)(const void *item, const void *key);
    /* Returns the hash of the item's key. The low bits of the hash must depend on all parts of the
     * key. */
    uint64_t (*hash)(const void *item);
} ftr_table_rule;

/* The functions `has_key` and `hash` for items whose first member, a uint64_t, is the key. */
static inline bool ftr_table_has_number(const void *item, const void *number)
{
    return *(const uint64_t *)item == *(const uint64_t *)number;
}

static inline uint64_t ftr_table_hash_number(const void *item)
{
    return ftr_hash_number(*(const uint64_t *)item);
}

/* Returns the item with @p key, or the free item where an item with this key would be inserted. If
 * @p key is NULL, returns the free item where an item with the hash @p hash would be inserted. */
FTR_INLINE void *ftr_table_search(const ftr_table_rule *rule, void *items, size_t capacity,
                                  uint64_t hash, const void *key)
{
    for (size_t at = (size_t)hash & (capacity - 1);; at = (at + 1) & (capacity - 1)) {
        void *item = (char *)items + at * rule->item;
        if (rule->is_free(item) || (key != NULL && rule->has_key(item, key)))
            return item;
    }
}

/* Moves the used items to a new array with room for @p larger items, and frees the old array.
 * @param array address of the pointer to the items
 * @return false if out of memory; the table is then unchanged */
FTR_INLINE bool ftr_table_resize(const ftr_table_rule *rule, void *array, size_t *capacity,
                                 size_t larger)
{
    char *items;
    char *moved = (char *)calloc(larger, rule->item);
    if (moved == NULL)
        return false;
    memcpy(&items, array, sizeof items);
    if (rule->free_byte != 0)
        memset(moved, rule->free_byte, larger * rule->item);
    for (size_t i = 0; i < *capacity; i++) {
        const char *item = items + i * rule->item;
        if (!rule->is_free(item))
            memcpy(ftr_table_search(rule, moved, larger, rule->hash(item), NULL), item, rule->item);
    }
    free(items);
    memcpy(array, &moved, sizeof moved);
    *capacity = larger;
    return true;
}

/* Makes room for one item more than @p count. The table is enlarged if more than three quarters of
 * its items would be used.
 * @return false if out of memory; the table is then unchanged */
FTR_INLINE bool ftr_table_grow(const ftr_table_rule *rule, void *array, size_t *capacity,
                               size_t count, size_t capacity_min)
{
    return (count + 1) * 4 <= *capacity * 3 ||
           ftr_table_resize(rule, array, capacity, *capacity > 0 ? *capacity * 2 : capacity_min);
}

/* Removes a used item. Moves later items to the free place if a search would otherwise no longer
 * find them. */
FTR_INLINE void ftr_table_remove(const ftr_table_rule *rule, void *items, size_t capacity,
                                 const void *item)
{
    const size_t mask = capacity - 1;
    char *base = (char *)items;
    size_t hole = (size_t)((const char *)item - base) / rule->item;
    for (size_t at = (hole + 1) & mask; !rule->is_free(base + at * rule->item);
         at = (at + 1) & mask) {
        const size_t home = (size_t)rule->hash(base + at * rule->item) & mask;
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            memcpy(base + hole * rule->item, base + at * rule->item, rule->item);
            hole = at;
        }
    }
    memset(base + hole * rule->item, rule->free_byte, rule->item);
}

#endif
