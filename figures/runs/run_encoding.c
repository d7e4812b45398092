/* Reads and writes the figures of a record, in the order of the format. */
#include "run_encoding.h"

#include "growing_array.h"
#include "latency_bins.h"
#include "run_codec.h"
#include "section_encoding.h"

#include <stdlib.h>
#include <string.h>

enum { SCALE_BIAS = 128 };

/* ---- texts ----------------------------------------------------------------------------------- */

typedef void text_function(ftr_run_codec *c, ftr_text_owner owner, ftr_figure_text *text);

static void for_each_text(ftr_run_codec *c, ftr_text_owner owner, text_function *take)
{
    ftr_run_record *run = c->run;
    ftr_figure_text *const own[] = {&run->file,           &run->problem,      &run->test,
                                    &run->places.journal, &run->places.trace, &run->places.summary};
    switch (owner) {
    case FTR_TEXTS_OF_RUN:
        for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
            take(c, owner, own[i]);
        for (size_t i = 0; i < run->attribute_count; i++) {
            take(c, owner, &run->attributes[i].name);
            take(c, owner, &run->attributes[i].value);
        }
        break;
    case FTR_TEXTS_OF_STREAMS:
        for (size_t i = 0; i < run->stream_count; i++) {
            take(c, owner, &run->streams[i].name);
            take(c, owner, &run->streams[i].kind);
        }
        break;
    default:
        for (size_t i = 0; i < c->generator_count; i++)
            take(c, owner, &c->generators[i]->name);
    }
}

static void read_size(ftr_run_codec *c, ftr_text_owner owner, ftr_figure_text *text)
{
    (void)owner;
    ftr_code_size(c, text);
}

static void code_bytes(ftr_run_codec *c, ftr_text_owner owner, ftr_figure_text *text)
{
    ftr_code_bytes(c, FTR_COLUMN_TEXTS + owner, text);
}

static void read_texts(ftr_run_codec *c)
{
    enum { OWN_TEXTS = 6 };
    ftr_begin_column(c, FTR_COLUMN_TEXT_SIZES,
                     OWN_TEXTS + 2 * (uint64_t)c->run->attribute_count +
                         2 * (uint64_t)c->run->stream_count + c->generator_count);
    for (unsigned owner = 0; owner < FTR_TEXT_OWNERS; owner++)
        for_each_text(c, (ftr_text_owner)owner, read_size);
    for (unsigned owner = 0; owner < FTR_TEXT_OWNERS; owner++)
        for_each_text(c, (ftr_text_owner)owner, code_bytes);
}

/* Keeps the size of a text: the sizes of all texts of the streams come before those of the
 * generators, but the parts have both. */
static void keep_size(ftr_run_codec *c, ftr_text_owner owner, ftr_figure_text *text)
{
    ftr_text_sizes *sizes = &c->sizes[owner];
    if (ftr_array_grow(&sizes->of, &sizes->capacity, sizes->count, sizeof *sizes->of))
        sizes->of[sizes->count++] = text->size;
    else
        ftr_codec_fail(c, FTR_ERR_MEMORY);
}

static void write_texts(ftr_run_codec *c, ftr_text_owner owner)
{
    for_each_text(c, owner, keep_size);
    for_each_text(c, owner, code_bytes);
}

static void write_sizes(ftr_run_codec *c)
{
    ftr_begin_column(c, FTR_COLUMN_TEXT_SIZES, 0);
    for (unsigned owner = 0; owner < FTR_TEXT_OWNERS; owner++)
        for (size_t i = 0; i < c->sizes[owner].count; i++)
            c->memory += ftr_code(c, c->sizes[owner].of[i]) + 1;
}

/* ---- the run, its streams and generators ----------------------------------------------------- */

/* Codes the numbers of the run. When reading, allocates its attributes and streams. */
static void code_run(ftr_run_codec *c, size_t stream_count)
{
    enum { NUMBERS = 6 };
    ftr_run_record *run = c->run;
    ftr_begin_column(c, FTR_COLUMN_RUN, NUMBERS);
    const uint64_t scale = ftr_code(c, (uint64_t)((int64_t)run->time_scale + SCALE_BIAS));
    run->losses = ftr_code(c, run->losses);
    const uint64_t signal = ftr_code(c, run->signal);
    const uint64_t shift = ftr_code(c, run->slot_shift);
    const uint64_t attributes = ftr_code(c, run->attribute_count);
    const uint64_t streams = ftr_code(c, stream_count);
    if (scale > 2 * SCALE_BIAS - 1 || shift > 63 || signal > 127)
        ftr_codec_fail(c, FTR_ERR_FORMAT);
    run->attributes = ftr_codec_items(c, run->attributes, attributes, sizeof *run->attributes);
    run->streams = ftr_codec_items(c, run->streams, streams, sizeof *run->streams);
    if (!ftr_codec_is_ok(c) || !ftr_codec_reads(c))
        return;
    run->time_scale = (int)scale - SCALE_BIAS;
    run->signal = (unsigned)signal;
    run->slot_shift = (unsigned)shift;
    run->attribute_count = (size_t)attributes;
    run->stream_count = (size_t)streams;
}

/* Codes the numbers of generators. When reading, allocates the generators. */
static void code_generator_counts(ftr_run_codec *c)
{
    ftr_run_record *run = c->run;
    c->generator_count = 0;
    ftr_begin_column(c, FTR_COLUMN_GENERATOR_COUNTS, run->stream_count);
    for (size_t i = 0; i < run->stream_count && ftr_codec_is_ok(c); i++) {
        ftr_stream_figures *stream = &run->streams[i];
        const uint64_t count = ftr_code(c, stream->generator_count);
        stream->generators =
            ftr_codec_items(c, stream->generators, count, sizeof *stream->generators);
        if (ftr_codec_reads(c))
            stream->generator_count = ftr_codec_is_ok(c) ? (size_t)count : 0;
        c->generator_count += stream->generator_count;
    }
}

/* Makes the list of all generators. */
static void list_generators(ftr_run_codec *c)
{
    size_t count = 0;
    free(c->generators);
    c->generators = calloc(c->generator_count + 1, sizeof(ftr_generator_figures *));
    if (c->generators == NULL) {
        c->generator_count = 0;
        ftr_codec_fail(c, FTR_ERR_MEMORY);
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
static void code_figures(ftr_run_codec *c)
{
#define COLUMN(column, count, value)                               \
    do {                                                           \
        ftr_begin_column(c, column, count);                        \
        for (size_t i = 0; i < (count) && ftr_codec_is_ok(c); i++) \
            (value) = ftr_code(c, value);                          \
    } while (0)
#define OF_STREAMS(column, member) COLUMN(column, c->run->stream_count, c->run->streams[i].member)
#define OF_GENERATORS(column, member) COLUMN(column, c->generator_count, c->generators[i]->member)
    OF_STREAMS(FTR_COLUMN_STREAM_BUSY, busy);
    OF_STREAMS(FTR_COLUMN_STREAM_OUTSTANDING, outstanding);
    OF_GENERATORS(FTR_COLUMN_ERRORS, errors);
    OF_GENERATORS(FTR_COLUMN_UNFINISHED, unfinished);
    OF_GENERATORS(FTR_COLUMN_BYTES, bytes);
    OF_GENERATORS(FTR_COLUMN_FIRST, first);
    ftr_begin_column(c, FTR_COLUMN_DURATION, c->generator_count);
    for (size_t i = 0; i < c->generator_count && ftr_codec_is_ok(c); i++) {
        ftr_generator_figures *generator = c->generators[i];
        const uint64_t duration = ftr_code(c, duration_of(generator));
        if (duration > UINT64_MAX - generator->first)
            ftr_codec_fail(c, FTR_ERR_FORMAT);
        if (ftr_codec_reads(c))
            generator->last = generator->first + duration;
    }
    OF_GENERATORS(FTR_COLUMN_BUSY, busy);
    OF_GENERATORS(FTR_COLUMN_OUTSTANDING, outstanding);
#undef OF_GENERATORS
#undef OF_STREAMS
#undef COLUMN
}

/* ---- sections -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*code)(ftr_run_codec *c);
} sections[FTR_SECTIONS] = {
    [FTR_SECTION_LATENCY] = {"latency", ftr_code_latency},
    [FTR_SECTION_SERIES] = {"series", ftr_code_series},
    [FTR_SECTION_TIMES] = {"times", ftr_code_times},
};

const char *ftr_run_section_name(ftr_run_section section)
{
    return sections[section].name;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Checks that names are in ascending order, so that a name occurs only once. */
static void check_order(ftr_run_codec *c)
{
    const ftr_run_record *run = c->run;
    for (size_t i = 0; i < run->stream_count; i++) {
        const ftr_stream_figures *stream = &run->streams[i];
        if (i > 0 && ftr_figure_text_compare(&stream[-1].name, &stream->name) >= 0)
            ftr_codec_fail(c, FTR_ERR_FORMAT);
        for (size_t k = 1; k < stream->generator_count; k++)
            if (ftr_figure_text_compare(&stream->generators[k - 1].name,
                                        &stream->generators[k].name) >= 0)
                ftr_codec_fail(c, FTR_ERR_FORMAT);
    }
}

ftr_status ftr_run_decode(const uint8_t *bytes, size_t size, unsigned set, uint64_t memory,
                          ftr_run_record *run)
{
    *run = (ftr_run_record){0};
    ftr_run_codec c = {
        .in = {.next = bytes, .end = bytes + size}, .memory_max = memory, .run = run};
    code_run(&c, 0);
    if (ftr_codec_is_ok(&c))
        code_generator_counts(&c);
    if (ftr_codec_is_ok(&c))
        list_generators(&c);
    if (ftr_codec_is_ok(&c))
        read_texts(&c);
    if (ftr_codec_is_ok(&c))
        check_order(&c);
    if (ftr_codec_is_ok(&c))
        code_figures(&c);
    for (unsigned i = 0; i < FTR_SECTIONS && ftr_codec_is_ok(&c); i++)
        if (set & 1u << i)
            sections[i].code(&c);
    free(c.generators);
    if (c.in.status == FTR_OK && c.in.next != c.in.end)
        return FTR_ERR_FORMAT;
    return c.in.status;
}

/* ---- writing --------------------------------------------------------------------------------- */

struct ftr_run_writer {
    ftr_run_codec codec;
    ftr_written_column columns[FTR_RUN_COLUMNS];
    size_t stream_count;
    bool has_times;
};

ftr_status ftr_run_writer_create(ftr_run_writer **made)
{
    ftr_run_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL)
        return FTR_ERR_MEMORY;
    writer->codec = (ftr_run_codec){.columns = writer->columns, .memory_max = UINT64_MAX};
    for (unsigned i = 0; i < FTR_RUN_COLUMNS; i++) {
        ftr_written_column *column = &writer->columns[i];
        ftr_cbor_writer_init_growing(&column->bytes, 0);
        column->numbers.to = &column->bytes;
    }
    *made = writer;
    return FTR_OK;
}

void ftr_run_writer_destroy(ftr_run_writer *writer)
{
    if (writer == NULL)
        return;
    for (unsigned i = 0; i < FTR_RUN_COLUMNS; i++)
        ftr_cbor_writer_free(&writer->columns[i].bytes);
    for (unsigned i = 0; i < FTR_TEXT_OWNERS; i++)
        free(writer->codec.sizes[i].of);
    free(writer->codec.generators);
    free(writer);
}

size_t ftr_run_writer_memory(const ftr_run_writer *writer)
{
    size_t memory = sizeof *writer;
    for (unsigned i = 0; i < FTR_RUN_COLUMNS; i++)
        memory += ftr_cbor_writer_size(&writer->columns[i].bytes);
    for (unsigned i = 0; i < FTR_TEXT_OWNERS; i++)
        memory += writer->codec.sizes[i].capacity * sizeof *writer->codec.sizes[i].of;
    return memory;
}

void ftr_run_writer_add(ftr_run_writer *writer, const ftr_run_record *part)
{
    ftr_run_codec *c = &writer->codec;
    /* A writing codec assigns to each figure the value that it already has. The copy makes this
     * possible, because @p part is constant. */
    ftr_run_record same = *part;
    c->run = &same;
    /* NOLINTBEGIN(clang-analyzer-unix.Malloc): a writing codec allocates no figures */
    code_generator_counts(c);
    if (ftr_codec_is_ok(c))
        list_generators(c);
    if (ftr_codec_is_ok(c)) {
        write_texts(c, FTR_TEXTS_OF_STREAMS);
        write_texts(c, FTR_TEXTS_OF_GENERATORS);
        code_figures(c);
        ftr_code_latency(c);
        ftr_code_times(c);
    }
    /* NOLINTEND(clang-analyzer-unix.Malloc) */
    writer->stream_count += part->stream_count;
    for (size_t i = 0; i < c->generator_count; i++)
        writer->has_times |= c->generators[i]->time_count > 0;
    c->run = NULL;
    c->generator_count = 0;
}

/* Appends all columns to @p to, and frees them. */
static void join_columns(ftr_run_writer *writer, ftr_cbor_writer *to)
{
    for (unsigned i = 0; i < FTR_RUN_COLUMNS; i++) {
        ftr_written_column *column = &writer->columns[i];
        const bool is_missing = i >= FTR_COLUMN_TIME_COUNTS && !writer->has_times;
        ftr_numbers_end(&column->numbers);
        if (column->bytes.status != FTR_OK)
            ftr_codec_fail(&writer->codec, column->bytes.status);
        const size_t size = is_missing ? 0 : ftr_cbor_writer_size(&column->bytes);
        if (size > 0 && writer->codec.status == FTR_OK)
            ftr_cbor_put_encoded(to, column->bytes.begin, size);
        ftr_cbor_writer_free(&column->bytes);
    }
    if (writer->codec.status != FTR_OK)
        ftr_cbor_writer_fail(to, writer->codec.status);
}

ftr_status ftr_run_writer_end(ftr_run_writer *writer, const ftr_run_record *run,
                              const ftr_series_list *series, ftr_encoded_run *encoded)
{
    ftr_cbor_writer bytes;
    ftr_run_codec *c = &writer->codec;
    ftr_run_record head = *run;
    head.streams = NULL;
    head.stream_count = 0;
    c->run = &head;
    c->series = series;
    code_run(c, writer->stream_count);
    write_texts(c, FTR_TEXTS_OF_RUN);
    write_sizes(c);
    ftr_code_series(c);
    ftr_cbor_writer_init_growing(&bytes, 0);
    join_columns(writer, &bytes);
    c->run = NULL;
    if (bytes.status != FTR_OK) {
        const ftr_status status = bytes.status;
        ftr_cbor_writer_free(&bytes);
        return status;
    }
    *encoded = (ftr_encoded_run){.bytes = bytes.begin,
                                 .size = ftr_cbor_writer_size(&bytes),
                                 .sections = 1u << FTR_SECTION_LATENCY | 1u << FTR_SECTION_SERIES |
                                             (writer->has_times ? 1u << FTR_SECTION_TIMES : 0),
                                 .memory = c->memory};
    return FTR_OK;
}

void ftr_encoded_run_release(ftr_encoded_run *encoded)
{
    free(encoded->bytes);
    *encoded = (ftr_encoded_run){0};
}

/* Makes a list of the series of a run. They stay those of the run. @return false if out of
 * memory */
static bool list_series(const ftr_run_record *run, ftr_time_series **streams,
                        ftr_time_series **generators, size_t *generator_count)
{
    size_t count = 0;
    for (size_t i = 0; i < run->stream_count; i++)
        count += run->streams[i].generator_count;
    *streams = calloc(run->stream_count + 1, sizeof **streams);
    *generators = calloc(count + 1, sizeof **generators);
    if (*streams == NULL || *generators == NULL)
        return false;
    *generator_count = 0;
    for (size_t i = 0; i < run->stream_count; i++) {
        (*streams)[i] = run->streams[i].series;
        for (size_t k = 0; k < run->streams[i].generator_count; k++)
            (*generators)[(*generator_count)++] = run->streams[i].generators[k].series;
    }
    return true;
}

ftr_status ftr_run_encode(const ftr_run_record *run, ftr_encoded_run *encoded)
{
    ftr_run_writer *writer;
    ftr_time_series *streams = NULL, *generators = NULL;
    size_t generator_count = 0;
    ftr_status status = ftr_run_writer_create(&writer);
    if (status != FTR_OK)
        return status;
    if (list_series(run, &streams, &generators, &generator_count)) {
        const ftr_series_list series = {streams, run->stream_count, generators, generator_count};
        ftr_run_writer_add(writer, run);
        status = ftr_run_writer_end(writer, run, &series, encoded);
    } else {
        status = FTR_ERR_MEMORY;
    }
    free(streams);
    free(generators);
    ftr_run_writer_destroy(writer);
    return status;
}
