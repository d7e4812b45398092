/* Counts latencies. */
#include "latency_bins.h"

#include "open_table.h"

#include <stdlib.h>

/* Number of bits that a rounded value keeps. Then at most 2^11 + 53 * 2^10 different values exist,
 * less than FTR_LATENCY_EXACT_MAX. */
#define BITS_KEPT 11
/* The first capacity is small, because there can be thousands of generators. */
#define CAPACITY_MIN 2u
/* From this capacity on, at most half of the table is used, so that searches are short. */
#define CAPACITY_HALF_USED 64u

/* Returns @p value rounded: the value of its bin if values are rounded. */
static uint64_t latency_round(uint64_t value)
{
    const int bits = value > 0 ? 64 - __builtin_clzll(value) : 0;
    return bits > BITS_KEPT ? value >> (bits - BITS_KEPT) << (bits - BITS_KEPT) : value;
}

static bool is_free(const void *bin)
{
    return ((const ftr_latency_bin *)bin)->count == 0;
}

static const ftr_table_rule RULE = {sizeof(ftr_latency_bin), 0, is_free, ftr_table_has_number,
                                    ftr_table_hash_number};

static ftr_latency_bin *bin_of(const ftr_latency_bins *bins, uint64_t value)
{
    return ftr_table_search(&RULE, bins->bins, bins->capacity, ftr_hash_number(value), &value);
}

/* Rounds the values and merges bins that become equal. */
static bool round_all(ftr_latency_bins *bins)
{
    ftr_latency_bins rounded = *bins;
    rounded.bins = calloc(bins->capacity, sizeof *rounded.bins);
    if (rounded.bins == NULL)
        return false;
    rounded.used = 0;
    for (size_t i = 0; i < bins->capacity; i++) {
        const ftr_latency_bin *old = &bins->bins[i];
        if (old->count == 0)
            continue;
        ftr_latency_bin *bin = bin_of(&rounded, latency_round(old->value));
        rounded.used += bin->count == 0;
        bin->value = latency_round(old->value);
        bin->count += old->count;
    }
    rounded.rounded = true;
    free(bins->bins);
    *bins = rounded;
    return true;
}

static bool resize(ftr_latency_bins *bins, size_t larger)
{
    size_t capacity = bins->capacity;
    const bool ok = ftr_table_resize(&RULE, &bins->bins, &capacity, larger);
    bins->capacity = (uint32_t)capacity;
    return ok;
}

/* Adds to the bins, but not to count, sum, least and greatest. */
static bool add_to_bin(ftr_latency_bins *bins, uint64_t value, uint64_t count)
{
    if (bins->capacity == 0 && !resize(bins, CAPACITY_MIN))
        return false;
    if (bins->rounded)
        value = latency_round(value);
    ftr_latency_bin *bin = bin_of(bins, value);
    if (bin->count == 0 && bins->used == FTR_LATENCY_EXACT_MAX) {
        if (!round_all(bins))
            return false;
        value = latency_round(value);
        bin = bin_of(bins, value);
    }
    const bool is_full = bins->capacity < CAPACITY_HALF_USED
                             ? (bins->used + 1) * 4 > bins->capacity * 3
                             : (bins->used + 1) * 2 > bins->capacity;
    if (bin->count == 0 && is_full) {
        if (!resize(bins, (size_t)bins->capacity * 2))
            return false;
        bin = bin_of(bins, value);
    }
    bins->used += bin->count == 0;
    bin->value = value;
    bin->count += count;
    return true;
}

static void note_extremes(ftr_latency_bins *bins, uint64_t least, uint64_t greatest, uint64_t count)
{
    if (bins->count == 0 || least < bins->least)
        bins->least = least;
    if (bins->count == 0 || greatest > bins->greatest)
        bins->greatest = greatest;
    bins->count += count;
}

bool ftr_latency_bins_add(ftr_latency_bins *bins, uint64_t value, uint64_t count)
{
    if (!add_to_bin(bins, value, count))
        return false;
    note_extremes(bins, value, value, count);
    bins->sum += (ftr_wide)value * count;
    return true;
}

bool ftr_latency_bins_merge(ftr_latency_bins *to, const ftr_latency_bins *from, uint64_t factor)
{
    if (from->count == 0)
        return true;
    if (from->greatest > UINT64_MAX / factor)
        return false;
    if (from->rounded && !to->rounded) {
        if (to->capacity > 0 && !round_all(to))
            return false;
        to->rounded = true;
    }
    const size_t end = from->sorted ? from->used : from->capacity;
    for (size_t i = 0; i < end; i++)
        if (from->bins[i].count > 0 &&
            !add_to_bin(to, from->bins[i].value * factor, from->bins[i].count))
            return false;
    note_extremes(to, from->least * factor, from->greatest * factor, from->count);
    to->sum += from->sum * factor;
    return true;
}

static int compare_bins(const void *a, const void *b)
{
    const ftr_latency_bin *x = a;
    const ftr_latency_bin *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

void ftr_latency_bins_sort(ftr_latency_bins *bins)
{
    uint32_t used = 0;
    if (bins->sorted || bins->count == 0)
        return;
    for (uint32_t i = 0; i < bins->capacity; i++)
        if (bins->bins[i].count > 0)
            bins->bins[used++] = bins->bins[i];
    qsort(bins->bins, used, sizeof *bins->bins, compare_bins);
    bins->sorted = true;
    ftr_latency_bin *fitted = used > 0 ? realloc(bins->bins, used * sizeof *fitted) : NULL;
    if (fitted != NULL) {
        bins->bins = fitted;
        bins->capacity = used;
    }
}

uint64_t ftr_latency_bins_step(const ftr_latency_bins *bins)
{
    uint64_t step = 0;
    for (size_t i = 1; i < bins->used && step != 1; i++)
        step = ftr_greatest_divisor(step, bins->bins[i].value - bins->bins[i - 1].value);
    return step > 0 ? step : 1;
}

uint64_t ftr_latency_bins_percentile(ftr_latency_bins *bins, uint32_t percent)
{
    if (bins->count == 0)
        return 0;
    if (percent == 0)
        return bins->least;
    if (percent >= 100 * FTR_PERCENT)
        return bins->greatest;
    ftr_latency_bins_sort(bins);
    const uint64_t rank = ftr_fraction_rank(ftr_fraction_of_percent(percent), bins->count);
    uint64_t passed = 0;
    for (size_t i = 0; i < bins->used; i++) {
        passed += bins->bins[i].count;
        if (passed >= rank)
            return bins->bins[i].value;
    }
    return bins->greatest;
}

uint64_t ftr_latency_bins_mean(const ftr_latency_bins *bins)
{
    return bins->count > 0 ? (uint64_t)((bins->sum + bins->count / 2) / bins->count) : 0;
}

void ftr_latency_bins_release(ftr_latency_bins *bins)
{
    free(bins->bins);
    *bins = (ftr_latency_bins){0};
}
