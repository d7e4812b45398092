/* The tables of single generators, by names that can be typed. */
#ifndef FTR_TABLE_NAMES_H
#define FTR_TABLE_NAMES_H

#include "interned_names.h"

struct ftr_sql_trace;

typedef struct ftr_table_name {
    const ftr_name *stream, *generator;
    char *table;
} ftr_table_name;

typedef struct ftr_table_names {
    ftr_table_name *entries;
    size_t count, capacity;
    /* Numbers of entries plus 1, by hash of the generator and of the table; 0: free. */
    uint32_t *by_generator, *by_table;
    size_t slots; /* a power of two, or 0 */
} ftr_table_names;

/* Adds the generators of @p trace, which is open, that have no table yet.
 * @return false without memory */
bool ftr_table_names_collect(ftr_table_names *names, struct ftr_sql_trace *trace);

/* The table of @p generator of @p trace; NULL: it has none. */
const char *ftr_table_names_get(const ftr_table_names *names, struct ftr_sql_trace *trace,
                                const ftr_generator_info *generator);

/* The entry whose table is called @p name, in upper or lower case; NULL: none is. */
const ftr_table_name *ftr_table_names_find(const ftr_table_names *names, const char *name,
                                           size_t size);

void ftr_table_names_release(ftr_table_names *names);

#endif
