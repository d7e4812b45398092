/* The latencies of one time slot, for their percentiles. Up to FTR_SLOT_VALUES_MAX values are kept
 * in an array, which is fast to clear when the next time slot begins. If there are more, all values
 * are counted in bins (latency_bins.h). */
#ifndef FTR_SLOT_LATENCIES_H
#define FTR_SLOT_LATENCIES_H

#include "latency_bins.h"

/* Maximum number of values in the array. */
#define FTR_SLOT_VALUES_MAX ((size_t)32768)

/* `{0}` is empty. */
typedef struct ftr_slot_latencies {
    uint64_t *values;
    size_t count, capacity;
    uint64_t greatest;
    ftr_latency_bins bins; /* contains all values if the array is too small */
} ftr_slot_latencies;

/* The slow path of ftr_slot_latencies_add(), if the array has no room. */
bool ftr_slot_latencies_put(ftr_slot_latencies *latencies, uint64_t value);

/* @return false if out of memory */
static inline bool ftr_slot_latencies_add(ftr_slot_latencies *latencies, uint64_t value)
{
    latencies->greatest = value > latencies->greatest ? value : latencies->greatest;
    if (latencies->count >= latencies->capacity || latencies->count >= FTR_SLOT_VALUES_MAX ||
        latencies->bins.count > 0)
        return ftr_slot_latencies_put(latencies, value);
    latencies->values[latencies->count++] = value;
    return true;
}

/* Computes two percentiles by the nearest rank, like ftr_latency_bins_percentile().
 * @return false if out of memory */
bool ftr_slot_latencies_percentiles(ftr_slot_latencies *latencies, const uint32_t percents[2],
                                    uint64_t values[2]);

/* Removes all values. Keeps the memory of the array, but not that of the bins. */
void ftr_slot_latencies_clear(ftr_slot_latencies *latencies);

void ftr_slot_latencies_release(ftr_slot_latencies *latencies);

#endif
