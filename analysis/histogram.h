/* How often each value occurs, for percentiles: exact while there are at most 65536 different
 * values, within 1/1024 of the value beyond that. */
#ifndef FTR_HISTOGRAM_H
#define FTR_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ftr_histogram_bin {
    uint64_t value;
    uint64_t count; /* 0: free */
} ftr_histogram_bin;

typedef struct ftr_histogram {
    ftr_histogram_bin *bins; /* open addressing; in order once sorted */
    size_t used, capacity;
    bool rounded; /* values are no longer exact */
    bool sorted;
    uint64_t count, least, greatest;
    long double sum;
} ftr_histogram;

/* @return false when there is no memory */
bool ftr_histogram_add(ftr_histogram *histogram, uint64_t value, uint64_t count);
bool ftr_histogram_merge(ftr_histogram *to, const ftr_histogram *from);

/* The value that @p percent of all values do not exceed; 0 of none. Nothing may be added after it.
 */
uint64_t ftr_histogram_percentile(ftr_histogram *histogram, unsigned percent);

/* Rounded to the nearest; 0 of none. */
uint64_t ftr_histogram_mean(const ftr_histogram *histogram);

void ftr_histogram_release(ftr_histogram *histogram);

#endif
