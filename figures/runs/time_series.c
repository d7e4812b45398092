/* The slots of simulated time. */
#include "time_series.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY_MIN 8u

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

static void add_slot(ftr_time_slot *to, const ftr_time_slot *from)
{
    to->transactions += from->transactions;
    to->bytes += from->bytes;
    to->busy += from->busy;
    to->latency_sum = add_saturating(to->latency_sum, from->latency_sum);
    if (from->latency_max > to->latency_max)
        to->latency_max = from->latency_max;
}

void ftr_time_series_fold(ftr_time_series *series, unsigned shift)
{
    const unsigned by = shift - series->shift;
    if (by == 0 || series->count == 0) {
        series->shift = shift;
        return;
    }
    const uint64_t first = by < 64 ? series->first >> by : 0;
    unsigned count = 0;
    for (unsigned i = 0; i < series->count; i++) {
        const ftr_time_slot slot = series->slots[i];
        const uint64_t number = by < 64 ? (series->first + i) >> by : 0;
        const unsigned at = (unsigned)(number - first);
        if (at == count)
            series->slots[count++] = (ftr_time_slot){0};
        add_slot(&series->slots[at], &slot);
    }
    series->first = first;
    series->shift = shift;
    series->count = count;
}

/* Makes room for the time slots @p low to @p high. Time slot n begins at n << shift, with the
 * present shift. */
static bool cover(ftr_time_series *series, uint64_t low, uint64_t high)
{
    const unsigned count = (unsigned)(high - low) + 1;
    if (count > series->capacity) {
        unsigned capacity = series->capacity > 0 ? series->capacity : CAPACITY_MIN;
        while (capacity < count)
            capacity *= 2;
        ftr_time_slot *grown = realloc(series->slots, capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        series->slots = grown;
        series->capacity = capacity;
    }
    const unsigned before = series->count > 0 ? (unsigned)(series->first - low) : 0;
    if (before > 0)
        memmove(series->slots + before, series->slots, series->count * sizeof *series->slots);
    memset(series->slots, 0, before * sizeof *series->slots);
    const unsigned end = before + series->count;
    memset(series->slots + end, 0, (count - end) * sizeof *series->slots);
    series->first = low;
    series->count = count;
    return true;
}

/* Returns the time slot of a tick; NULL if out of memory. */
static ftr_time_slot *slot_of(ftr_time_series *series, uint64_t tick)
{
    uint64_t number = tick >> series->shift;
    /* If the number is less than `first`, the difference wraps to a large number. */
    if (number - series->first < series->count)
        return &series->slots[number - series->first];
    uint64_t low = number, high = number;
    if (series->count > 0) {
        const uint64_t last = series->first + series->count - 1;
        unsigned shift = series->shift;
        low = series->first < number ? series->first : number;
        high = last > number ? last : number;
        for (; high - low >= FTR_SERIES_SLOTS_MAX; shift++) {
            low >>= 1;
            high >>= 1;
        }
        ftr_time_series_fold(series, shift);
        number = tick >> shift;
    }
    return cover(series, low, high) ? &series->slots[number - low] : NULL;
}

bool ftr_time_series_add(ftr_time_series *series, uint64_t begin, uint64_t bytes, uint64_t latency)
{
    ftr_time_slot *slot = slot_of(series, begin);
    const ftr_time_slot one = {
        .transactions = 1, .bytes = bytes, .latency_sum = latency, .latency_max = latency};
    if (slot != NULL)
        add_slot(slot, &one);
    return slot != NULL;
}

bool ftr_time_series_add_busy(ftr_time_series *series, uint64_t begin, uint64_t end)
{
    if (begin >= end)
        return true;
    ftr_time_slot *slot = slot_of(series, begin);
    if (slot == NULL)
        return false;
    if (begin >> series->shift == (end - 1) >> series->shift) {
        slot->busy += end - begin;
        return true;
    }
    if (slot_of(series, end - 1) == NULL)
        return false;
    const uint64_t last = (end - 1) >> series->shift;
    for (uint64_t number = begin >> series->shift; number <= last; number++) {
        const uint64_t from = number << series->shift;
        const uint64_t to = number == last ? end : (number + 1) << series->shift;
        series->slots[number - series->first].busy += to - (from > begin ? from : begin);
    }
    return true;
}

bool ftr_time_series_merge(ftr_time_series *to, const ftr_time_series *from)
{
    if (from->count == 0)
        return true;
    if (to->count == 0)
        to->shift = from->shift;
    uint64_t low = from->first, high = from->first + from->count - 1;
    if (to->count > 0) {
        const uint64_t last = to->first + to->count - 1;
        low = to->first < low ? to->first : low;
        high = last > high ? last : high;
    }
    if (to->shift != from->shift || high - low >= FTR_SERIES_SLOTS_MAX || !cover(to, low, high))
        return false;
    for (unsigned i = 0; i < from->count; i++)
        add_slot(&to->slots[from->first + i - low], &from->slots[i]);
    return true;
}

void ftr_time_series_release(ftr_time_series *series)
{
    free(series->slots);
    *series = (ftr_time_series){0};
}
