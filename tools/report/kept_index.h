/* Finds kept transactions by id. Successive searches are often for neighbouring ids, so each search
 * begins at the entry that the previous search found. */
#ifndef FTR_KEPT_INDEX_H
#define FTR_KEPT_INDEX_H

#include "kept_transactions.h"

#define FTR_KEPT_NOWHERE SIZE_MAX

typedef struct ftr_kept_entry {
    uint64_t id;
    size_t index; /* place in order of begin */
} ftr_kept_entry;

typedef struct ftr_kept_index {
    ftr_kept_entry *of; /* entries in order of id */
    size_t count;
    size_t latest;   /* index of the entry found last */
    uint64_t *marks; /* bits; index: low bits of an id. A bit is set if an id with these low bits is
                        kept. Most other ids therefore need no search */
} ftr_kept_index;

/* @return false if out of memory */
bool ftr_kept_index_init(ftr_kept_index *index, const ftr_kept_transactions *kept);

/* Returns the place of a transaction in order of begin; FTR_KEPT_NOWHERE if it is not kept. */
size_t ftr_kept_index_find(ftr_kept_index *index, uint64_t id);

void ftr_kept_index_release(ftr_kept_index *index);

#endif
