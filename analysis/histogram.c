/* Owns the counts of values. Does not know the meaning of the values. */
#include "histogram.h"

#include <stdlib.h>

#define EXACT_MAX 65536u
/* Number of significant bits of a rounded value. */
#define BITS_KEPT 11

static uint64_t round_value(uint64_t value)
{
    const int bits = value > 0 ? 64 - __builtin_clzll(value) : 0;
    return bits > BITS_KEPT ? value >> (bits - BITS_KEPT) << (bits - BITS_KEPT) : value;
}

static ftr_histogram_bin *bin_of(const ftr_histogram *histogram, uint64_t value)
{
    size_t at = (size_t)((value * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (histogram->capacity - 1);
    while (histogram->bins[at].count != 0 && histogram->bins[at].value != value)
        at = (at + 1) & (histogram->capacity - 1);
    return &histogram->bins[at];
}

static bool rebuild(ftr_histogram *histogram, size_t capacity)
{
    ftr_histogram grown = *histogram;
    grown.capacity = capacity;
    grown.used = 0;
    grown.bins = calloc(capacity, sizeof *grown.bins);
    if (grown.bins == NULL)
        return false;
    for (size_t i = 0; i < histogram->capacity; i++) {
        const ftr_histogram_bin *old = &histogram->bins[i];
        if (old->count == 0)
            continue;
        const uint64_t value = grown.rounded ? round_value(old->value) : old->value;
        ftr_histogram_bin *bin = bin_of(&grown, value);
        grown.used += bin->count == 0;
        bin->value = value;
        bin->count += old->count;
    }
    free(histogram->bins);
    *histogram = grown;
    return true;
}

bool ftr_histogram_add(ftr_histogram *histogram, uint64_t value, uint64_t count)
{
    if (histogram->count == 0 || value < histogram->least)
        histogram->least = value;
    if (histogram->count == 0 || value > histogram->greatest)
        histogram->greatest = value;
    histogram->count += count;
    histogram->sum += (long double)value * (long double)count;
    if ((histogram->used + 1) * 2 > histogram->capacity) {
        histogram->rounded |= histogram->used >= EXACT_MAX;
        if (!rebuild(histogram, histogram->capacity > 0 ? histogram->capacity * 2 : 64))
            return false;
    }
    if (histogram->rounded)
        value = round_value(value);
    ftr_histogram_bin *bin = bin_of(histogram, value);
    histogram->used += bin->count == 0;
    bin->value = value;
    bin->count += count;
    return true;
}

bool ftr_histogram_merge(ftr_histogram *to, const ftr_histogram *from)
{
    const uint64_t count = to->count + from->count;
    const long double sum = to->sum + from->sum;
    const uint64_t least = to->count == 0 || from->least < to->least ? from->least : to->least;
    const uint64_t greatest =
        to->count == 0 || from->greatest > to->greatest ? from->greatest : to->greatest;
    if (from->count == 0)
        return true;
    to->rounded |= from->rounded;
    for (size_t i = 0; i < from->capacity; i++)
        if (from->bins[i].count > 0 &&
            !ftr_histogram_add(to, from->bins[i].value, from->bins[i].count))
            return false;
    to->count = count;
    to->sum = sum;
    to->least = least;
    to->greatest = greatest;
    return true;
}

static int compare_bins(const void *a, const void *b)
{
    const ftr_histogram_bin *x = a;
    const ftr_histogram_bin *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

uint64_t ftr_histogram_percentile(ftr_histogram *histogram, unsigned percent)
{
    if (histogram->count == 0)
        return 0;
    if (!histogram->sorted) {
        size_t used = 0;
        for (size_t i = 0; i < histogram->capacity; i++)
            if (histogram->bins[i].count > 0)
                histogram->bins[used++] = histogram->bins[i];
        qsort(histogram->bins, used, sizeof *histogram->bins, compare_bins);
        histogram->sorted = true;
    }
    /* The nearest-rank method: rank = ceil(percent / 100 * count). */
    const uint64_t whole = histogram->count / 100;
    const uint64_t part = histogram->count % 100;
    const uint64_t rank = whole * percent + (part * percent + 99) / 100;
    uint64_t passed = 0;
    for (size_t i = 0; i < histogram->used; i++) {
        passed += histogram->bins[i].count;
        if (passed >= rank)
            return histogram->bins[i].value;
    }
    return histogram->greatest;
}

uint64_t ftr_histogram_mean(const ftr_histogram *histogram)
{
    return histogram->count > 0 ? (uint64_t)(histogram->sum / (long double)histogram->count + 0.5L)
                                : 0;
}

void ftr_histogram_release(ftr_histogram *histogram)
{
    free(histogram->bins);
    *histogram = (ftr_histogram){0};
}
