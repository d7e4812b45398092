/* Chooses the length of the time slots of all series. */
#include "collected_series.h"

/* Maximum number of cells (slots, times columns) in all series of a run, so that a summary is small
 * even with many generators. A run has more cells only if it has at most SLOTS_FEW slots. */
#define CELLS_MAX 2048u
#define SLOTS_FEW 8u
/* Maximum number of cells of a run with more than one slot: they take 8 MiB. */
#define CELLS_LIMIT ((uint64_t)1 << 20)
#define SHIFT_MAX 63u

uint64_t ftr_collected_series_taken(const struct ftr_run_collector *collector)
{
    uint64_t cells = 0;
    for (size_t i = 0; i < collector->taken_stream_count; i++)
        cells += collector->taken_streams[i].count;
    for (size_t i = 0; i < collector->taken_generator_count; i++)
        cells += (uint64_t)FTR_SERIES_COLUMNS * collector->taken_generators[i].count;
    return cells;
}

/* Merges each two slots of all series. */
static void halve_all(struct ftr_run_collector *collector)
{
    ftr_collected_slots *slots = &collector->slots;
    slots->cells = 0;
    slots->shift++;
    for (size_t i = 0; i < collector->stream_count; i++) {
        ftr_time_series *series = &collector->streams[i].figures.series;
        ftr_time_series_halve(series);
        slots->cells += series->count;
    }
    for (size_t i = 0; i < collector->generator_count; i++) {
        ftr_time_series *series = &collector->generators[i].figures.series;
        ftr_time_series_halve(series);
        slots->cells += (uint64_t)FTR_SERIES_COLUMNS * series->count;
    }
    for (size_t i = 0; i < collector->taken_stream_count; i++)
        ftr_time_series_halve(&collector->taken_streams[i]);
    for (size_t i = 0; i < collector->taken_generator_count; i++)
        ftr_time_series_halve(&collector->taken_generators[i]);
    slots->cells += ftr_collected_series_taken(collector);
}

/* Returns true if the slots are too short for the present transactions, with @p added cells
 * more. */
static bool are_too_many(const ftr_collected_slots *slots, uint64_t added)
{
    const uint64_t further = (slots->last >> slots->shift) - (slots->first >> slots->shift);
    const uint64_t cells = slots->cells + added;
    if (further >= FTR_SERIES_SLOTS_MAX)
        return true;
    return slots->shift < SHIFT_MAX &&
           ((cells > CELLS_MAX && further >= SLOTS_FEW) || (cells > CELLS_LIMIT && further >= 1));
}

/* Returns the number of slots that the series would need in addition. */
static uint64_t missing_slots(const ftr_time_series *series, uint64_t low, uint64_t high)
{
    if (series->count > 0) {
        const uint64_t last = series->first + series->count - 1;
        low = series->first < low ? series->first : low;
        high = last > high ? last : high;
    }
    return high - low < FTR_SERIES_SLOTS_MAX ? high - low + 1 - series->count
                                             : FTR_SERIES_SLOTS_MAX;
}

bool ftr_collected_series_extend(struct ftr_run_collector *collector, ftr_time_series *series,
                                 uint64_t first, uint64_t last)
{
    ftr_collected_slots *slots = &collector->slots;
    slots->first = !slots->are_used || first < slots->first ? first : slots->first;
    slots->last = !slots->are_used || last > slots->last ? last : slots->last;
    slots->are_used = true;
    uint64_t added;
    while (added =
               series->columns * missing_slots(series, first >> slots->shift, last >> slots->shift),
           are_too_many(slots, added))
        halve_all(collector);
    if (!ftr_time_series_cover(series, first >> slots->shift, last >> slots->shift))
        return false;
    slots->cells += added;
    return true;
}
