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

bool ftr_slot_latencies_put(ftr_slot_latencies *latencies, uint64_t value)
{
    if (latencies->bins.count > 0)
        return ftr_latency_bins_add(&latencies->bins, value, 1);
    if (latencies->count == FTR_SLOT_VALUES_MAX)
        return move_to_bins(latencies) && ftr_latency_bins_add(&latencies->bins, value, 1);
    if (!ftr_array_grow(&latencies->values, &latencies->capacity, latencies->count,
                        sizeof *latencies->values))
        return false;
    latencies->values[latencies->count++] = value;
    latencies->is_classed = false;
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

/* Returns the value at @p rank of the values in ascending order. Reorders the values. */
static uint64_t select_rank(uint64_t *values, size_t count, size_t rank)
{
    size_t low = 0, high = count - 1;
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

/* ---- classes --------------------------------------------------------------------------------- */

static unsigned class_of(const ftr_slot_latencies *latencies, uint64_t value)
{
    return (unsigned)((value - latencies->least) >> latencies->class_shift);
}

/* Counts the values of each class. A class contains the values with the same high bits. */
static void count_classes(ftr_slot_latencies *latencies)
{
    uint64_t least = latencies->values[0];
    for (size_t i = 1; i < latencies->count; i++)
        least = latencies->values[i] < least ? latencies->values[i] : least;
    latencies->least = least;
    latencies->class_shift = 0;
    while ((latencies->greatest - least) >> latencies->class_shift >= FTR_SLOT_CLASSES)
        latencies->class_shift++;
    memset(latencies->classes, 0, sizeof latencies->classes);
    for (size_t i = 0; i < latencies->count; i++)
        latencies->classes[class_of(latencies, latencies->values[i])]++;
    latencies->is_classed = true;
}

/* Finds the value at @p rank among the values of its class, which are copied to the room after all
 * values.
 * @return false if out of memory */
static bool find_in_class(ftr_slot_latencies *latencies, size_t rank, uint64_t *found)
{
    unsigned class_ = 0;
    for (; rank >= latencies->classes[class_]; class_++)
        rank -= latencies->classes[class_];
    const size_t size = latencies->classes[class_];
    if (latencies->class_shift == 0) {
        *found = latencies->least + class_;
        return true;
    }
    if (!ftr_array_fit(&latencies->values, &latencies->capacity, latencies->count + size + 1,
                       sizeof *latencies->values))
        return false;
    uint64_t *const members = latencies->values + latencies->count;
    size_t count = 0;
    for (size_t i = 0; i < latencies->count; i++) {
        members[count] = latencies->values[i]; /* kept only if the class is right */
        count += class_of(latencies, latencies->values[i]) == class_;
    }
    *found = select_rank(members, size, rank);
    return true;
}

bool ftr_slot_latencies_percentile(ftr_slot_latencies *latencies, uint32_t percent, uint64_t *value)
{
    if (latencies->bins.count > 0) {
        *value = ftr_latency_bins_percentile(&latencies->bins, percent);
        return true;
    }
    *value = 0;
    if (latencies->count == 0)
        return true;
    const uint64_t whole = UINT64_C(100) * FTR_PERCENT;
    const uint64_t rank = (latencies->count * percent + whole - 1) / whole;
    if (!latencies->is_classed)
        count_classes(latencies);
    return find_in_class(latencies, rank > 0 ? (size_t)rank - 1 : 0, value);
}

void ftr_slot_latencies_clear(ftr_slot_latencies *latencies)
{
    ftr_latency_bins_release(&latencies->bins);
    latencies->count = 0;
    latencies->is_classed = false;
    latencies->greatest = 0;
}

void ftr_slot_latencies_release(ftr_slot_latencies *latencies)
{
    ftr_latency_bins_release(&latencies->bins);
    free(latencies->values);
    *latencies = (ftr_slot_latencies){0};
}
