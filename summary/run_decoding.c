/* Reads a run's record of version 1. Checks every count against the number of remaining bytes,
 * because the record may be damaged. */
#include "run_encoding.h"

#include <stdlib.h>

/* Latches an error in the reader, so that the loops of the callers end. */
static void reject(ftr_cbor_reader *r, ftr_status status)
{
    (void)ftr_cbor_reader_fail(r, status);
}

/* Enters an array of at least @p least items. Returns the number of further items, which later
 * versions of the format may add. */
static uint64_t enter(ftr_cbor_reader *r, uint64_t least)
{
    uint64_t count = 0;
    if (ftr_cbor_get_array(r, &count) == FTR_OK && (count < least || count == FTR_CBOR_INDEFINITE))
        reject(r, FTR_ERR_FORMAT);
    return r->status == FTR_OK ? count - least : 0;
}

static void leave(ftr_cbor_reader *r, uint64_t more)
{
    for (; more > 0 && r->status == FTR_OK; more--)
        (void)ftr_cbor_skip(r);
}

static uint64_t get_uint(ftr_cbor_reader *r)
{
    uint64_t value = 0;
    (void)ftr_cbor_get_uint(r, &value);
    return value;
}

static void get_text(ftr_cbor_reader *r, ftr_figure_text *text)
{
    const uint8_t *bytes = NULL;
    size_t size = 0;
    (void)ftr_cbor_get_bytes(r, &bytes, &size);
    if (!ftr_figure_text_set(text, (const char *)bytes, size))
        reject(r, FTR_ERR_MEMORY);
}

/* Minimum size of an item in the record, in bytes. */
enum { VALUE_MIN = 1, GENERATOR_MIN = 27, STREAM_MIN = 9 };

/* Allocates zeroed memory for the items of the next array. An item has at least @p least bytes in
 * the record, so a count that is too great is rejected. */
static void *get_items(ftr_cbor_reader *r, size_t item_size, size_t least, size_t *count)
{
    const uint64_t announced = enter(r, 0);
    if (announced > ftr_cbor_reader_left(r) / least)
        reject(r, FTR_ERR_TRUNCATED);
    if (r->status != FTR_OK || announced == 0)
        return NULL;
    void *items = calloc((size_t)announced, item_size);
    if (items == NULL)
        reject(r, FTR_ERR_MEMORY);
    else
        *count = (size_t)announced;
    return items;
}

/* ---- latencies ------------------------------------------------------------------------------- */

static void get_values(ftr_cbor_reader *r, ftr_latency_bins *bins, uint64_t step)
{
    size_t count = 0;
    bins->bins = get_items(r, sizeof *bins->bins, VALUE_MIN, &count);
    bins->capacity = count;
    bins->sorted = true;
    uint64_t value = 0;
    for (size_t i = 0; i < count && r->status == FTR_OK; i++) {
        const uint64_t more = get_uint(r);
        const uint64_t factor = i > 0 ? step : 1;
        if ((i > 0 && more == 0) || more > (UINT64_MAX - value) / factor)
            reject(r, FTR_ERR_FORMAT);
        value += more * factor;
        bins->bins[i].value = value;
        bins->used = i + 1;
    }
}

static void get_latency(ftr_cbor_reader *r, ftr_latency_bins *bins)
{
    const uint64_t more = enter(r, 9);
    const uint64_t count = get_uint(r);
    const uint64_t least = get_uint(r);
    const uint64_t greatest = get_uint(r);
    const uint64_t high = get_uint(r);
    bins->sum = (ftr_wide)high << 64 | get_uint(r);
    (void)ftr_cbor_get_bool(r, &bins->rounded);
    const uint64_t step = get_uint(r);
    if (step == 0)
        reject(r, FTR_ERR_FORMAT);
    if (r->status == FTR_OK)
        get_values(r, bins, step);
    const uint64_t counts = enter(r, 0);
    if (counts != bins->used || bins->used > FTR_LATENCY_EXACT_MAX)
        reject(r, FTR_ERR_FORMAT);
    uint64_t sum = 0;
    for (size_t i = 0; i < bins->used && r->status == FTR_OK; i++) {
        bins->bins[i].count = get_uint(r);
        if (bins->bins[i].count == 0 || bins->bins[i].count > UINT64_MAX - sum)
            reject(r, FTR_ERR_FORMAT);
        sum += bins->bins[i].count;
    }
    if (sum != count || (count > 0 && least > greatest))
        reject(r, FTR_ERR_FORMAT);
    bins->count = count;
    bins->least = least;
    bins->greatest = greatest;
    leave(r, more);
}

static void get_slowest(ftr_cbor_reader *r, ftr_slowest *slowest)
{
    const uint64_t count = enter(r, 0);
    if (count % 3 != 0 || count > (uint64_t)3 * FTR_SLOWEST_MAX)
        reject(r, FTR_ERR_FORMAT);
    uint64_t latency = 0;
    for (unsigned i = 0; i < count / 3 && r->status == FTR_OK; i++) {
        const uint64_t difference = get_uint(r);
        if (i > 0 && difference > latency)
            reject(r, FTR_ERR_FORMAT);
        latency = i == 0 ? difference : latency - difference;
        slowest->of[i].latency = latency;
        slowest->of[i].begin = get_uint(r);
        slowest->of[i].id = get_uint(r);
        slowest->count = i + 1;
    }
}

/* ---- series ---------------------------------------------------------------------------------- */

static void get_column(ftr_cbor_reader *r, ftr_time_series *series, size_t offset)
{
    const uint64_t count = enter(r, 0);
    if (count != series->count) {
        reject(r, FTR_ERR_FORMAT);
        return;
    }
    for (unsigned i = 0; i < series->count; i++)
        ((uint64_t *)(void *)&series->slots[i])[offset / sizeof(uint64_t)] = get_uint(r);
}

#define GET_COLUMN(r, series, column) get_column(r, series, offsetof(ftr_time_slot, column))

/* Reserves as many slots as the next array in the input has items. */
static void begin_series(ftr_cbor_reader *r, ftr_time_series *series, unsigned shift)
{
    series->first = get_uint(r);
    ftr_cbor_reader ahead = *r;
    const uint64_t count = enter(&ahead, 0);
    if (ahead.status != FTR_OK || count > FTR_SERIES_SLOTS_MAX || shift > 63 ||
        (count > 0 && series->first > (UINT64_MAX >> shift) - (count - 1)))
        reject(r, FTR_ERR_FORMAT);
    if (r->status != FTR_OK || count == 0)
        return;
    series->slots = calloc((size_t)count, sizeof *series->slots);
    if (series->slots == NULL)
        reject(r, FTR_ERR_MEMORY);
    else
        series->count = series->capacity = (unsigned)count;
    series->shift = shift;
}

static void get_series(ftr_cbor_reader *r, ftr_time_series *series, unsigned shift)
{
    const uint64_t more = enter(r, 6);
    begin_series(r, series, shift);
    GET_COLUMN(r, series, transactions);
    GET_COLUMN(r, series, bytes);
    GET_COLUMN(r, series, busy);
    GET_COLUMN(r, series, latency_sum);
    GET_COLUMN(r, series, latency_max);
    leave(r, more);
}

static void get_busy_series(ftr_cbor_reader *r, ftr_time_series *series, unsigned shift)
{
    const uint64_t more = enter(r, 2);
    begin_series(r, series, shift);
    GET_COLUMN(r, series, busy);
    leave(r, more);
}

/* ---- streams --------------------------------------------------------------------------------- */

static void get_generator(ftr_cbor_reader *r, ftr_generator_figures *generator, unsigned shift)
{
    const uint64_t more = enter(r, 11);
    get_text(r, &generator->name);
    generator->errors = get_uint(r);
    generator->unfinished = get_uint(r);
    generator->bytes = get_uint(r);
    generator->first = get_uint(r);
    const uint64_t length = get_uint(r);
    if (length > UINT64_MAX - generator->first)
        reject(r, FTR_ERR_FORMAT);
    generator->last = generator->first + length;
    generator->busy = get_uint(r);
    generator->outstanding = get_uint(r);
    get_latency(r, &generator->latency);
    get_slowest(r, &generator->slowest);
    get_series(r, &generator->series, shift);
    leave(r, more);
}

static void get_stream(ftr_cbor_reader *r, ftr_stream_figures *stream, unsigned shift)
{
    const uint64_t more = enter(r, 6);
    get_text(r, &stream->name);
    get_text(r, &stream->kind);
    stream->busy = get_uint(r);
    stream->outstanding = get_uint(r);
    get_busy_series(r, &stream->series, shift);
    stream->generators =
        get_items(r, sizeof *stream->generators, GENERATOR_MIN, &stream->generator_count);
    for (size_t i = 0; i < stream->generator_count && r->status == FTR_OK; i++) {
        get_generator(r, &stream->generators[i], shift);
        if (i > 0 && ftr_figure_text_compare(&stream->generators[i - 1].name,
                                             &stream->generators[i].name) >= 0)
            reject(r, FTR_ERR_FORMAT);
    }
    leave(r, more);
}

static void get_attributes(ftr_cbor_reader *r, ftr_run_record *run)
{
    uint64_t count = 0;
    (void)ftr_cbor_get_map(r, &count);
    if (count == FTR_CBOR_INDEFINITE || count > ftr_cbor_reader_left(r))
        reject(r, FTR_ERR_FORMAT);
    if (r->status != FTR_OK || count == 0)
        return;
    run->attributes = calloc((size_t)count, sizeof *run->attributes);
    if (run->attributes == NULL) {
        reject(r, FTR_ERR_MEMORY);
        return;
    }
    for (; run->attribute_count < count && r->status == FTR_OK; run->attribute_count++) {
        get_text(r, &run->attributes[run->attribute_count].name);
        get_text(r, &run->attributes[run->attribute_count].value);
    }
}

ftr_status ftr_run_decode(const uint8_t *bytes, size_t size, ftr_run_record *run)
{
    ftr_cbor_reader r;
    ftr_cbor_reader_init(&r, bytes, size);
    *run = (ftr_run_record){0};
    const uint64_t more = enter(&r, 7);
    int64_t scale = 0;
    get_text(&r, &run->file);
    get_text(&r, &run->problem);
    (void)ftr_cbor_get_int(&r, &scale);
    run->losses = get_uint(&r);
    get_attributes(&r, run);
    const uint64_t shift = get_uint(&r);
    if (shift > 63 || scale < -128 || scale > 127)
        reject(&r, FTR_ERR_FORMAT);
    run->time_scale = (int)scale;
    run->slot_shift = (unsigned)shift;
    run->streams = get_items(&r, sizeof *run->streams, STREAM_MIN, &run->stream_count);
    for (size_t i = 0; i < run->stream_count && r.status == FTR_OK; i++) {
        get_stream(&r, &run->streams[i], run->slot_shift);
        if (i > 0 && ftr_figure_text_compare(&run->streams[i - 1].name, &run->streams[i].name) >= 0)
            reject(&r, FTR_ERR_FORMAT);
    }
    leave(&r, more);
    if (r.status == FTR_OK && ftr_cbor_reader_left(&r) > 0)
        reject(&r, FTR_ERR_FORMAT);
    return r.status;
}
