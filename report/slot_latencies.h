/* The latencies of one slot, for their percentiles. Few values are kept as they are, because slots
 * change often; many are counted in bins (latency_bins.h). */
#ifndef FTR_SLOT_LATENCIES_H
#define FTR_SLOT_LATENCIES_H

#include "latency_bins.h"

/* Values that are kept as they are. */
#define FTR_SLOT_VALUES_MAX ((size_t)32768)

/* Percentiles are found in two steps: the class of the value, then the value in it. */
#define FTR_SLOT_CLASSES 256u

/* `{0}` is empty. */
typedef struct ftr_slot_latencies {
    uint64_t *values;
    size_t count, capacity;
    uint64_t greatest;
    bool is_classed; /* the following members are up to date */
    unsigned class_shift;
    uint64_t least;
    uint32_t classes[FTR_SLOT_CLASSES]; /* number of values by (value - least) >> class_shift */
    ftr_latency_bins bins;              /* if there were more */
} ftr_slot_latencies;

/* @return false if out of memory */
bool ftr_slot_latencies_add(ftr_slot_latencies *latencies, uint64_t value);

/* The percentile by the nearest rank, as ftr_latency_bins_percentile().
 * @return false if out of memory */
bool ftr_slot_latencies_percentile(ftr_slot_latencies *latencies, uint32_t percent,
                                   uint64_t *value);

/* Removes all values and keeps the memory of a few. */
void ftr_slot_latencies_clear(ftr_slot_latencies *latencies);

void ftr_slot_latencies_release(ftr_slot_latencies *latencies);

#endif
