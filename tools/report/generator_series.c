/* The curves of one generator. */
#include "generator_series.h"

#include <stdlib.h>

bool ftr_generator_series_init(ftr_generator_series *series, const ftr_time_slots *slots,
                               bool has_slots)
{
    *series = (ftr_generator_series){.slots = slots};
    if (has_slots)
        series->of = calloc(slots->count, sizeof *series->of);
    return series->of != NULL || !has_slots;
}

void ftr_generator_series_note(ftr_generator_series *series, size_t slot, uint64_t open)
{
    if (series->of != NULL)
        ftr_series_slot_note(&series->of[slot], open);
}

/* Computes the percentiles of the time slot `now`. @return false if out of memory */
static bool complete(ftr_generator_series *series)
{
    ftr_series_slot *done = &series->of[series->now];
    const uint32_t percents[2] = {50 * FTR_PERCENT, 99 * FTR_PERCENT};
    uint64_t values[2] = {0, 0};
    const bool ok = ftr_slot_latencies_percentiles(&series->latencies, percents, values);
    done->p50 = values[0];
    done->p99 = values[1];
    done->max = series->latencies.greatest;
    ftr_slot_latencies_clear(&series->latencies);
    return ok;
}

bool ftr_generator_series_begin(ftr_generator_series *series, size_t slot)
{
    const bool ok = complete(series);
    series->now = slot;
    return ok;
}

bool ftr_generator_series_settle(ftr_generator_series *series)
{
    return series->of == NULL || complete(series);
}

void ftr_generator_series_print(const ftr_generator_series *series, ftr_data_block *block,
                                ftr_json *json)
{
    const ftr_series_slot *slots = series->of;
    const size_t count = series->slots->count;
#define PUT(member) \
    ftr_json_values(json, #member, block, FTR_DATA_MEMBER(slots, member, count), false)
    PUT(count);
    PUT(errors);
    PUT(bytes);
    PUT(busy);
    PUT(outstanding);
    PUT(p50);
    PUT(p99);
    PUT(max);
#undef PUT
}

void ftr_generator_series_release(ftr_generator_series *series)
{
    free(series->of);
    ftr_slot_latencies_release(&series->latencies);
    *series = (ftr_generator_series){0};
}
