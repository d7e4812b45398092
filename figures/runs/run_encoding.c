/* Reads and writes the figures of a record, in the order of the format.
 *
 * The same functions read and write; in this file, to code means one or the other. A writing codec
 * writes the value that it is given, and returns this value. A reading codec ignores the value that
 * it is given, and returns the value that it reads.
 * Therefore writing and reading cannot disagree about the order. Any value that a reading codec
 * returns may be wrong, because the bytes may be damaged. */
#include "run_encoding.h"

#include "latency_bins.h"
#include "number_groups.h"

#include <stdlib.h>
#include <string.h>

enum { SCALE_BIAS = 128 };

typedef struct codec {
    ftr_cbor_writer *to; /* NULL: the codec reads */
    ftr_number_writer out;
    ftr_number_reader in;
    /* `memory`: bytes that reading allocates; `memory_max`: limit for them */
    uint64_t memory, memory_max;
    ftr_run_record *run;
    ftr_generator_figures **generators; /* all generators of the run */
    size_t generator_count;
} codec;

static bool is_reading(const codec *c)
{
    return c->to == NULL;
}

static void fail(codec *c, ftr_status status)
{
    if (is_reading(c))
        ftr_number_reader_fail(&c->in, status);
    else
        ftr_cbor_writer_fail(c->to, status);
}

static bool is_ok(const codec *c)
{
    return is_reading(c) ? c->in.status == FTR_OK : c->to->status == FTR_OK;
}

/* Begins a column of @p count numbers. */
static void begin_column(codec *c, uint64_t count)
{
    if (is_reading(c))
        ftr_numbers_begin(&c->in, count);
    else
        ftr_numbers_end(&c->out);
}

static uint64_t code(codec *c, uint64_t value)
{
    if (is_reading(c))
        return ftr_number_get(&c->in);
    ftr_number_put(&c->out, value);
    return value;
}

/* Counts the memory of @p count items. A reading codec allocates zeroed items; a writing codec
 * returns @p items. */
static void *items_of(codec *c, void *items, uint64_t count, size_t size)
{
    if (count > (c->memory_max - c->memory) / size) {
        fail(c, FTR_ERR_FORMAT);
        return items;
    }
    c->memory += count * size;
    if (!is_reading(c) || count == 0)
        return items;
    items = calloc((size_t)count, size);
    if (items == NULL)
        fail(c, FTR_ERR_MEMORY);
    return items;
}

/* ---- texts ----------------------------------------------------------------------------------- */

typedef void text_function(codec *c, ftr_figure_text *text);

static void code_text_size(codec *c, ftr_figure_text *text)
{
    const uint64_t size = code(c, text->size);
    if (!is_reading(c)) {
        c->memory += size + 1;
        return;
    }
    if (size > (uint64_t)(c->in.end - c->in.next))
        fail(c, FTR_ERR_TRUNCATED);
    text->bytes = is_ok(c) ? items_of(c, NULL, size + 1, 1) : NULL;
    text->size = text->bytes != NULL ? (size_t)size : 0;
}

static void code_text_bytes(codec *c, ftr_figure_text *text)
{
    if (text->size == 0 || !is_ok(c))
        return;
    if (is_reading(c)) {
        if (text->size > (size_t)(c->in.end - c->in.next)) {
            fail(c, FTR_ERR_TRUNCATED);
            return;
        }
        memcpy(text->bytes, c->in.next, text->size);
        c->in.next += text->size;
        return;
    }
    uint8_t *p = ftr_cbor_reserve(c->to, text->size);
    if (p == NULL)
        return;
    memcpy(p, text->bytes, text->size);
    ftr_cbor_advance(c->to, p + text->size);
}

static void for_each_text(codec *c, text_function *take)
{
    ftr_run_record *run = c->run;
    ftr_figure_text *const own[] = {&run->file,           &run->problem,      &run->test,
                                    &run->places.journal, &run->places.trace, &run->places.summary};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        take(c, own[i]);
    for (size_t i = 0; i < run->attribute_count; i++) {
        take(c, &run->attributes[i].name);
        take(c, &run->attributes[i].value);
    }
    for (size_t i = 0; i < run->stream_count; i++) {
        take(c, &run->streams[i].name);
        take(c, &run->streams[i].kind);
    }
    for (size_t i = 0; i < c->generator_count; i++)
        take(c, &c->generators[i]->name);
}

static void code_texts(codec *c)
{
    enum { OWN_TEXTS = 6 };
    begin_column(c, OWN_TEXTS + 2 * (uint64_t)c->run->attribute_count +
                        2 * (uint64_t)c->run->stream_count + c->generator_count);
    for_each_text(c, code_text_size);
    begin_column(c, 0);
    for_each_text(c, code_text_bytes);
}

/* ---- the run, its streams and generators ----------------------------------------------------- */

/* Codes the numbers of the run. When reading, allocates its attributes and streams. */
static void code_run(codec *c)
{
    enum { NUMBERS = 6 };
    ftr_run_record *run = c->run;
    begin_column(c, NUMBERS);
    const uint64_t scale = code(c, (uint64_t)((int64_t)run->time_scale + SCALE_BIAS));
    run->losses = code(c, run->losses);
    const uint64_t signal = code(c, run->signal);
    const uint64_t shift = code(c, run->slot_shift);
    const uint64_t attributes = code(c, run->attribute_count);
    const uint64_t streams = code(c, run->stream_count);
    if (scale > 2 * SCALE_BIAS - 1 || shift > 63 || signal > 127)
        fail(c, FTR_ERR_FORMAT);
    run->attributes = items_of(c, run->attributes, attributes, sizeof *run->attributes);
    run->streams = items_of(c, run->streams, streams, sizeof *run->streams);
    if (!is_ok(c) || !is_reading(c))
        return;
    run->time_scale = (int)scale - SCALE_BIAS;
    run->signal = (unsigned)signal;
    run->slot_shift = (unsigned)shift;
    run->attribute_count = (size_t)attributes;
    run->stream_count = (size_t)streams;
}

/* Codes the numbers of generators. When reading, allocates the generators. */
static void code_generator_counts(codec *c)
{
    ftr_run_record *run = c->run;
    begin_column(c, run->stream_count);
    for (size_t i = 0; i < run->stream_count && is_ok(c); i++) {
        ftr_stream_figures *stream = &run->streams[i];
        const uint64_t count = code(c, stream->generator_count);
        stream->generators = items_of(c, stream->generators, count, sizeof *stream->generators);
        stream->generator_count = is_ok(c) ? (size_t)count : 0;
        c->generator_count += stream->generator_count;
    }
}

/* Makes the list of all generators. */
static void list_generators(codec *c)
{
    size_t count = 0;
    c->generators = calloc(c->generator_count + 1, sizeof(ftr_generator_figures *));
    if (c->generators == NULL) {
        c->generator_count = 0;
        fail(c, FTR_ERR_MEMORY);
        return;
    }
    for (size_t i = 0; i < c->run->stream_count; i++)
        for (size_t k = 0; k < c->run->streams[i].generator_count; k++)
            c->generators[count++] = &c->run->streams[i].generators[k];
}

static uint64_t duration_of(const ftr_generator_figures *generator)
{
    return ftr_generator_has_transactions(generator) ? generator->last - generator->first : 0;
}

/* Codes one column for each figure. */
static void code_figures(codec *c)
{
#define COLUMN(count, value)                             \
    do {                                                 \
        begin_column(c, count);                          \
        for (size_t i = 0; i < (count) && is_ok(c); i++) \
            (value) = code(c, value);                    \
    } while (0)
    ftr_run_record *run = c->run;
    COLUMN(run->stream_count, run->streams[i].busy);
    COLUMN(run->stream_count, run->streams[i].outstanding);
    COLUMN(c->generator_count, c->generators[i]->errors);
    COLUMN(c->generator_count, c->generators[i]->unfinished);
    COLUMN(c->generator_count, c->generators[i]->bytes);
    COLUMN(c->generator_count, c->generators[i]->first);
    begin_column(c, c->generator_count);
    for (size_t i = 0; i < c->generator_count && is_ok(c); i++) {
        ftr_generator_figures *generator = c->generators[i];
        const uint64_t duration = code(c, duration_of(generator));
        if (duration > UINT64_MAX - generator->first)
            fail(c, FTR_ERR_FORMAT);
        if (is_reading(c))
            generator->last = generator->first + duration;
    }
    COLUMN(c->generator_count, c->generators[i]->busy);
    COLUMN(c->generator_count, c->generators[i]->outstanding);
#undef COLUMN
}

/* ---- distributions --------------------------------------------------------------------------- */

/* Codes the values of a distribution in ascending order. The number for a value is its distance
 * from the previous value in steps, minus 1. */
static void code_values(codec *c, ftr_latency_bins *bins, uint64_t step)
{
    if (step == 0) {
        fail(c, FTR_ERR_FORMAT);
        return;
    }
    begin_column(c, bins->used > 0 ? bins->used - 1 : 0);
    for (size_t i = 1; i < bins->used && is_ok(c); i++) {
        const uint64_t before = bins->bins[i - 1].value;
        const uint64_t gap = code(c, (bins->bins[i].value - before) / step - 1);
        if (gap >= (UINT64_MAX - before) / step)
            fail(c, FTR_ERR_FORMAT);
        if (is_reading(c))
            bins->bins[i].value = before + (gap + 1) * step;
    }
}

static void code_counts(codec *c, ftr_latency_bins *bins)
{
    uint64_t sum = 0;
    begin_column(c, bins->used);
    for (size_t i = 0; i < bins->used && is_ok(c); i++) {
        const uint64_t less = code(c, bins->bins[i].count - 1);
        if (less >= UINT64_MAX - sum)
            fail(c, FTR_ERR_FORMAT);
        sum += less + 1;
        if (is_reading(c))
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
static void code_exact(codec *c, ftr_latency_bins *bins)
{
    enum { NUMBERS = 4 };
    begin_column(c, NUMBERS);
    bins->least = code(c, bins->least);
    bins->greatest = code(c, bins->greatest);
    const uint64_t high = code(c, (uint64_t)(bins->sum >> 64));
    const uint64_t low = code(c, (uint64_t)bins->sum);
    if (bins->least > bins->greatest)
        fail(c, FTR_ERR_FORMAT);
    bins->sum = (ftr_wide)high << 64 | low;
}

static void code_distributions(codec *c, ftr_latency_bins *const *of, size_t count)
{
    uint64_t *steps = calloc(count + 1, sizeof *steps);
    if (steps == NULL) {
        fail(c, FTR_ERR_MEMORY);
        return;
    }
    begin_column(c, count);
    for (size_t i = 0; i < count && is_ok(c); i++) {
        const uint64_t used = code(c, of[i]->used);
        if (used > FTR_LATENCY_EXACT_MAX)
            fail(c, FTR_ERR_FORMAT);
        of[i]->bins = items_of(c, of[i]->bins, used, sizeof *of[i]->bins);
        if (is_reading(c) && is_ok(c))
            of[i]->used = of[i]->capacity = (size_t)used;
    }
    begin_column(c, count);
    for (size_t i = 0; i < count && is_ok(c); i++) {
        const uint64_t rounded = code(c, of[i]->rounded);
        if (rounded > 1)
            fail(c, FTR_ERR_FORMAT);
        of[i]->rounded = rounded == 1;
    }
    begin_column(c, count);
    for (size_t i = 0; i < count && is_ok(c); i++) {
        steps[i] = code(c, is_reading(c) ? 0 : ftr_latency_bins_step(of[i]));
        if (steps[i] == 0)
            fail(c, FTR_ERR_FORMAT);
    }
    begin_column(c, count);
    for (size_t i = 0; i < count && is_ok(c); i++) {
        const uint64_t first = code(c, of[i]->used > 0 ? of[i]->bins[0].value : 0);
        if (is_reading(c) && of[i]->used > 0)
            of[i]->bins[0].value = first;
    }
    for (size_t i = 0; i < count && is_ok(c); i++)
        code_values(c, of[i], steps[i]);
    for (size_t i = 0; i < count && is_ok(c); i++)
        code_counts(c, of[i]);
    for (size_t i = 0; i < count && is_ok(c); i++) {
        if (is_reading(c))
            add_up(of[i]);
        if (of[i]->rounded)
            code_exact(c, of[i]);
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
static uint64_t code_multiple(codec *c, uint64_t value, uint64_t step)
{
    if (step == 0) {
        fail(c, FTR_ERR_FORMAT);
        return 0;
    }
    const uint64_t factor = code(c, value / step);
    if (factor > UINT64_MAX / step)
        fail(c, FTR_ERR_FORMAT);
    return factor * step;
}

static void code_slow_latencies(codec *c, ftr_slowest *slowest, uint64_t step)
{
    begin_column(c, slowest->count);
    for (unsigned i = 0; i < slowest->count && is_ok(c); i++) {
        ftr_slow_tx *const tx = &slowest->of[i];
        const uint64_t before = i > 0 ? tx[-1].latency : 0;
        const uint64_t part = code_multiple(c, i > 0 ? before - tx->latency : tx->latency, step);
        if (i > 0 && part > before)
            fail(c, FTR_ERR_FORMAT);
        if (is_reading(c))
            tx->latency = i > 0 ? before - part : part;
    }
}

static void code_slowest(codec *c)
{
    uint64_t *steps = calloc(2 * c->generator_count + 1, sizeof *steps);
    if (steps == NULL) {
        fail(c, FTR_ERR_MEMORY);
        return;
    }
    begin_column(c, c->generator_count);
    for (size_t i = 0; i < c->generator_count && is_ok(c); i++) {
        const uint64_t count = code(c, c->generators[i]->slowest.count);
        if (count > FTR_SLOWEST_MAX)
            fail(c, FTR_ERR_FORMAT);
        else
            c->generators[i]->slowest.count = (unsigned)count;
    }
    static const size_t offsets[] = {offsetof(ftr_slow_tx, latency), offsetof(ftr_slow_tx, begin)};
    for (size_t k = 0; k < 2; k++) {
        begin_column(c, c->generator_count);
        for (size_t i = 0; i < c->generator_count && is_ok(c); i++) {
            uint64_t *step = &steps[k * c->generator_count + i];
            *step = code(c, is_reading(c) ? 0 : step_of(&c->generators[i]->slowest, offsets[k]));
            if (*step == 0)
                fail(c, FTR_ERR_FORMAT);
        }
    }
    for (size_t i = 0; i < c->generator_count && is_ok(c); i++)
        code_slow_latencies(c, &c->generators[i]->slowest, steps[i]);
    for (size_t i = 0; i < c->generator_count && is_ok(c); i++) {
        ftr_slowest *slowest = &c->generators[i]->slowest;
        begin_column(c, slowest->count);
        for (unsigned k = 0; k < slowest->count && is_ok(c); k++)
            slowest->of[k].begin =
                code_multiple(c, slowest->of[k].begin, steps[c->generator_count + i]);
    }
    for (size_t i = 0; i < c->generator_count && is_ok(c); i++) {
        ftr_slowest *slowest = &c->generators[i]->slowest;
        begin_column(c, slowest->count);
        for (unsigned k = 0; k < slowest->count && is_ok(c); k++)
            slowest->of[k].id = code(c, slowest->of[k].id);
    }
    free(steps);
}

static void code_latency(codec *c)
{
    ftr_latency_bins **all = calloc(c->generator_count + 1, sizeof(ftr_latency_bins *));
    if (all == NULL) {
        fail(c, FTR_ERR_MEMORY);
        return;
    }
    for (size_t i = 0; i < c->generator_count; i++)
        all[i] = &c->generators[i]->latency;
    code_distributions(c, all, c->generator_count);
    free(all);
    if (is_ok(c))
        code_slowest(c);
}

/* ---- series ---------------------------------------------------------------------------------- */

/* Returns a series: those of the streams come first. */
static ftr_time_series *series_at(const codec *c, size_t number)
{
    const size_t streams = c->run->stream_count;
    return number < streams ? &c->run->streams[number].series
                            : &c->generators[number - streams]->series;
}

static void code_extents(codec *c, size_t count)
{
    begin_column(c, count);
    for (size_t i = 0; i < count && is_ok(c); i++) {
        ftr_time_series *series = series_at(c, i);
        const uint64_t slots = code(c, series->count);
        series->columns = i < c->run->stream_count ? 1 : FTR_SERIES_COLUMNS;
        if (slots > FTR_SERIES_SLOTS_MAX)
            fail(c, FTR_ERR_FORMAT);
        else
            series->cells =
                items_of(c, series->cells, slots, series->columns * sizeof *series->cells);
        if (is_reading(c) && is_ok(c))
            series->count = series->capacity = (uint16_t)slots;
    }
    begin_column(c, count);
    for (size_t i = 0; i < count && is_ok(c); i++) {
        ftr_time_series *series = series_at(c, i);
        series->first = code(c, series->count > 0 ? series->first : 0);
        if (series->count > 0 &&
            series->first > (UINT64_MAX >> c->run->slot_shift) - (series->count - 1))
            fail(c, FTR_ERR_FORMAT);
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
static void code_slots(codec *c, size_t first, size_t count, uint64_t *steps,
                       ftr_series_column column)
{
    begin_column(c, count);
    for (size_t i = 0; i < count && is_ok(c); i++) {
        steps[i] = code(c, is_reading(c) ? 0 : step_of_slots(series_at(c, first + i), column));
        if (steps[i] == 0)
            fail(c, FTR_ERR_FORMAT);
    }
    for (size_t i = 0; i < count && is_ok(c); i++) {
        const ftr_time_series *series = series_at(c, first + i);
        begin_column(c, series->count);
        for (unsigned k = 0; k < series->count && is_ok(c); k++) {
            uint64_t *const at = &ftr_series_cells(series, k)[column];
            *at = code_multiple(c, *at, steps[i]);
        }
    }
}

static void code_series(codec *c)
{
    const size_t streams = c->run->stream_count;
    const size_t count = streams + c->generator_count;
    uint64_t *steps = calloc(count + 1, sizeof *steps);
    if (steps == NULL) {
        fail(c, FTR_ERR_MEMORY);
        return;
    }
    code_extents(c, count);
    code_slots(c, 0, count, steps, FTR_SERIES_BUSY);
    for (ftr_series_column column = FTR_SERIES_TRANSACTIONS; column < FTR_SERIES_COLUMNS; column++)
        code_slots(c, streams, c->generator_count, steps, column);
    free(steps);
}

/* ---- named times ----------------------------------------------------------------------------- */

static void code_time_names(codec *c, text_function *take)
{
    for (size_t i = 0; i < c->generator_count && is_ok(c); i++)
        for (unsigned k = 0; k < c->generators[i]->time_count; k++)
            take(c, &c->generators[i]->times[k].name);
}

static bool are_times_in_order(const ftr_generator_figures *generator)
{
    return generator->time_count < 2 ||
           ftr_figure_text_compare(&generator->times[0].name, &generator->times[1].name) < 0;
}

static void code_times(codec *c)
{
    size_t count = 0;
    begin_column(c, c->generator_count);
    for (size_t i = 0; i < c->generator_count && is_ok(c); i++) {
        const uint64_t times = code(c, c->generators[i]->time_count);
        if (times > FTR_TIMES_MAX)
            fail(c, FTR_ERR_FORMAT);
        else
            c->generators[i]->time_count = (unsigned)times;
        count += c->generators[i]->time_count;
    }
    begin_column(c, count);
    code_time_names(c, code_text_size);
    begin_column(c, 0);
    code_time_names(c, code_text_bytes);
    ftr_latency_bins **all = calloc(count + 1, sizeof(ftr_latency_bins *));
    if (all == NULL) {
        fail(c, FTR_ERR_MEMORY);
        return;
    }
    count = 0;
    for (size_t i = 0; i < c->generator_count; i++) {
        for (unsigned k = 0; k < c->generators[i]->time_count; k++)
            all[count++] = &c->generators[i]->times[k].bins;
        if (is_ok(c) && !are_times_in_order(c->generators[i]))
            fail(c, FTR_ERR_FORMAT);
    }
    if (is_ok(c))
        code_distributions(c, all, count);
    free(all);
}

/* ---- the record ------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    void (*code)(codec *c);
} sections[FTR_SECTIONS] = {
    [FTR_SECTION_LATENCY] = {"latency", code_latency},
    [FTR_SECTION_SERIES] = {"series", code_series},
    [FTR_SECTION_TIMES] = {"times", code_times},
};

const char *ftr_run_section_name(ftr_run_section section)
{
    return sections[section].name;
}

unsigned ftr_run_sections(const ftr_run_record *run)
{
    unsigned set = 1u << FTR_SECTION_LATENCY | 1u << FTR_SECTION_SERIES;
    for (size_t i = 0; i < run->stream_count; i++)
        for (size_t k = 0; k < run->streams[i].generator_count; k++)
            if (run->streams[i].generators[k].time_count > 0)
                set |= 1u << FTR_SECTION_TIMES;
    return set;
}

/* Checks that names are in ascending order, so that a name occurs only once. */
static void check_order(codec *c)
{
    const ftr_run_record *run = c->run;
    for (size_t i = 0; i < run->stream_count; i++) {
        const ftr_stream_figures *stream = &run->streams[i];
        if (i > 0 && ftr_figure_text_compare(&stream[-1].name, &stream->name) >= 0)
            fail(c, FTR_ERR_FORMAT);
        for (size_t k = 1; k < stream->generator_count; k++)
            if (ftr_figure_text_compare(&stream->generators[k - 1].name,
                                        &stream->generators[k].name) >= 0)
                fail(c, FTR_ERR_FORMAT);
    }
}

static void code_record(codec *c, unsigned set)
{
    code_run(c);
    if (is_ok(c))
        code_generator_counts(c);
    if (is_ok(c))
        list_generators(c);
    if (is_ok(c))
        code_texts(c);
    if (is_ok(c) && is_reading(c))
        check_order(c);
    if (is_ok(c))
        code_figures(c);
    for (unsigned i = 0; i < FTR_SECTIONS && is_ok(c); i++)
        if (set & 1u << i)
            sections[i].code(c);
    free(c->generators);
}

void ftr_run_encode(const ftr_run_record *run, ftr_cbor_writer *w, uint64_t *memory)
{
    /* A writing codec assigns to each figure the value that it already has. The copy makes this
     * possible, because @p run is constant. */
    ftr_run_record same = *run;
    codec c = {.to = w, .out = {.to = w}, .memory_max = UINT64_MAX, .run = &same};
    /* NOLINTBEGIN(clang-analyzer-unix.Malloc): a writing codec allocates no figures */
    code_record(&c, ftr_run_sections(run));
    ftr_numbers_end(&c.out);
    *memory = c.memory;
    /* NOLINTEND(clang-analyzer-unix.Malloc) */
}

ftr_status ftr_run_decode(const uint8_t *bytes, size_t size, unsigned set, uint64_t memory,
                          ftr_run_record *run)
{
    *run = (ftr_run_record){0};
    codec c = {.in = {.next = bytes, .end = bytes + size}, .memory_max = memory, .run = run};
    code_record(&c, set);
    if (c.in.status == FTR_OK && c.in.next != c.in.end)
        return FTR_ERR_FORMAT;
    return c.in.status;
}
