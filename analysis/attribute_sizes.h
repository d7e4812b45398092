/* Counts the bytes of attributes in a file, by name. */
#ifndef FTR_ATTRIBUTE_SIZES_H
#define FTR_ATTRIBUTE_SIZES_H

#include "name_table.h"

#include <ftr/reader.h>

typedef struct ftr_attribute_size {
    char *name; /* NUL-terminated */
    size_t name_size;
    uint64_t count, bytes;
} ftr_attribute_size;

/* Entries of the cache from the id of a name to its row. A hit saves the search by name. */
#define FTR_ATTRIBUTE_SIZES_CACHE 1024u

/* `{0}` is empty. */
typedef struct ftr_attribute_sizes {
    ftr_attribute_size *rows; /* in order of name once sorted */
    size_t row_count, row_capacity;
    ftr_name_table names;
    struct {
        uint64_t name_id;
        size_t row; /* + 1; 0: free */
    } cache[FTR_ATTRIBUTE_SIZES_CACHE];
} ftr_attribute_sizes;

/* Counts an attribute; @p sizes is a ftr_attribute_sizes. @return false if out of memory */
bool ftr_attribute_sizes_add(void *sizes, const ftr_attribute_value *attribute);

/* Adds the counts of another file. @return false if out of memory */
bool ftr_attribute_sizes_merge(ftr_attribute_sizes *to, const ftr_attribute_sizes *from);

/* Sorts the rows by name. Nothing may be added after it. */
void ftr_attribute_sizes_sort(ftr_attribute_sizes *sizes);

void ftr_attribute_sizes_release(ftr_attribute_sizes *sizes);

#endif
