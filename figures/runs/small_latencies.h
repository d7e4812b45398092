/* Counts of small latencies: an array with one number for each latency. For a generator with
 * thousands of different latencies, this array is faster than a hash table (latency_bins.h),
 * because it needs at most a quarter of the memory, and the counts of similar latencies are close
 * together. For a generator with many transactions, it is faster because no bin is searched. */
#ifndef FTR_SMALL_LATENCIES_H
#define FTR_SMALL_LATENCIES_H

#include "latency_bins.h"

#include <stdlib.h>

#define FTR_SMALL_LATENCY_MAX 65535u
/* A generator gets the array when it has FTR_SMALL_LATENCIES_MIN different latencies, or
 * FTR_SMALL_TRANSACTIONS_MIN transactions. With so many transactions, the array saves more time
 * than it takes to add its counts to the bins. */
#define FTR_SMALL_LATENCIES_MIN 1024u
#define FTR_SMALL_TRANSACTIONS_MIN 65536u

typedef struct ftr_small_latencies {
    uint32_t *counts; /* NULL: not used */
} ftr_small_latencies;

static inline void ftr_small_latencies_init(ftr_small_latencies *small)
{
    small->counts = calloc((size_t)FTR_SMALL_LATENCY_MAX + 1, sizeof *small->counts);
}

/* Fetches the count of a latency into the cache, for a later call of ftr_small_latencies_add(). */
static inline void ftr_small_latencies_fetch(const ftr_small_latencies *small, uint64_t latency)
{
    if (small->counts != NULL && latency <= FTR_SMALL_LATENCY_MAX)
        __builtin_prefetch(&small->counts[latency], 1);
}

/* Counts a latency. @return false if the array cannot count it; the caller then counts it elsewhere
 */
static inline bool ftr_small_latencies_add(ftr_small_latencies *small, uint64_t latency)
{
    if (small->counts == NULL || latency > FTR_SMALL_LATENCY_MAX ||
        small->counts[latency] == UINT32_MAX)
        return false;
    small->counts[latency]++;
    return true;
}

/* Adds the counts to bins. @return false if out of memory */
static inline bool ftr_small_latencies_put(const ftr_small_latencies *small, ftr_latency_bins *bins)
{
    bool ok = true;
    for (uint64_t i = 0; ok && small->counts != NULL && i <= FTR_SMALL_LATENCY_MAX; i++)
        if (small->counts[i] > 0)
            ok = ftr_latency_bins_add(bins, i, small->counts[i]);
    return ok;
}

#endif
