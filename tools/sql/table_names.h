/* Names that need no quotes in SQL, and the names of the tables of single generators. */
#ifndef FTR_TABLE_NAMES_H
#define FTR_TABLE_NAMES_H

#include "name_table.h"

/* Converts @p text to a name that needs no quotes in SQL: letters, digits and `_`. The caller must
 * free() it. */
char *ftr_sql_plain_name(const char *text);

typedef struct ftr_table_name {
    const ftr_name *stream, *generator;
    char *table;
    char *key; /* name of the table in lower case */
} ftr_table_name;

typedef struct ftr_table_names {
    ftr_table_name *entries;
    size_t count, capacity;
    ftr_name_table by_generator, by_table; /* values: indices in `entries` */
} ftr_table_names;

/* Adds a table for a generator, unless the generator already has one. @return false if out of
 * memory */
bool ftr_table_names_add(ftr_table_names *names, const ftr_name *stream, const ftr_name *generator);

/* Returns the table of a generator; NULL if it has none. */
const char *ftr_table_names_get(const ftr_table_names *names, const ftr_name *stream,
                                const ftr_name *generator);

/* Finds the entry of the table @p name, ignoring case; NULL if there is none. */
const ftr_table_name *ftr_table_names_find(const ftr_table_names *names, const char *name,
                                           size_t size);

void ftr_table_names_release(ftr_table_names *names);

#endif
