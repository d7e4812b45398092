/* Counts how often each latency occurs, to compute percentiles. If there are at most 65,536
 * different values, they are stored exactly. Otherwise, they are rounded with an error below
 * 1/1024. Whether they are rounded depends only on the values, so merging in any order gives the
 * same result. */
#ifndef FTR_LATENCY_BINS_H
#define FTR_LATENCY_BINS_H

#include "exact_fraction.h"
#include "hash.h"

#include <ftr/detail/inline_macros.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Number of units in a percent: percentages are in 1/10,000 of a percent. */
#define FTR_PERCENT 10000u

/* Converts a percentage in 1/FTR_PERCENT % to a fraction. */
static inline ftr_fraction ftr_fraction_of_percent(uint32_t percent)
{
    const ftr_fraction fraction = {percent, UINT64_C(100) * FTR_PERCENT};
    return fraction;
}

/* Maximum number of different values that are kept exactly. */
#define FTR_LATENCY_EXACT_MAX ((size_t)65536)

typedef struct ftr_latency_bin {
    uint64_t value; /* must be the first member */
    uint64_t count; /* 0: free */
} ftr_latency_bin;

typedef struct ftr_latency_bins {
    /* a hash table with open addressing; if `sorted`, an ascending array without gaps */
    ftr_latency_bin *bins;
    uint32_t used, capacity;
    bool rounded; /* values have lost their low bits */
    bool sorted;
    uint64_t count, least, greatest; /* always exact */
    ftr_wide sum;                    /* always exact */
} ftr_latency_bins;

/* Counts a value that is in the bin where its search begins, as most values are. @return false if
 * it is not; nothing was done */
static inline bool ftr_latency_bins_add_usual(ftr_latency_bins *bins, uint64_t value)
{
    if (!FTR_LIKELY(bins->count > 0 && !bins->rounded))
        return false;
    ftr_latency_bin *const bin = &bins->bins[(size_t)ftr_hash_number(value) & (bins->capacity - 1)];
    if (!FTR_LIKELY(bin->value == value && bin->count > 0))
        return false;
    bin->count++;
    bins->count++;
    bins->sum += value;
    return true;
}

/* Adds @p value @p count times. @return false if out of memory */
bool ftr_latency_bins_add(ftr_latency_bins *bins, uint64_t value, uint64_t count);

/* Adds all values of @p from, each multiplied by @p factor. @return false if out of memory, or if a
 * product exceeds 64 bits */
bool ftr_latency_bins_merge(ftr_latency_bins *to, const ftr_latency_bins *from, uint64_t factor);

/* Sorts the bins by value, and frees the memory that they do not need. Nothing may be added after
 * this call. */
void ftr_latency_bins_sort(ftr_latency_bins *bins);

/* Returns the greatest common divisor of the differences between sorted values; 1 if there are
 * fewer than two values. */
uint64_t ftr_latency_bins_step(const ftr_latency_bins *bins);

/* Returns a percentile by the nearest rank: the smallest value for which at least @p percent (in
 * 1/FTR_PERCENT %) of all values are less or equal; 0 if there are no values. The value is rounded
 * down if `rounded` is set. Sorts the bins. */
uint64_t ftr_latency_bins_percentile(ftr_latency_bins *bins, uint32_t percent);

/* Returns the mean, rounded to the nearest integer; 0 if there are no values. */
uint64_t ftr_latency_bins_mean(const ftr_latency_bins *bins);

void ftr_latency_bins_release(ftr_latency_bins *bins);

/* Returns the greatest common divisor. If @p a is 0, returns @p b. */
static inline uint64_t ftr_greatest_divisor(uint64_t a, uint64_t b)
{
    while (a != 0) {
        const uint64_t rest = b % a;
        b = a;
        a = rest;
    }
    return b;
}

#endif
