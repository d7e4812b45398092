/* Reads and writes the sections of a record: latencies, series, named times. */
#include "section_encoding.h"

#include <stdlib.h>

/* ---- distributions --------------------------------------------------------------------------- */

/* Codes the values of a distribution in ascending order. The number for a value is its distance
 * from the previous value in steps, minus 1. */
static void code_values(ftr_run_codec *c, unsigned columns, ftr_latency_bins *bins, uint64_t step)
{
    if (step == 0) {
        ftr_codec_fail(c, FTR_ERR_FORMAT);
        return;
    }
    ftr_begin_own_column(c, columns + FTR_DISTRIBUTION_VALUES, bins->used > 0 ? bins->used - 1 : 0);
    for (size_t i = 1; i < bins->used && ftr_codec_is_ok(c); i++) {
        const uint64_t before = bins->bins[i - 1].value;
        const uint64_t gap = ftr_code(c, (bins->bins[i].value - before) / step - 1);
        if (gap >= (UINT64_MAX - before) / step)
            ftr_codec_fail(c, FTR_ERR_FORMAT);
        if (ftr_codec_reads(c))
            bins->bins[i].value = before + (gap + 1) * step;
    }
}

static void code_counts(ftr_run_codec *c, unsigned columns, ftr_latency_bins *bins)
{
    uint64_t sum = 0;
    ftr_begin_own_column(c, columns + FTR_DISTRIBUTION_COUNTS, bins->used);
    for (size_t i = 0; i < bins->used && ftr_codec_is_ok(c); i++) {
        const uint64_t less = ftr_code(c, bins->bins[i].count - 1);
        if (less >= UINT64_MAX - sum)
            ftr_codec_fail(c, FTR_ERR_FORMAT);
        sum += less + 1;
        if (ftr_codec_reads(c))
            bins->bins[i].count = less + 1;
    }
}

/* Computes the count, the sum, and the least and greatest value from the bins. */
static void add_up(ftr_latency_bins *bins)
{
    bins->sorted = true;
    if (bins->used == 0)
        return;
    bins->least = bins->bins[0].value;
    bins->greatest = bins->bins[bins->used - 1].value;
    for (size_t i = 0; i < bins->used; i++) {
        bins->count += bins->bins[i].count;
        bins->sum += (ftr_wide)bins->bins[i].value * bins->bins[i].count;
    }
}

/* Codes the least and greatest value and the sum, which bins with rounded values do not contain. */
static void code_exact(ftr_run_codec *c, unsigned columns, ftr_latency_bins *bins)
{
    enum { NUMBERS = 4 };
    ftr_begin_own_column(c, columns + FTR_DISTRIBUTION_EXACT, NUMBERS);
    bins->least = ftr_code(c, bins->least);
    bins->greatest = ftr_code(c, bins->greatest);
    const uint64_t high = ftr_code(c, (uint64_t)(bins->sum >> 64));
    const uint64_t low = ftr_code(c, (uint64_t)bins->sum);
    if (bins->least > bins->greatest)
        ftr_codec_fail(c, FTR_ERR_FORMAT);
    bins->sum = (ftr_wide)high << 64 | low;
}

/* Codes one number for each distribution. */
static void code_heads(ftr_run_codec *c, unsigned columns, ftr_latency_bins *const *of,
                       size_t count, uint64_t *steps)
{
    ftr_begin_column(c, columns + FTR_DISTRIBUTION_USED, count);
    for (size_t i = 0; i < count && ftr_codec_is_ok(c); i++) {
        const uint64_t used = ftr_code(c, of[i]->used);
        if (used > FTR_LATENCY_EXACT_MAX)
            ftr_codec_fail(c, FTR_ERR_FORMAT);
        of[i]->bins = ftr_codec_items(c, of[i]->bins, used, sizeof *of[i]->bins);
        if (ftr_codec_reads(c) && ftr_codec_is_ok(c))
            of[i]->used = of[i]->capacity = (uint32_t)used;
    }
    ftr_begin_column(c, columns + FTR_DISTRIBUTION_ROUNDED, count);
    for (size_t i = 0; i < count && ftr_codec_is_ok(c); i++) {
        const uint64_t rounded = ftr_code(c, of[i]->rounded);
        if (rounded > 1)
            ftr_codec_fail(c, FTR_ERR_FORMAT);
        of[i]->rounded = rounded == 1;
    }
    ftr_begin_column(c, columns + FTR_DISTRIBUTION_STEP, count);
    for (size_t i = 0; i < count && ftr_codec_is_ok(c); i++) {
        steps[i] = ftr_code(c, ftr_codec_reads(c) ? 0 : ftr_latency_bins_step(of[i]));
        if (steps[i] == 0)
            ftr_codec_fail(c, FTR_ERR_FORMAT);
    }
    ftr_begin_column(c, columns + FTR_DISTRIBUTION_LEAST, count);
    for (size_t i = 0; i < count && ftr_codec_is_ok(c); i++) {
        const uint64_t first = ftr_code(c, of[i]->used > 0 ? of[i]->bins[0].value : 0);
        if (ftr_codec_reads(c) && of[i]->used > 0)
            of[i]->bins[0].value = first;
    }
}

/* @param columns the first of the columns */
static void code_distributions(ftr_run_codec *c, unsigned columns, ftr_latency_bins *const *of,
                               size_t count)
{
    uint64_t *steps = calloc(count + 1, sizeof *steps);
    if (steps == NULL) {
        ftr_codec_fail(c, FTR_ERR_MEMORY);
        return;
    }
    code_heads(c, columns, of, count, steps);
    for (size_t i = 0; i < count && ftr_codec_is_ok(c); i++)
        code_values(c, columns, of[i], steps[i]);
    for (size_t i = 0; i < count && ftr_codec_is_ok(c); i++)
        code_counts(c, columns, of[i]);
    for (size_t i = 0; i < count && ftr_codec_is_ok(c); i++) {
        if (ftr_codec_reads(c))
            add_up(of[i]);
        if (of[i]->rounded)
            code_exact(c, columns, of[i]);
    }
    free(steps);
}

/* ---- slowest transactions -------------------------------------------------------------------- */

static uint64_t step_of(const ftr_slowest *slowest, size_t offset)
{
    uint64_t step = 0;
    for (unsigned i = 0; i < slowest->count; i++)
        step = ftr_greatest_divisor(
            step, *(const uint64_t *)(const void *)((const char *)&slowest->of[i] + offset));
    return step > 0 ? step : 1;
}

/* Codes a latency or a begin, divided by the step. */
static uint64_t code_multiple(ftr_run_codec *c, uint64_t value, uint64_t step)
{
    if (step == 0) {
        ftr_codec_fail(c, FTR_ERR_FORMAT);
        return 0;
    }
    const uint64_t factor = ftr_code(c, value / step);
    if (factor > UINT64_MAX / step)
        ftr_codec_fail(c, FTR_ERR_FORMAT);
    return factor * step;
}

static void code_slow_latencies(ftr_run_codec *c, ftr_slowest *slowest, uint64_t step)
{
    ftr_begin_own_column(c, FTR_COLUMN_SLOW_LATENCIES, slowest->count);
    for (unsigned i = 0; i < slowest->count && ftr_codec_is_ok(c); i++) {
        ftr_slow_tx *const tx = &slowest->of[i];
        const uint64_t before = i > 0 ? tx[-1].latency : 0;
        const uint64_t part = code_multiple(c, i > 0 ? before - tx->latency : tx->latency, step);
        if (i > 0 && part > before)
            ftr_codec_fail(c, FTR_ERR_FORMAT);
        if (ftr_codec_reads(c))
            tx->latency = i > 0 ? before - part : part;
    }
}

static void code_slow_counts(ftr_run_codec *c)
{
    ftr_begin_column(c, FTR_COLUMN_SLOW_COUNTS, c->generator_count);
    for (size_t i = 0; i < c->generator_count && ftr_codec_is_ok(c); i++) {
        ftr_slowest *slowest = &c->generators[i]->slowest;
        const uint64_t count = ftr_code(c, slowest->count);
        if (count > FTR_SLOWEST_MAX)
            ftr_codec_fail(c, FTR_ERR_FORMAT);
        else
            slowest->of = ftr_codec_items(c, slowest->of, count, sizeof *slowest->of);
        if (ftr_codec_reads(c) && ftr_codec_is_ok(c))
            slowest->count = slowest->capacity = (uint32_t)count;
    }
}

static void code_slowest(ftr_run_codec *c)
{
    static const size_t offsets[] = {offsetof(ftr_slow_tx, latency), offsetof(ftr_slow_tx, begin)};
    uint64_t *steps = calloc(2 * c->generator_count + 1, sizeof *steps);
    if (steps == NULL) {
        ftr_codec_fail(c, FTR_ERR_MEMORY);
        return;
    }
    code_slow_counts(c);
    for (unsigned k = 0; k < 2; k++) {
        ftr_begin_column(c, FTR_COLUMN_SLOW_LATENCY_STEPS + k, c->generator_count);
        for (size_t i = 0; i < c->generator_count && ftr_codec_is_ok(c); i++) {
            uint64_t *step = &steps[k * c->generator_count + i];
            *step = ftr_code(
                c, ftr_codec_reads(c) ? 0 : step_of(&c->generators[i]->slowest, offsets[k]));
            if (*step == 0)
                ftr_codec_fail(c, FTR_ERR_FORMAT);
        }
    }
    for (size_t i = 0; i < c->generator_count && ftr_codec_is_ok(c); i++)
        code_slow_latencies(c, &c->generators[i]->slowest, steps[i]);
    for (size_t i = 0; i < c->generator_count && ftr_codec_is_ok(c); i++) {
        const ftr_slowest *slowest = &c->generators[i]->slowest;
        ftr_begin_own_column(c, FTR_COLUMN_SLOW_BEGINS, slowest->count);
        for (unsigned k = 0; k < slowest->count && ftr_codec_is_ok(c); k++)
            slowest->of[k].begin =
                code_multiple(c, slowest->of[k].begin, steps[c->generator_count + i]);
    }
    for (size_t i = 0; i < c->generator_count && ftr_codec_is_ok(c); i++) {
        const ftr_slowest *slowest = &c->generators[i]->slowest;
        ftr_begin_own_column(c, FTR_COLUMN_SLOW_IDS, slowest->count);
        for (unsigned k = 0; k < slowest->count && ftr_codec_is_ok(c); k++)
            slowest->of[k].id = ftr_code(c, slowest->of[k].id);
    }
    free(steps);
}

void ftr_code_latency(ftr_run_codec *c)
{
    ftr_latency_bins **all = calloc(c->generator_count + 1, sizeof(ftr_latency_bins *));
    if (all == NULL) {
        ftr_codec_fail(c, FTR_ERR_MEMORY);
        return;
    }
    for (size_t i = 0; i < c->generator_count; i++)
        all[i] = &c->generators[i]->latency;
    code_distributions(c, FTR_COLUMN_LATENCIES, all, c->generator_count);
    free(all);
    if (ftr_codec_is_ok(c))
        code_slowest(c);
}

/* ---- series ---------------------------------------------------------------------------------- */

/* Returns a series: those of the streams come first. */
static const ftr_time_series *series_at(const ftr_run_codec *c, size_t number)
{
    if (c->series != NULL)
        return number < c->series->stream_count
                   ? &c->series->streams[number]
                   : &c->series->generators[number - c->series->stream_count];
    const size_t streams = c->run->stream_count;
    return number < streams ? &c->run->streams[number].series
                            : &c->generators[number - streams]->series;
}

/* Reads the extent of a series, and allocates its cells. */
static void read_slots(ftr_run_codec *c, size_t number)
{
    const size_t streams = c->run->stream_count;
    ftr_time_series *series = number < streams ? &c->run->streams[number].series
                                               : &c->generators[number - streams]->series;
    const uint64_t slots = ftr_code(c, 0);
    series->columns = number < streams ? 1 : FTR_SERIES_COLUMNS;
    if (slots > FTR_SERIES_SLOTS_MAX)
        ftr_codec_fail(c, FTR_ERR_FORMAT);
    else
        series->cells = ftr_codec_items(c, NULL, slots, series->columns * sizeof *series->cells);
    if (ftr_codec_is_ok(c))
        series->count = series->capacity = (uint16_t)slots;
}

static void read_first_slot(ftr_run_codec *c, size_t number)
{
    const size_t streams = c->run->stream_count;
    ftr_time_series *series = number < streams ? &c->run->streams[number].series
                                               : &c->generators[number - streams]->series;
    series->first = ftr_code(c, 0);
    if (series->count > 0 &&
        series->first > (UINT64_MAX >> c->run->slot_shift) - (series->count - 1))
        ftr_codec_fail(c, FTR_ERR_FORMAT);
}

static void code_extents(ftr_run_codec *c, size_t count)
{
    ftr_begin_own_column(c, FTR_COLUMN_SERIES, count);
    for (size_t i = 0; i < count && ftr_codec_is_ok(c); i++) {
        const ftr_time_series *series = series_at(c, i);
        if (ftr_codec_reads(c)) {
            read_slots(c, i);
            continue;
        }
        (void)ftr_code(c, series->count);
        (void)ftr_codec_items(c, NULL, series->count, series->columns * sizeof *series->cells);
    }
    ftr_begin_own_column(c, FTR_COLUMN_SERIES, count);
    for (size_t i = 0; i < count && ftr_codec_is_ok(c); i++) {
        const ftr_time_series *series = series_at(c, i);
        if (ftr_codec_reads(c))
            read_first_slot(c, i);
        else
            (void)ftr_code(c, series->count > 0 ? series->first : 0);
    }
}

static uint64_t step_of_slots(const ftr_time_series *series, ftr_series_column column)
{
    uint64_t step = 0;
    for (unsigned k = 0; k < series->count; k++)
        step = ftr_greatest_divisor(step, ftr_series_cells(series, k)[column]);
    return step > 0 ? step : 1;
}

/* Codes one column of the slots of the series from number @p first on: the steps, then the values
 * divided by them. */
static void code_slots(ftr_run_codec *c, size_t first, size_t count, uint64_t *steps,
                       ftr_series_column column)
{
    ftr_begin_own_column(c, FTR_COLUMN_SERIES, count);
    for (size_t i = 0; i < count && ftr_codec_is_ok(c); i++) {
        steps[i] =
            ftr_code(c, ftr_codec_reads(c) ? 0 : step_of_slots(series_at(c, first + i), column));
        if (steps[i] == 0)
            ftr_codec_fail(c, FTR_ERR_FORMAT);
    }
    for (size_t i = 0; i < count && ftr_codec_is_ok(c); i++) {
        const ftr_time_series *series = series_at(c, first + i);
        ftr_begin_own_column(c, FTR_COLUMN_SERIES, series->count);
        for (unsigned k = 0; k < series->count && ftr_codec_is_ok(c); k++) {
            uint64_t *const at = &ftr_series_cells(series, k)[column];
            *at = code_multiple(c, *at, steps[i]);
        }
    }
}

void ftr_code_series(ftr_run_codec *c)
{
    const size_t streams = c->series != NULL ? c->series->stream_count : c->run->stream_count;
    const size_t generators = c->series != NULL ? c->series->generator_count : c->generator_count;
    const size_t count = streams + generators;
    uint64_t *steps = calloc(count + 1, sizeof *steps);
    if (steps == NULL) {
        ftr_codec_fail(c, FTR_ERR_MEMORY);
        return;
    }
    code_extents(c, count);
    code_slots(c, 0, count, steps, FTR_SERIES_BUSY);
    for (ftr_series_column column = FTR_SERIES_TRANSACTIONS; column < FTR_SERIES_COLUMNS; column++)
        code_slots(c, streams, generators, steps, column);
    free(steps);
}

/* ---- named times ----------------------------------------------------------------------------- */

static bool are_times_in_order(const ftr_generator_figures *generator)
{
    return generator->time_count < 2 ||
           ftr_figure_text_compare(&generator->times[0].name, &generator->times[1].name) < 0;
}

/* Codes the number of the times of each generator. Returns their sum. */
static size_t code_time_counts(ftr_run_codec *c)
{
    size_t count = 0;
    ftr_begin_column(c, FTR_COLUMN_TIME_COUNTS, c->generator_count);
    for (size_t i = 0; i < c->generator_count && ftr_codec_is_ok(c); i++) {
        ftr_generator_figures *generator = c->generators[i];
        const uint64_t times = ftr_code(c, generator->time_count);
        if (times > FTR_TIMES_MAX)
            ftr_codec_fail(c, FTR_ERR_FORMAT);
        else
            generator->times =
                ftr_codec_items(c, generator->times, times, sizeof *generator->times);
        if (ftr_codec_reads(c) && ftr_codec_is_ok(c))
            generator->time_count = (unsigned)times;
        count += generator->time_count;
    }
    return count;
}

static void code_time_names(ftr_run_codec *c, size_t count)
{
    ftr_begin_column(c, FTR_COLUMN_TIME_NAME_SIZES, count);
    for (size_t i = 0; i < c->generator_count && ftr_codec_is_ok(c); i++)
        for (unsigned k = 0; k < c->generators[i]->time_count; k++)
            ftr_code_size(c, &c->generators[i]->times[k].name);
    for (size_t i = 0; i < c->generator_count && ftr_codec_is_ok(c); i++)
        for (unsigned k = 0; k < c->generators[i]->time_count; k++)
            ftr_code_bytes(c, FTR_COLUMN_TIME_NAMES, &c->generators[i]->times[k].name);
}

void ftr_code_times(ftr_run_codec *c)
{
    const size_t count = code_time_counts(c);
    code_time_names(c, count);
    ftr_latency_bins **all = calloc(count + 1, sizeof(ftr_latency_bins *));
    if (all == NULL) {
        ftr_codec_fail(c, FTR_ERR_MEMORY);
        return;
    }
    size_t at = 0;
    for (size_t i = 0; i < c->generator_count; i++) {
        for (unsigned k = 0; k < c->generators[i]->time_count; k++)
            all[at++] = &c->generators[i]->times[k].bins;
        if (ftr_codec_is_ok(c) && !are_times_in_order(c->generators[i]))
            ftr_codec_fail(c, FTR_ERR_FORMAT);
    }
    if (ftr_codec_is_ok(c))
        code_distributions(c, FTR_COLUMN_TIMES, all, at);
    free(all);
}
