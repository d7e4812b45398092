/* The series of all streams and generators of a collector. All of them have time slots of the same
 * length. If together they have too many slots, neighbouring slots of all series are merged. The
 * limits are tested with each new slot, so the series never take much memory. The result does not
 * depend on the order of the transactions: a length of slots that is too short for a part of the
 * transactions is also too short for all of them. */
#ifndef FTR_COLLECTED_SERIES_H
#define FTR_COLLECTED_SERIES_H

#include "collector_parts.h"

/* Returns the number of cells of the series that were moved out with ftr_run_collector_take(). */
uint64_t ftr_collected_series_taken(const struct ftr_run_collector *collector);

/* Adds slots for the ticks @p first to @p last, which are not all in the series yet. @return false
 * if out of memory */
bool ftr_collected_series_extend(struct ftr_run_collector *collector, ftr_time_series *series,
                                 uint64_t first, uint64_t last);

/* Makes sure that the series has slots for the ticks @p first to @p last. The slots of all series
 * can change. @return false if out of memory */
static inline bool ftr_collected_series_cover(struct ftr_run_collector *collector,
                                              ftr_time_series *series, uint64_t first,
                                              uint64_t last)
{
    const unsigned shift = collector->slots.shift;
    /* A number that is less than `first` wraps to a large number. */
    if (FTR_LIKELY((first >> shift) - series->first < series->count &&
                   (last >> shift) - series->first < series->count))
        return true;
    return ftr_collected_series_extend(collector, series, first, last);
}

/* Counts a transaction of a generator that begins at the tick @p begin, which must have a slot. */
static inline void ftr_collected_series_add(const struct ftr_run_collector *collector,
                                            ftr_time_series *series, uint64_t begin, uint64_t bytes,
                                            uint64_t latency)
{
    const uint64_t slot = (begin >> collector->slots.shift) - series->first;
    ftr_series_cells_add(series->cells + slot * FTR_SERIES_COLUMNS, bytes, latency);
}

/* Adds the ticks [begin, end) to the busy time. They must have slots. @p columns: of the series; a
 * constant */
static inline void ftr_collected_series_add_busy(const struct ftr_run_collector *collector,
                                                 ftr_time_series *series, unsigned columns,
                                                 uint64_t begin, uint64_t end)
{
    const unsigned shift = collector->slots.shift;
    const uint64_t number = begin >> shift;
    if (FTR_LIKELY(begin < end && number == (end - 1) >> shift))
        series->cells[(number - series->first) * columns + FTR_SERIES_BUSY] += end - begin;
    else
        ftr_time_series_add_busy(series, shift, begin, end);
}

#endif
