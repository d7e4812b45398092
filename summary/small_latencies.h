/* Counts of small latencies, one number for each latency. A generator with thousands of different
 * latencies is counted faster in this array than in a hash table (latency_bins.h), because the
 * array takes a quarter of the memory or less, and near latencies are near in it. */
#ifndef FTR_SMALL_LATENCIES_H
#define FTR_SMALL_LATENCIES_H

#include "latency_bins.h"

#include <stdlib.h>

#define FTR_SMALL_LATENCY_MAX 65535u
/* Number of different latencies from which the array is worth its memory. */
#define FTR_SMALL_LATENCIES_MIN 1024u

typedef struct ftr_small_latencies {
    uint32_t *counts; /* NULL: not used */
} ftr_small_latencies;

static inline void ftr_small_latencies_init(ftr_small_latencies *small)
{
    small->counts = calloc((size_t)FTR_SMALL_LATENCY_MAX + 1, sizeof *small->counts);
}

/* Counts a latency. @return false if it must be counted elsewhere */
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
