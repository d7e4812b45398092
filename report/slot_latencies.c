/* Owns the latencies of one slot. Does not know slots. */
#include "slot_latencies.h"

#include "growing_array.h"

static bool move_to_bins(ftr_slot_latencies *latencies)
{
    for (size_t i = 0; i < latencies->count; i++)
        if (!ftr_latency_bins_add(&latencies->bins, latencies->values[i], 1))
            return false;
    latencies->count = 0;
    return true;
}

bool ftr_slot_latencies_add(ftr_slot_latencies *latencies, uint64_t value)
{
    latencies->greatest = value > latencies->greatest ? value : latencies->greatest;
    if (latencies->bins.count > 0)
        return ftr_latency_bins_add(&latencies->bins, value, 1);
    if (latencies->count == FTR_SLOT_VALUES_MAX)
        return move_to_bins(latencies) && ftr_latency_bins_add(&latencies->bins, value, 1);
    if (!ftr_array_grow(&latencies->values, &latencies->capacity, latencies->count,
                        sizeof *latencies->values))
        return false;
    latencies->values[latencies->count++] = value;
    latencies->selected = 0;
    return true;
}

static void swap(uint64_t *a, uint64_t *b)
{
    const uint64_t kept = *a;
    *a = *b;
    *b = kept;
}

static uint64_t middle_of_three(uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t low = a < b ? a : b;
    const uint64_t high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* Finds the value that a sorted array has at @p rank, which is at least @p low. No value before
 * @p low is greater than a later one; afterwards the same is true for @p rank. */
static uint64_t select_rank(uint64_t *values, size_t low, size_t count, size_t rank)
{
    size_t high = count - 1;
    while (low < high) {
        const uint64_t pivot =
            middle_of_three(values[low], values[low + (high - low) / 2], values[high]);
        size_t left = low, right = high;
        for (;;) {
            while (values[left] < pivot)
                left++;
            while (values[right] > pivot)
                right--;
            if (left >= right)
                break;
            swap(&values[left++], &values[right--]);
        }
        if (rank <= right)
            high = right;
        else
            low = right + 1;
    }
    return values[rank];
}

uint64_t ftr_slot_latencies_percentile(ftr_slot_latencies *latencies, uint32_t percent)
{
    if (latencies->bins.count > 0)
        return ftr_latency_bins_percentile(&latencies->bins, percent);
    if (latencies->count == 0)
        return 0;
    const uint64_t whole = UINT64_C(100) * FTR_PERCENT;
    const uint64_t rank = (latencies->count * percent + whole - 1) / whole;
    const size_t at = rank > 0 ? (size_t)rank - 1 : 0;
    const size_t low = at >= latencies->selected ? latencies->selected : 0;
    latencies->selected = at;
    return select_rank(latencies->values, low, latencies->count, at);
}

void ftr_slot_latencies_clear(ftr_slot_latencies *latencies)
{
    ftr_latency_bins_release(&latencies->bins);
    latencies->count = latencies->selected = 0;
    latencies->greatest = 0;
}

void ftr_slot_latencies_release(ftr_slot_latencies *latencies)
{
    ftr_latency_bins_release(&latencies->bins);
    free(latencies->values);
    *latencies = (ftr_slot_latencies){0};
}
