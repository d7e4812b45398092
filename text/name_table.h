/* Numbers by name, for tables that are asked by name as often as they have rows. */
#ifndef FTR_NAME_TABLE_H
#define FTR_NAME_TABLE_H

#include <stdbool.h>
#include <stddef.h>

/** Number of a name that is not in the table. */
#define FTR_NAME_UNKNOWN ((size_t)-1)

typedef struct ftr_name_slot {
    const char
        *name; /**< borrowed until the table is released or cleared; NULL: the slot is free */
    size_t size;
    size_t part;
    size_t number;
} ftr_name_slot;

/** Open addressing; zero-initialised it is empty. */
typedef struct ftr_name_table {
    ftr_name_slot *slots;
    size_t capacity, count; /**< the capacity is a power of two, and never full */
} ftr_name_table;

/** The number of the name. @p part is a part of the key, such as the size of the first of two
 * joined names; 0 if there is none.
 *  @return FTR_NAME_UNKNOWN when the name was not added */
size_t ftr_name_table_find(const ftr_name_table *table, const char *name, size_t size, size_t part);

/** Adds a name that is not in the table. @return false without memory */
bool ftr_name_table_add(ftr_name_table *table, const char *name, size_t size, size_t part,
                        size_t number);

/** Forgets all names and keeps the memory. */
void ftr_name_table_clear(ftr_name_table *table);

void ftr_name_table_release(ftr_name_table *table);

#endif
