/* The slots of simulated time. */
#include "time_series.h"

#include <stdlib.h>
#include <string.h>

/* Up to this number of slots, a series has no spare memory: with thousands of generators, their
 * series have few slots, which are seldom extended. */
#define SLOTS_EXACT 10u

static void add_slot(uint64_t *to, const uint64_t *from, unsigned columns)
{
    to[FTR_SERIES_BUSY] += from[FTR_SERIES_BUSY];
    if (columns == 1)
        return;
    to[FTR_SERIES_TRANSACTIONS] += from[FTR_SERIES_TRANSACTIONS];
    to[FTR_SERIES_BYTES] += from[FTR_SERIES_BYTES];
    const uint64_t sum = from[FTR_SERIES_LATENCY_SUM];
    to[FTR_SERIES_LATENCY_SUM] = sum > UINT64_MAX - to[FTR_SERIES_LATENCY_SUM]
                                     ? UINT64_MAX
                                     : to[FTR_SERIES_LATENCY_SUM] + sum;
    if (from[FTR_SERIES_LATENCY_MAX] > to[FTR_SERIES_LATENCY_MAX])
        to[FTR_SERIES_LATENCY_MAX] = from[FTR_SERIES_LATENCY_MAX];
}

bool ftr_time_series_cover(ftr_time_series *series, uint64_t low, uint64_t high)
{
    const size_t slot = series->columns * sizeof *series->cells;
    if (series->count > 0) {
        const uint64_t last = series->first + series->count - 1;
        low = series->first < low ? series->first : low;
        high = last > high ? last : high;
    }
    const unsigned count = (unsigned)(high - low) + 1;
    if (count > series->capacity) {
        unsigned capacity = SLOTS_EXACT;
        while (capacity < count)
            capacity *= 2;
        if (count <= SLOTS_EXACT)
            capacity = count;
        uint64_t *grown = realloc(series->cells, capacity * slot);
        if (grown == NULL)
            return false;
        series->cells = grown;
        series->capacity = (uint16_t)capacity;
    }
    const unsigned before = series->count > 0 ? (unsigned)(series->first - low) : 0;
    const unsigned end = before + series->count;
    if (before > 0)
        memmove(ftr_series_cells(series, before), series->cells, series->count * slot);
    memset(series->cells, 0, before * slot);
    memset(ftr_series_cells(series, end), 0, (count - end) * slot);
    series->first = low;
    series->count = (uint16_t)count;
    return true;
}

void ftr_time_series_add_busy(ftr_time_series *series, unsigned shift, uint64_t begin, uint64_t end)
{
    if (begin >= end)
        return;
    const uint64_t last = (end - 1) >> shift;
    for (uint64_t number = begin >> shift; number <= last; number++) {
        const uint64_t from = number << shift;
        const uint64_t to = number == last ? end : (number + 1) << shift;
        ftr_series_cells(series, number - series->first)[FTR_SERIES_BUSY] +=
            to - (from > begin ? from : begin);
    }
}

void ftr_time_series_halve(ftr_time_series *series)
{
    if (series->count == 0)
        return;
    const unsigned columns = series->columns;
    const uint64_t first = series->first >> 1;
    unsigned count = 0;
    for (unsigned i = 0; i < series->count; i++) {
        const uint64_t *from = ftr_series_cells(series, i);
        const unsigned at = (unsigned)(((series->first + i) >> 1) - first);
        uint64_t *to = ftr_series_cells(series, at);
        if (at < count)
            add_slot(to, from, columns);
        else
            memmove(to, from, columns * sizeof *to);
        count = at + 1;
    }
    series->first = first;
    series->count = (uint16_t)count;
}

bool ftr_time_series_merge(ftr_time_series *to, const ftr_time_series *from)
{
    if (from->count == 0)
        return true;
    uint64_t low = from->first, high = from->first + from->count - 1;
    if (to->count > 0) {
        const uint64_t last = to->first + to->count - 1;
        low = to->first < low ? to->first : low;
        high = last > high ? last : high;
    }
    to->columns = from->columns;
    if (high - low >= FTR_SERIES_SLOTS_MAX || !ftr_time_series_cover(to, low, high))
        return false;
    for (unsigned i = 0; i < from->count; i++)
        add_slot(ftr_series_cells(to, from->first + i - low), ftr_series_cells(from, i),
                 from->columns);
    return true;
}

void ftr_time_series_release(ftr_time_series *series)
{
    free(series->cells);
    *series = (ftr_time_series){.columns = series->columns};
}
