/* Counts of values, for percentiles: exact for up to 65536 different values, otherwise within
 * 1/1024 of the value. */
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
    /* a hash table with open addressing; an array in ascending order once sorted */
    ftr_histogram_bin *bins;
    size_t used, capacity;
    bool rounded; /* values are rounded */
    bool sorted;
    uint64_t count, least, greatest;
    long double sum;
} ftr_histogram;

/* @return false if out of memory */
bool ftr_histogram_add(ftr_histogram *histogram, uint64_t value, uint64_t count);
bool ftr_histogram_merge(ftr_histogram *to, const ftr_histogram *from);

/* Returns the smallest value that at least @p percent of all values do not exceed; 0 if empty.
 * Sorts the table: no values may be added afterwards. */
uint64_t ftr_histogram_percentile(ftr_histogram *histogram, unsigned percent);

/* Returns the mean, rounded to the nearest integer; 0 if empty. */
uint64_t ftr_histogram_mean(const ftr_histogram *histogram);

void ftr_histogram_release(ftr_histogram *histogram);

#endif
