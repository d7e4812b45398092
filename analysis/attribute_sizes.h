/* Counts the bytes of attributes in a file, by name. */
#ifndef FTR_ATTRIBUTE_SIZES_H
#define FTR_ATTRIBUTE_SIZES_H

#include "name_table.h"

#include <ftr/reader.h>

#include <pthread.h>

typedef struct ftr_attribute_count {
    uint64_t count, bytes;
} ftr_attribute_count;

typedef struct ftr_attribute_size {
    char *name; /* NUL-terminated */
    size_t name_size;
    uint64_t count, bytes;
} ftr_attribute_size;

/* `{0}` is empty. One thread counts; other threads may search for the rows of names at the same
 * time. */
typedef struct ftr_attribute_sizes {
    pthread_mutex_t lock; /* protects `names` and `rows` while rows are searched */
    ftr_name_table names;
    ftr_attribute_size *rows; /* in order of name once sorted */
    size_t row_count, row_capacity;
    ftr_attribute_count *counts; /* index: row; added to the rows when they are sorted */
    size_t count_capacity;
} ftr_attribute_sizes;

/* Returns the row of a name; UINT32_MAX if out of memory. May be called on any thread. */
uint32_t ftr_attribute_sizes_row(ftr_attribute_sizes *sizes, ftr_view name);

/* Extends the counts up to @p row. @return false if out of memory, or if @p row does not exist */
bool ftr_attribute_sizes_reach(ftr_attribute_sizes *sizes, uint32_t row);

/* Adds an attribute of @p bytes to the count of @p row. @return as ftr_attribute_sizes_reach() */
static inline bool ftr_attribute_sizes_count(ftr_attribute_sizes *sizes, uint32_t row,
                                             uint32_t bytes)
{
    if (row >= sizes->count_capacity && !ftr_attribute_sizes_reach(sizes, row))
        return false;
    sizes->counts[row].count++;
    sizes->counts[row].bytes += bytes;
    return true;
}

/* Adds the counts of another file. @return false if out of memory */
bool ftr_attribute_sizes_merge(ftr_attribute_sizes *to, const ftr_attribute_sizes *from);

/* Removes rows without values, and sorts the others by name. Nothing may be added after this call.
 */
void ftr_attribute_sizes_sort(ftr_attribute_sizes *sizes);

void ftr_attribute_sizes_release(ftr_attribute_sizes *sizes);

#endif
