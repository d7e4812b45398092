/* Which transactions can still be selected (kept_transactions.h). The thread that selects narrows
 * the bounds; reading threads use them to copy the attributes of few transactions only. */
#ifndef FTR_KEPT_BOUNDS_H
#define FTR_KEPT_BOUNDS_H

#include "family_table.h"
#include "report_tx.h"

#include <stdatomic.h>

/* Of a generator. */
typedef struct ftr_generator_bounds {
    _Atomic uint64_t slow;  /* least latency with which a transaction is one of the slowest */
    atomic_bool all_errors; /* no further transaction with an error is kept */
    atomic_bool all_unfinished;
} ftr_generator_bounds;

typedef struct ftr_kept_bounds {
    _Atomic uint64_t threshold; /* of the hash of sampled families */
    ftr_generator_bounds *of;   /* by index of the generator in the reader */
    size_t count;
} ftr_kept_bounds;

/* @return false if out of memory */
bool ftr_kept_bounds_init(ftr_kept_bounds *bounds, size_t generators);
void ftr_kept_bounds_release(ftr_kept_bounds *bounds);

/* A hash of the oldest member of a family. */
uint64_t ftr_family_hash(uint64_t root);

/* Whether the transaction may be selected as one of the slowest, for a defect or for the sample;
 * true for some that are not selected. On any thread.
 * @param tx its generator is the index in the reader
 * @param family of the transaction
 * @param spot of this thread, for the table of families */
bool ftr_kept_bounds_admit(const ftr_kept_bounds *bounds, const ftr_report_tx *tx,
                           const ftr_family_entry *family, const ftr_family_table *families,
                           ftr_family_spot *spot);

#endif
