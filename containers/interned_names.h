/* A set of names, each stored once: names are equal if their addresses are. */
#ifndef FTR_INTERNED_NAMES_H
#define FTR_INTERNED_NAMES_H

#include "name_table.h"

typedef struct ftr_name {
    size_t number; /* from 0, in order of arrival */
    size_t size;
    const char *text; /* NUL-terminated */
} ftr_name;

/* `{0}` is an empty set. */
typedef struct ftr_names {
    ftr_name **names; /* by number */
    size_t count, capacity;
    ftr_name_table table;
} ftr_names;

/* Returns the name with this text, which lives as long as the set; NULL if out of memory. */
const ftr_name *ftr_names_intern(ftr_names *names, const char *text, size_t size);

void ftr_names_release(ftr_names *names);

#endif
