/* How often each latency occurs, for percentiles. Values are exact up to 65,536 different ones,
 * otherwise rounded to within 1/1024. Whether they are rounded depends only on the values, so
 * merging in any order gives the same result. */
#ifndef FTR_LATENCY_BINS_H
#define FTR_LATENCY_BINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sums of 2^64 values of 64 bits. */
__extension__ typedef unsigned __int128 ftr_wide;

/* Percentages in 1/10,000 of a percent. */
#define FTR_PERCENT 10000u

/* Different values that are kept exactly. */
#define FTR_LATENCY_EXACT_MAX ((size_t)65536)

typedef struct ftr_latency_bin {
    uint64_t value;
    uint64_t count; /* 0: free */
} ftr_latency_bin;

typedef struct ftr_latency_bins {
    ftr_latency_bin *bins; /* open addressing; in order and without gaps once sorted */
    size_t used, capacity;
    bool rounded; /* values have lost their low bits */
    bool sorted;
    uint64_t count, least, greatest; /* the last two are exact in any case */
    ftr_wide sum;                    /* exact in any case */
} ftr_latency_bins;

/* Adds @p count times @p value. @return false if out of memory */
bool ftr_latency_bins_add(ftr_latency_bins *bins, uint64_t value, uint64_t count);

/* Adds all of @p from, each value multiplied with @p factor. @return false if out of memory, or if
 * a product exceeds 64 bits */
bool ftr_latency_bins_merge(ftr_latency_bins *to, const ftr_latency_bins *from, uint64_t factor);

/* Puts the bins in order of value. Nothing may be added after this call. */
void ftr_latency_bins_sort(ftr_latency_bins *bins);

/* Returns the greatest common divisor of the differences between sorted values; 1 if there are
 * none. */
uint64_t ftr_latency_bins_step(const ftr_latency_bins *bins);

/* Returns a percentile by the nearest rank: the smallest value so that at least @p percent (in
 * 1/FTR_PERCENT %) of all values are not greater; 0 if there are none. Sorts the bins. */
uint64_t ftr_latency_bins_percentile(ftr_latency_bins *bins, uint32_t percent);

/* Returns the mean, rounded to the nearest integer; 0 if there are no values. */
uint64_t ftr_latency_bins_mean(const ftr_latency_bins *bins);

void ftr_latency_bins_release(ftr_latency_bins *bins);

#endif
