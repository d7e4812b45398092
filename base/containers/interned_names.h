/* A set of names. Each name is stored once, so two names are equal if their addresses are equal. */
#ifndef FTR_INTERNED_NAMES_H
#define FTR_INTERNED_NAMES_H

#include "name_table.h"

typedef struct ftr_name {
    size_t number; /* from 0, in the order in which the names were added */
    size_t size;
    const char *text; /* NUL-terminated */
} ftr_name;

/* `{0}` is an empty set. */
typedef struct ftr_names {
    ftr_name **names; /* index: number of the name */
    size_t count, capacity;
    ftr_name_table table;
} ftr_names;

/* Returns the name with this text, and adds it if needed. The name lives as long as the set.
 * Returns NULL if out of memory. */
const ftr_name *ftr_names_intern(ftr_names *names, const char *text, size_t size);

void ftr_names_release(ftr_names *names);

#endif
