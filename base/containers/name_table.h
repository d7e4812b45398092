/* A hash table from names to numbers, and a set that stores each name once. */
#ifndef FTR_NAME_TABLE_H
#define FTR_NAME_TABLE_H

#include <stdbool.h>
#include <stddef.h>

/** Result of a search if the name is not in the table. */
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
    size_t capacity, count; /**< `capacity` is a power of two; at least one of `slots` stays free */
} ftr_name_table;

/** Returns the number of a name. @p part is a second part of the key; 0 if the key has only one
 * part. If @p name consists of two concatenated names, @p part is for example the size of the first
 * one.
 * @return FTR_NAME_UNKNOWN if the name is not in the table */
size_t ftr_name_table_find(const ftr_name_table *table, const char *name, size_t size, size_t part);

/** Adds a name that is not in the table yet. @return false if out of memory */
bool ftr_name_table_add(ftr_name_table *table, const char *name, size_t size, size_t part,
                        size_t number);

void ftr_name_table_release(ftr_name_table *table);

/* ---- a set of names -------------------------------------------------------------------------- */

/* Each name is stored once, so two names are equal if their addresses are equal. */

typedef struct ftr_name {
    size_t number; /* number of the name, from 0, in the order in which the names were added */
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
