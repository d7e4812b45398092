/* Counts in equal slots of simulated time (time slots). Slot n of a series begins at tick n <<
 * shift and has 2^shift ticks. The owner of the series knows the shift, because all series of a run
 * have slots of the same length (collected_series.h). */
#ifndef FTR_TIME_SERIES_H
#define FTR_TIME_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maximum number of time slots of a run. */
#define FTR_SERIES_SLOTS_MAX 256u

/* A transaction is counted in the slot that contains its begin. Its busy time is distributed over
 * all slots that it overlaps. */
typedef enum ftr_series_column {
    FTR_SERIES_BUSY, /* number of busy ticks in the slot */
    FTR_SERIES_TRANSACTIONS,
    FTR_SERIES_BYTES,
    FTR_SERIES_LATENCY_SUM, /* ticks; UINT64_MAX: the sum is greater */
    FTR_SERIES_LATENCY_MAX,
    FTR_SERIES_COLUMNS
} ftr_series_column;

/* `{0}` has no slots. A series has the columns of a generator, or only FTR_SERIES_BUSY. */
typedef struct ftr_time_series {
    uint64_t *cells; /* `columns` numbers for each slot */
    uint64_t first;  /* number of the first slot */
    uint16_t count, capacity;
    uint8_t columns; /* FTR_SERIES_COLUMNS or 1; set by the owner before the first slot */
} ftr_time_series;

/* The series of the streams of a run, and of their generators. */
typedef struct ftr_series_list {
    const ftr_time_series *streams;
    size_t stream_count;
    const ftr_time_series *generators;
    size_t generator_count;
} ftr_series_list;

/* Returns the cells of a slot. The index of a cell is its ftr_series_column. */
static inline uint64_t *ftr_series_cells(const ftr_time_series *series, size_t slot)
{
    return series->cells + slot * series->columns;
}

/* Extends the series so that it contains the slots @p low to @p high, at most FTR_SERIES_SLOTS_MAX
 * together with its present slots. @return false if out of memory; the series is then unchanged */
bool ftr_time_series_cover(ftr_time_series *series, uint64_t low, uint64_t high);

/* Counts a transaction in a slot of a generator's series. */
static inline void ftr_series_cells_add(uint64_t *slot, uint64_t bytes, uint64_t latency)
{
    slot[FTR_SERIES_TRANSACTIONS]++;
    slot[FTR_SERIES_BYTES] += bytes;
    slot[FTR_SERIES_LATENCY_SUM] = latency > UINT64_MAX - slot[FTR_SERIES_LATENCY_SUM]
                                       ? UINT64_MAX
                                       : slot[FTR_SERIES_LATENCY_SUM] + latency;
    if (latency > slot[FTR_SERIES_LATENCY_MAX])
        slot[FTR_SERIES_LATENCY_MAX] = latency;
}

/* Adds the ticks [begin, end) to the busy time of their slots, which must exist. Does nothing if
 * begin >= end. */
void ftr_time_series_add_busy(ftr_time_series *series, unsigned shift, uint64_t begin,
                              uint64_t end);

/* Merges each slot with an even number and the next slot. */
void ftr_time_series_halve(ftr_time_series *series);

/* Adds the counts of @p from, which has slots of the same length and the same columns. @return
 * false if out of memory, or if both together have too many slots */
bool ftr_time_series_merge(ftr_time_series *to, const ftr_time_series *from);

void ftr_time_series_release(ftr_time_series *series);

#endif
