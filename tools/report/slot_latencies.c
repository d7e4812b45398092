/* The latencies of one time slot. */
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

/* Number of classes. A percentile is found in two steps: the class of the value, then the value in
 * this class. */
#define CLASSES 256u

/* A class contains the values with the same high bits: (value - least) >> shift. */
typedef struct value_classes {
    uint64_t least;
    unsigned shift;
    uint32_t sizes[CLASSES];
} value_classes;

/* A value that is sought. */
typedef struct sought_value {
    unsigned class_;
    size_t rank; /* rank among the values of the class */
} sought_value;

static void count_classes(const ftr_slot_latencies *latencies, value_classes *classes)
{
    const uint64_t *values = latencies->values;
    const size_t count = latencies->count;
    uint64_t least = values[0];
    unsigned shift = 0;
    for (size_t i = 1; i < count; i++)
        least = values[i] < least ? values[i] : least;
    while ((latencies->greatest - least) >> shift >= CLASSES)
        shift++;
    *classes = (value_classes){.least = least, .shift = shift};
    for (size_t i = 0; i < count; i++)
        classes->sizes[(values[i] - least) >> shift]++;
}

/* @param rank rank of the value among all values */
static sought_value seek(const value_classes *classes, size_t rank)
{
    sought_value sought = {0, rank};
    for (; sought.rank >= classes->sizes[sought.class_]; sought.class_++)
        sought.rank -= classes->sizes[sought.class_];
    return sought;
}

/* Copies the values of two classes. Each copy must have room for one value more, because a value is
 * stored before its class is compared. */
static void copy_two_classes(const ftr_slot_latencies *latencies, const value_classes *classes,
                             const sought_value sought[2], uint64_t *const copies[2])
{
    const uint64_t *values = latencies->values;
    const size_t count = latencies->count;
    const uint64_t least = classes->least;
    const unsigned shift = classes->shift;
    const uint64_t low_class = sought[0].class_, high_class = sought[1].class_;
    uint64_t *low = copies[0], *high = copies[1];
    for (size_t i = 0; i < count; i++) {
        const uint64_t value = values[i];
        const uint64_t class_ = (value - least) >> shift;
        *low = *high = value; /* the next value overwrites a value of another class */
        low += class_ == low_class;
        high += class_ == high_class;
    }
}

/* Copies the classes of the two values to the memory behind all values, and finds the values in
 * these copies.
 * @return false if out of memory */
static bool find_in_classes(ftr_slot_latencies *latencies, const value_classes *classes,
                            const sought_value sought[2], uint64_t found[2])
{
    const size_t low_size = classes->sizes[sought[0].class_];
    const size_t high_size = classes->sizes[sought[1].class_];
    if (!ftr_array_fit(&latencies->values, &latencies->capacity,
                       latencies->count + low_size + high_size + 2, sizeof *latencies->values))
        return false;
    uint64_t *const low = latencies->values + latencies->count;
    uint64_t *const copies[2] = {low, low + low_size + 1};
    copy_two_classes(latencies, classes, sought, copies);
    found[0] = select_rank(copies[0], low_size, sought[0].rank);
    found[1] = select_rank(copies[1], high_size, sought[1].rank);
    return true;
}

bool ftr_slot_latencies_percentiles(ftr_slot_latencies *latencies, const uint32_t percents[2],
                                    uint64_t values[2])
{
    value_classes classes;
    sought_value sought[2];
    if (latencies->bins.count > 0) {
        for (unsigned i = 0; i < 2; i++)
            values[i] = ftr_latency_bins_percentile(&latencies->bins, percents[i]);
        return true;
    }
    values[0] = values[1] = 0;
    if (latencies->count == 0)
        return true;
    count_classes(latencies, &classes);
    for (unsigned i = 0; i < 2; i++) {
        sought[i] = seek(
            &classes,
            (size_t)ftr_fraction_rank(ftr_fraction_of_percent(percents[i]), latencies->count) - 1);
        values[i] = classes.least + sought[i].class_;
    }
    return classes.shift == 0 || find_in_classes(latencies, &classes, sought, values);
}

void ftr_slot_latencies_clear(ftr_slot_latencies *latencies)
{
    ftr_latency_bins_release(&latencies->bins);
    latencies->count = 0;
    latencies->greatest = 0;
}

void ftr_slot_latencies_release(ftr_slot_latencies *latencies)
{
    ftr_latency_bins_release(&latencies->bins);
    free(latencies->values);
    *latencies = (ftr_slot_latencies){0};
}
