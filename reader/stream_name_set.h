/* Names of streams, to tell which cannot stand beside each other (docs/format.md, "Stream names").
 */
#ifndef FTR_STREAM_NAME_SET_H
#define FTR_STREAM_NAME_SET_H

#include "memory_budget.h"

#include <ftr/reader.h>

typedef struct ftr_name_set {
    ftr_view *slots; /* open addressing; views are borrowed; data NULL: free */
    size_t capacity;
} ftr_name_set;

/* For at most @p count names. FTR_ERR_LIMIT; FTR_ERR_MEMORY. */
FTR_MUST_USE ftr_status ftr_name_set_init(ftr_name_set *set, ftr_budget *budget, uint64_t count);
void ftr_name_set_release(ftr_name_set *set, ftr_budget *budget);

/* @return false when it is there already */
bool ftr_name_set_add(ftr_name_set *set, ftr_view name);

bool ftr_name_set_has(const ftr_name_set *set, ftr_view name);

/* How many names ftr_name_set_add_prefixes() adds at most. */
uint64_t ftr_name_set_dots(ftr_view name);

/* Adds what stands before each dot of @p name. */
void ftr_name_set_add_prefixes(ftr_name_set *set, ftr_view name);

/* Whether a name in the set stands before one of the dots of @p name, or it is a dot alone. */
bool ftr_name_set_has_prefix(const ftr_name_set *set, ftr_view name);

/* Whether @p name cannot come behind those in the set. */
bool ftr_name_set_clashes(const ftr_name_set *set, ftr_view name);

#endif
