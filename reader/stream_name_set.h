/* A set of stream names, to find names that viewers cannot show together (docs/format.md, "Stream
 * names"). */
#ifndef FTR_STREAM_NAME_SET_H
#define FTR_STREAM_NAME_SET_H

#include "memory_budget.h"

#include <ftr/reader.h>

typedef struct ftr_name_set {
    ftr_view *slots; /* a hash table with open addressing; views are borrowed; data NULL: free */
    size_t capacity;
} ftr_name_set;

/* Initialises a set for at most @p count names. @return FTR_OK; FTR_ERR_LIMIT; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_name_set_init(ftr_name_set *set, ftr_budget *budget, uint64_t count);
void ftr_name_set_release(ftr_name_set *set, ftr_budget *budget);

/* @return false if the name is already in the set */
bool ftr_name_set_add(ftr_name_set *set, ftr_view name);

bool ftr_name_set_has(const ftr_name_set *set, ftr_view name);

/* Returns the maximum number of names that ftr_name_set_add_prefixes() adds for @p name. */
uint64_t ftr_name_set_dots(ftr_view name);

/* For each dot in @p name that is not its first byte, adds the part of @p name before the dot. */
void ftr_name_set_add_prefixes(ftr_name_set *set, ftr_view name);

/* Returns true if the set contains the part of @p name before one of its dots. */
bool ftr_name_set_has_prefix(const ftr_name_set *set, ftr_view name);

/* Returns true if viewers cannot show a stream @p name that is defined after the streams in the
 * set: a part of the name is empty, or the set contains this name or the part before one of its
 * dots. */
bool ftr_name_set_clashes(const ftr_name_set *set, ftr_view name);

#endif
