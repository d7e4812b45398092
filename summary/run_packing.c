/* Owns the order of the figures in a packed record, and the model of each figure. Does not know the
 * files that contain records.
 *
 * The same functions write and read a record (bit_coder.h). Each value that a reading coder returns
 * may be wrong. Therefore each number of items is checked against the number that a block of this
 * length can have. */
#include "run_packing.h"

#include "greatest_divisor.h"
#include "packed_latency.h"

#include <stdlib.h>
#include <string.h>

/* Limits the memory that a damaged block can require. A unit is about 16 bytes of memory. A byte of
 * a block stands for at most UNITS_PER_BYTE units; if necessary, the writer appends zeros. */
#define UNITS_PER_BYTE 64u
#define UNITS_PER_SLOT 3u
enum { ATTRIBUTE_UNITS = 2, STREAM_UNITS = 10, GENERATOR_UNITS = 40 };
/* Number of preceding generators that are searched for the same name. */
#define RECENT 64u
#define COLUMN_LEVELS 24u

/* The numbers of a record that have one model each. */
typedef enum packed_number {
    TIME_SCALE,
    LOSSES,
    ATTRIBUTE_COUNT,
    SLOT_SHIFT,
    STREAM_COUNT,
    STREAM_BUSY,
    STREAM_OUTSTANDING,
    GENERATOR_COUNT,
    ERRORS,
    UNFINISHED,
    BYTES,
    FIRST,
    DURATION,
    BUSY,
    OUTSTANDING,
    SLOWEST_COUNT,
    SLOWEST_STEP,
    SLOWEST_LATENCY,
    SLOWEST_FURTHER,
    SLOWEST_BEGIN_STEP,
    SLOWEST_BEGIN,
    SLOWEST_ID,
    SLOWEST_FURTHER_ID,
    SLOT_COUNT,
    FIRST_SLOT,
    FIELDS
} packed_number;

/* The columns of the series. */
typedef enum packed_column {
    STREAM_BUSY_COLUMN,
    TRANSACTIONS,
    MOVED,
    BUSY_TIME,
    LATENCY_SUM,
    LATENCY_MAX,
    COLUMNS
} packed_column;

typedef struct column_model {
    ftr_number_model step, first;
    ftr_number_model further[COLUMN_LEVELS]; /* index: class of the distances so far */
    uint64_t step_before;
} column_model;

typedef struct packer {
    ftr_bit_coder coder;
    uint64_t units, units_max; /* reading: never more than units_max */
    ftr_number_model fields[FIELDS];
    uint64_t before[FIELDS]; /* previous values of the fields that are coded as differences */
    column_model columns[COLUMNS];
    ftr_packed_latency_models latencies;
    ftr_text_model texts;
    const ftr_generator_figures *recent[RECENT]; /* index: number of the generator % RECENT */
    size_t generators;
} packer;

static uint64_t code(packer *p, packed_number field, uint64_t value)
{
    return ftr_number_code(&p->coder, &p->fields[field], value);
}

/* Codes a field that often has nearly the same value as the last time. */
static uint64_t code_similar(packer *p, packed_number field, uint64_t value)
{
    value = ftr_number_code_near(&p->coder, &p->fields[field], p->before[field], value);
    p->before[field] = value;
    return value;
}

/* Counts units of memory. @return false if a block of this size cannot require so many */
static bool take_units(packer *p, uint64_t count, uint64_t units_each)
{
    if (count > (p->units_max - p->units) / units_each) {
        ftr_bit_coder_fail(&p->coder, FTR_ERR_FORMAT);
        return false;
    }
    p->units += count * units_each;
    return p->coder.status == FTR_OK;
}

static void code_text(packer *p, ftr_figure_text *text)
{
    ftr_text_code(&p->coder, &p->texts, text, p->units_max - p->units);
    (void)take_units(p, text->size, 1);
}

/* Codes a number of items. When reading, allocates zeroed memory for the items. */
static void *code_items(packer *p, packed_number field, uint64_t units, size_t size, void *items,
                        size_t *count)
{
    const uint64_t coded = code(p, field, *count);
    if (!take_units(p, coded, units) || !ftr_bit_coder_is_reading(&p->coder))
        return items;
    items = calloc((size_t)coded + 1, size);
    if (items == NULL)
        ftr_bit_coder_fail(&p->coder, FTR_ERR_MEMORY);
    *count = items != NULL ? (size_t)coded : 0;
    return items;
}

/* ---- slowest transactions -------------------------------------------------------------------- */

static void code_slow_latencies(packer *p, ftr_slowest *slowest)
{
    uint64_t step = slowest->of[0].latency;
    for (unsigned i = 1; i < slowest->count; i++)
        step = ftr_greatest_divisor(step, slowest->of[i].latency);
    step = code_similar(p, SLOWEST_STEP, step);
    if (step == 0)
        return;
    slowest->of[0].latency = step * code(p, SLOWEST_LATENCY, slowest->of[0].latency / step);
    for (unsigned i = 1; i < slowest->count; i++) {
        const uint64_t before = slowest->of[i - 1].latency;
        const uint64_t less = code(p, SLOWEST_FURTHER, (before - slowest->of[i].latency) / step);
        if (less > before / step)
            ftr_bit_coder_fail(&p->coder, FTR_ERR_FORMAT);
        slowest->of[i].latency = before - less * step;
    }
}

static void code_slow_begins(packer *p, ftr_slowest *slowest)
{
    uint64_t step = 0;
    for (unsigned i = 0; i < slowest->count; i++)
        step = ftr_greatest_divisor(step, slowest->of[i].begin);
    step = code_similar(p, SLOWEST_BEGIN_STEP, step);
    for (unsigned i = 0; i < slowest->count && step > 0; i++)
        slowest->of[i].begin = step * code(p, SLOWEST_BEGIN, slowest->of[i].begin / step);
}

/* Returns a * b / c, at most UINT64_MAX; @p otherwise if c is 0. */
static uint64_t scaled(uint64_t a, uint64_t b, uint64_t c, uint64_t otherwise)
{
    if (c == 0)
        return otherwise;
    const ftr_wide result = (ftr_wide)a * b / c;
    return result < UINT64_MAX ? (uint64_t)result : UINT64_MAX;
}

static void code_slowest(packer *p, ftr_slowest *slowest)
{
    const uint64_t count = code(p, SLOWEST_COUNT, slowest->count);
    if (count > FTR_SLOWEST_MAX)
        ftr_bit_coder_fail(&p->coder, FTR_ERR_FORMAT);
    if (p->coder.status != FTR_OK || count == 0)
        return;
    slowest->count = (unsigned)count;
    code_slow_latencies(p, slowest);
    code_slow_begins(p, slowest);
    /* Ids grow with time, in many runs at a constant rate. */
    ftr_slow_tx *const first = &slowest->of[0];
    first->id = code(p, SLOWEST_ID, first->id);
    for (unsigned i = 1; i < slowest->count; i++) {
        ftr_slow_tx *const tx = &slowest->of[i];
        const uint64_t predicted = scaled(tx->begin, first->id, first->begin, first->id);
        tx->id = ftr_number_code_near(&p->coder, &p->fields[SLOWEST_FURTHER_ID], predicted, tx->id);
    }
}

/* ---- series ---------------------------------------------------------------------------------- */

/* Codes the number of slots and the first slot of a series. When reading, allocates the slots. */
static void code_extent(packer *p, ftr_time_series *series, unsigned shift)
{
    const uint64_t count = code_similar(p, SLOT_COUNT, series->count);
    if (count > FTR_SERIES_SLOTS_MAX)
        ftr_bit_coder_fail(&p->coder, FTR_ERR_FORMAT);
    if (!take_units(p, count, UNITS_PER_SLOT) || count == 0)
        return;
    series->first = code_similar(p, FIRST_SLOT, series->first);
    if (!ftr_bit_coder_is_reading(&p->coder))
        return;
    series->shift = shift;
    if (series->first > (UINT64_MAX >> shift) - (count - 1)) {
        ftr_bit_coder_fail(&p->coder, FTR_ERR_FORMAT);
        return;
    }
    series->slots = calloc((size_t)count, sizeof *series->slots);
    if (series->slots == NULL)
        ftr_bit_coder_fail(&p->coder, FTR_ERR_MEMORY);
    else
        series->count = series->capacity = (unsigned)count;
}

static uint64_t *cell(ftr_time_series *series, unsigned slot, size_t offset)
{
    return (uint64_t *)(void *)&series->slots[slot] + offset / sizeof(uint64_t);
}

/* Codes a column. @p like: offset of a column from which this one is predicted; equal to @p offset:
 * none. */
static void code_column(packer *p, packed_column which, ftr_time_series *series, size_t offset,
                        size_t like)
{
    column_model *const model = &p->columns[which];
    uint64_t step = 0, sum = 0, like_sum = 0, before = 0, spread = 0;
    for (unsigned i = 0; i < series->count; i++)
        step = ftr_greatest_divisor(step, *cell(series, i, offset));
    step = ftr_number_code_near(&p->coder, &model->step, model->step_before, step);
    model->step_before = step;
    for (unsigned i = 0; i < series->count && step > 0; i++) {
        uint64_t *const to = cell(series, i, offset);
        uint64_t value = *to / step;
        if (i == 0) {
            value = ftr_number_code(&p->coder, &model->first, value);
            spread = value * 2;
        } else {
            const uint64_t predicted =
                like == offset ? before : scaled(*cell(series, i, like), sum, like_sum, before);
            const unsigned length = ftr_number_length(spread / 4);
            const unsigned level = length < COLUMN_LEVELS ? length : COLUMN_LEVELS - 1;
            value = ftr_number_code_near(&p->coder, &model->further[level], predicted, value);
            spread += (value > predicted ? value - predicted : predicted - value) - spread / 4;
        }
        *to = value * step;
        sum += value;
        like_sum += *cell(series, i, like);
        before = value;
    }
}

static bool is_busy(const ftr_time_series *series)
{
    for (unsigned i = 0; i < series->count; i++)
        if (series->slots[i].busy > 0)
            return true;
    return false;
}

static void code_series(packer *p, ftr_time_series *series, unsigned shift)
{
    const size_t transactions = offsetof(ftr_time_slot, transactions);
    const size_t busy = offsetof(ftr_time_slot, busy);
    const size_t longest = offsetof(ftr_time_slot, latency_max);
    code_extent(p, series, shift);
    if (series->count == 0)
        return;
    code_column(p, TRANSACTIONS, series, transactions, transactions);
    code_column(p, MOVED, series, offsetof(ftr_time_slot, bytes), transactions);
    code_column(p, BUSY_TIME, series, busy, transactions);
    code_column(p, LATENCY_SUM, series, offsetof(ftr_time_slot, latency_sum),
                is_busy(series) ? busy : transactions);
    code_column(p, LATENCY_MAX, series, longest, longest);
}

/* ---- streams --------------------------------------------------------------------------------- */

/* Returns the last generator with the same name. If there is none, returns the last generator; NULL
 * for the first. */
static const ftr_generator_figures *similar_generator(const packer *p,
                                                      const ftr_generator_figures *generator)
{
    const size_t first = p->generators > RECENT ? p->generators - RECENT : 0;
    for (size_t i = p->generators; i > first; i--)
        if (ftr_figure_text_compare(&p->recent[(i - 1) % RECENT]->name, &generator->name) == 0)
            return p->recent[(i - 1) % RECENT];
    return p->generators > 0 ? p->recent[(p->generators - 1) % RECENT] : NULL;
}

static void code_generator(packer *p, ftr_generator_figures *generator, unsigned shift)
{
    code_text(p, &generator->name);
    if (p->coder.status != FTR_OK)
        return;
    const ftr_generator_figures *like = similar_generator(p, generator);
    ftr_latency_bins *const latency = &generator->latency;
    ftr_packed_latency_code(&p->coder, &p->latencies, latency, like != NULL ? &like->latency : NULL,
                            p->units_max - p->units);
    if (!take_units(p, latency->used, 1))
        return;
    generator->errors = code(p, ERRORS, generator->errors);
    generator->unfinished = code(p, UNFINISHED, generator->unfinished);
    generator->bytes = code(p, BYTES, generator->bytes);
    if (latency->used > 0) {
        generator->first = code(p, FIRST, generator->first);
        const uint64_t duration = code_similar(p, DURATION, generator->last - generator->first);
        if (duration > UINT64_MAX - generator->first)
            ftr_bit_coder_fail(&p->coder, FTR_ERR_FORMAT);
        generator->last = generator->first + duration;
    }
    generator->busy = code(p, BUSY, generator->busy);
    generator->outstanding = code(p, OUTSTANDING, generator->outstanding);
    code_slowest(p, &generator->slowest);
    code_series(p, &generator->series, shift);
    p->recent[p->generators++ % RECENT] = generator;
}

static void code_stream(packer *p, ftr_stream_figures *stream, unsigned shift)
{
    const size_t busy = offsetof(ftr_time_slot, busy);
    code_text(p, &stream->name);
    code_text(p, &stream->kind);
    stream->busy = code(p, STREAM_BUSY, stream->busy);
    stream->outstanding = code(p, STREAM_OUTSTANDING, stream->outstanding);
    code_extent(p, &stream->series, shift);
    if (stream->series.count > 0)
        code_column(p, STREAM_BUSY_COLUMN, &stream->series, busy, busy);
    stream->generators = code_items(p, GENERATOR_COUNT, GENERATOR_UNITS, sizeof *stream->generators,
                                    stream->generators, &stream->generator_count);
    for (size_t i = 0; i < stream->generator_count && p->coder.status == FTR_OK; i++) {
        code_generator(p, &stream->generators[i], shift);
        if (i > 0 && ftr_figure_text_compare(&stream->generators[i - 1].name,
                                             &stream->generators[i].name) >= 0)
            ftr_bit_coder_fail(&p->coder, FTR_ERR_FORMAT);
    }
}

static void code_run(packer *p, ftr_run_record *run)
{
    enum { SCALE_BIAS = 128 };
    code_text(p, &run->file);
    code_text(p, &run->problem);
    const uint64_t scale = code(p, TIME_SCALE, (uint64_t)((int64_t)run->time_scale + SCALE_BIAS));
    run->losses = code(p, LOSSES, run->losses);
    run->attributes = code_items(p, ATTRIBUTE_COUNT, ATTRIBUTE_UNITS, sizeof *run->attributes,
                                 run->attributes, &run->attribute_count);
    for (size_t i = 0; i < run->attribute_count && p->coder.status == FTR_OK; i++) {
        code_text(p, &run->attributes[i].name);
        code_text(p, &run->attributes[i].value);
    }
    const uint64_t shift = code(p, SLOT_SHIFT, run->slot_shift);
    if (scale > 2 * SCALE_BIAS - 1 || shift > 63)
        ftr_bit_coder_fail(&p->coder, FTR_ERR_FORMAT);
    if (p->coder.status != FTR_OK)
        return;
    run->time_scale = (int)scale - SCALE_BIAS;
    run->slot_shift = (unsigned)shift;
    run->streams = code_items(p, STREAM_COUNT, STREAM_UNITS, sizeof *run->streams, run->streams,
                              &run->stream_count);
    for (size_t i = 0; i < run->stream_count && p->coder.status == FTR_OK; i++) {
        code_stream(p, &run->streams[i], run->slot_shift);
        if (i > 0 && ftr_figure_text_compare(&run->streams[i - 1].name, &run->streams[i].name) >= 0)
            ftr_bit_coder_fail(&p->coder, FTR_ERR_FORMAT);
    }
}

/* Appends zeros until the block is long enough for its units. */
static void append_zeros(const packer *p, size_t size, ftr_cbor_writer *w)
{
    const uint64_t least = (p->units + UNITS_PER_BYTE - 1) / UNITS_PER_BYTE;
    if (size >= least)
        return;
    uint8_t *zeros = ftr_cbor_reserve(w, (size_t)least - size);
    if (zeros == NULL)
        return;
    memset(zeros, 0, (size_t)least - size);
    ftr_cbor_advance(w, zeros + (least - size));
}

void ftr_run_pack(const ftr_run_record *run, ftr_cbor_writer *w)
{
    packer *p = calloc(1, sizeof *p);
    if (p == NULL) {
        ftr_cbor_writer_fail(w, FTR_ERR_MEMORY);
        return;
    }
    /* A writing coder returns the given values, so they do not change. */
    ftr_run_record same = *run;
    const size_t before = ftr_cbor_writer_size(w);
    ftr_bit_coder_write(&p->coder, w);
    p->units_max = UINT64_MAX;
    code_run(p, &same);
    ftr_bit_coder_finish(&p->coder);
    if (w->status == FTR_OK)
        append_zeros(p, ftr_cbor_writer_size(w) - before, w);
    free(p->texts.history);
    free(p);
}

ftr_status ftr_run_unpack(const uint8_t *bytes, size_t size, ftr_run_record *run)
{
    *run = (ftr_run_record){0};
    packer *p = calloc(1, sizeof *p);
    if (p == NULL)
        return FTR_ERR_MEMORY;
    ftr_bit_coder_read(&p->coder, bytes, size);
    p->units_max = (uint64_t)size * UNITS_PER_BYTE;
    code_run(p, run);
    const ftr_status status = p->coder.status;
    free(p->texts.history);
    free(p);
    return status;
}
