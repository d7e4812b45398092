/* Owns the bounds of the selection. Does not know the selected transactions. */
#include "kept_bounds.h"

#include <stdlib.h>
#include <string.h>

/* Maximum number of ancestors that are followed to find the oldest member of a family. */
#define ANCESTORS_MAX 64u

bool ftr_kept_bounds_init(ftr_kept_bounds *bounds, size_t generators)
{
    const size_t size = (generators * sizeof *bounds->of / FTR_CACHE_LINE + 1) * FTR_CACHE_LINE;
    *bounds = (ftr_kept_bounds){.threshold = UINT64_MAX, .count = generators};
    bounds->of = aligned_alloc(FTR_CACHE_LINE, size);
    if (bounds->of == NULL)
        return false;
    memset(bounds->of, 0, size);
    return true;
}

void ftr_kept_bounds_release(ftr_kept_bounds *bounds)
{
    free(bounds->of);
    bounds->of = NULL;
    bounds->count = 0;
}

uint64_t ftr_family_hash(uint64_t root)
{
    uint64_t hash = (root + 1) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return hash ^ hash >> 32;
}

/* Returns true if the hash of the transaction or of one of its ancestors is at most the threshold.
 * Any of them may be the oldest member of the family, because this depends on their times. */
static bool may_be_sampled(uint64_t threshold, uint64_t id, ftr_family_entry family,
                           const ftr_family_table *families, ftr_family_spot *spot)
{
    if (threshold == UINT64_MAX || ftr_family_hash(id) <= threshold)
        return true;
    for (unsigned i = 1; i < ANCESTORS_MAX && family.has_parent; i++) {
        if (ftr_family_hash(family.parent) <= threshold)
            return true;
        family = ftr_family_table_get(families, spot, family.parent);
    }
    return family.has_parent;
}

bool ftr_kept_bounds_admit(const ftr_kept_bounds *bounds, const ftr_report_tx *tx,
                           const ftr_family_entry *family, const ftr_family_table *families,
                           ftr_family_spot *spot)
{
    if (tx->generator >= bounds->count)
        return true;
    const ftr_generator_bounds *of = &bounds->of[tx->generator];
    const uint64_t threshold = atomic_load_explicit(&bounds->threshold, memory_order_relaxed);
    return tx->end - tx->begin >= atomic_load_explicit(&of->slow, memory_order_relaxed) ||
           (tx->error && !atomic_load_explicit(&of->all_errors, memory_order_relaxed)) ||
           (tx->unfinished && !atomic_load_explicit(&of->all_unfinished, memory_order_relaxed)) ||
           may_be_sampled(threshold, tx->id, *family, families, spot);
}
