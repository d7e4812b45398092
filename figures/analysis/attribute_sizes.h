/* For each name of attributes: the number of these attributes in a file, and their bytes. */
#ifndef FTR_ATTRIBUTE_SIZES_H
#define FTR_ATTRIBUTE_SIZES_H

#include "name_table.h"

#include <ftr/reader.h>

#include <pthread.h>

typedef struct ftr_attribute_size {
    char *name; /* NUL-terminated */
    size_t name_size;
    uint64_t count, bytes;
} ftr_attribute_size;

/* `{0}` is empty. Several threads may search for rows and add to rows at the same time. */
typedef struct ftr_attribute_sizes {
    pthread_mutex_t lock; /* protects all other members */
    ftr_name_table names;
    ftr_attribute_size *rows; /* in order of name once sorted */
    size_t row_count, row_capacity;
} ftr_attribute_sizes;

/* Returns the row of a name; UINT32_MAX if out of memory. */
uint32_t ftr_attribute_sizes_row(ftr_attribute_sizes *sizes, ftr_view name);

/* Adds @p count attributes to a row; together, they have @p bytes bytes. @return false if the row
 * does not exist */
bool ftr_attribute_sizes_add(ftr_attribute_sizes *sizes, uint64_t row, uint64_t count,
                             uint64_t bytes);

/* Adds the counts of another file. @return false if out of memory */
bool ftr_attribute_sizes_merge(ftr_attribute_sizes *to, const ftr_attribute_sizes *from);

/* Removes rows without values, and sorts the others by name. Nothing may be added after this call.
 */
void ftr_attribute_sizes_sort(ftr_attribute_sizes *sizes);

void ftr_attribute_sizes_release(ftr_attribute_sizes *sizes);

#endif
