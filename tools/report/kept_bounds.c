/* The bounds of the selection. */
#include "kept_bounds.h"

#include <stdlib.h>

/* Limit for the number of ancestors that are tested. Each of them may be the oldest known member of
 * the family. */
#define ANCESTORS_MAX 64u

bool ftr_kept_bounds_init(ftr_kept_bounds *bounds, size_t generators)
{
    *bounds = (ftr_kept_bounds){.threshold = UINT64_MAX, .count = generators};
    bounds->of = ftr_cache_lines_allocate(generators * sizeof *bounds->of);
    return bounds->of != NULL;
}

void ftr_kept_bounds_release(ftr_kept_bounds *bounds)
{
    free(bounds->of);
    bounds->of = NULL;
    bounds->count = 0;
}

bool ftr_kept_bounds_admit_family(const ftr_kept_bounds *bounds, const ftr_family_entry *family,
                                  const ftr_family_table *families, ftr_family_spot *spot)
{
    const uint64_t threshold = atomic_load_explicit(&bounds->threshold, memory_order_relaxed);
    ftr_family_entry ancestor = *family;
    for (unsigned i = 1; i < ANCESTORS_MAX && ancestor.has_parent; i++) {
        if (ftr_family_hash(ancestor.parent) <= threshold)
            return true;
        ancestor = ftr_family_table_get(families, spot, ancestor.parent);
    }
    return ancestor.has_parent;
}
