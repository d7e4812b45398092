/* Bounds for the transactions that can still be selected (kept_transactions.h). The selecting
 * thread narrows the bounds. A reading thread copies only the attributes of transactions within the
 * bounds, so that few attributes are copied. */
#ifndef FTR_KEPT_BOUNDS_H
#define FTR_KEPT_BOUNDS_H

#include "family_table.h"
#include "report_tx.h"

#include "cache_lines.h"

#include <stdatomic.h>

/* The bounds of a generator. */
typedef struct ftr_generator_bounds {
    /* a transaction must last at least this number of ticks to be one of the slowest */
    _Atomic uint64_t slow;
    atomic_bool all_errors;     /* no further transaction is kept because of an error */
    atomic_bool all_unfinished; /* no further transaction is kept because it is unfinished */
} ftr_generator_bounds;

/* Reading threads read the bounds for each transaction. Therefore data that another thread often
 * changes must not be in the same cache lines: `before` and `behind` are padding. */
typedef struct ftr_kept_bounds {
    char before[FTR_CACHE_LINE];
    _Atomic uint64_t threshold; /* greatest hash of sampled families */
    ftr_generator_bounds *of;   /* index: generator index in the reader */
    size_t count;
    char behind[FTR_CACHE_LINE];
} ftr_kept_bounds;

/* @return false if out of memory */
bool ftr_kept_bounds_init(ftr_kept_bounds *bounds, size_t generators);
void ftr_kept_bounds_release(ftr_kept_bounds *bounds);

/* Returns the hash of a family. @param root id of the oldest member */
static inline uint64_t ftr_family_hash(uint64_t root)
{
    uint64_t hash = (root + 1) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return hash ^ hash >> 32;
}

/* Returns true if the hash of an ancestor is at most the threshold, or if there are too many
 * ancestors to test all of them. */
bool ftr_kept_bounds_admit_family(const ftr_kept_bounds *bounds, const ftr_family_entry *family,
                                  const ftr_family_table *families, ftr_family_spot *spot);

/* Returns true if the transaction may be selected because it is one of the slowest, because it has
 * a defect, or for the sample. Also returns true for some transactions that are not selected later.
 * May be called on any thread.
 * @param tx here tx->generator is the index of the generator in the reader
 * @param family the relations of the transaction
 * @param spot the page of @p families that this thread used last */
static inline bool ftr_kept_bounds_admit(const ftr_kept_bounds *bounds, const ftr_report_tx *tx,
                                         const ftr_family_entry *family,
                                         const ftr_family_table *families, ftr_family_spot *spot)
{
    if (tx->generator >= bounds->count)
        return true;
    const ftr_generator_bounds *of = &bounds->of[tx->generator];
    /* The hash of the oldest member decides whether a family is in the sample. The times of the
     * ancestors are not known here, so the transaction and each ancestor may be the oldest
     * member. */
    return tx->end - tx->begin >= atomic_load_explicit(&of->slow, memory_order_relaxed) ||
           (tx->error && !atomic_load_explicit(&of->all_errors, memory_order_relaxed)) ||
           (tx->unfinished && !atomic_load_explicit(&of->all_unfinished, memory_order_relaxed)) ||
           ftr_family_hash(tx->id) <=
               atomic_load_explicit(&bounds->threshold, memory_order_relaxed) ||
           (family->has_parent && ftr_kept_bounds_admit_family(bounds, family, families, spot));
}

#endif
