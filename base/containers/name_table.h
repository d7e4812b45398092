/* A hash table from names to numbers. */
#ifndef FTR_NAME_TABLE_H
#define FTR_NAME_TABLE_H

#include <stdbool.h>
#include <stddef.h>

/** Result of a search for a name that is not in the table. */
#define FTR_NAME_UNKNOWN ((size_t)-1)

typedef struct ftr_name_slot {
    const char *name; /**< borrowed until the table is released; NULL: the slot is free */
    size_t size;
    size_t part;
    size_t number;
} ftr_name_slot;

/** An open-addressed hash table; `{0}` is an empty one. */
typedef struct ftr_name_table {
    ftr_name_slot *slots;
    size_t capacity, count; /**< the capacity is a power of two; at least one slot stays free */
} ftr_name_table;

/** Returns the number of a name. @p part is a second part of the key, for example the size of the
 * first one of two concatenated names; 0 if it is not used.
 * @return FTR_NAME_UNKNOWN if the name is not in the table */
size_t ftr_name_table_find(const ftr_name_table *table, const char *name, size_t size, size_t part);

/** Adds a name that is not in the table yet. @return false if out of memory */
bool ftr_name_table_add(ftr_name_table *table, const char *name, size_t size, size_t part,
                        size_t number);

void ftr_name_table_release(ftr_name_table *table);

#endif
