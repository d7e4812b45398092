/* Writes the bytes of a run's record of version 1. Does not know the files that contain records. */
#include "run_encoding.h"

static void put_latency(ftr_cbor_writer *w, const ftr_latency_bins *bins)
{
    const uint64_t step = ftr_latency_bins_step(bins);
    ftr_cbor_put_array(w, 9);
    ftr_cbor_put_uint(w, bins->count);
    ftr_cbor_put_uint(w, bins->least);
    ftr_cbor_put_uint(w, bins->greatest);
    ftr_cbor_put_uint(w, (uint64_t)(bins->sum >> 64));
    ftr_cbor_put_uint(w, (uint64_t)bins->sum);
    ftr_cbor_put_bool(w, bins->rounded);
    ftr_cbor_put_uint(w, step);
    ftr_cbor_put_array(w, bins->used);
    for (size_t i = 0; i < bins->used; i++)
        ftr_cbor_put_uint(w, i == 0 ? bins->bins[0].value
                                    : (bins->bins[i].value - bins->bins[i - 1].value) / step);
    ftr_cbor_put_array(w, bins->used);
    for (size_t i = 0; i < bins->used; i++)
        ftr_cbor_put_uint(w, bins->bins[i].count);
}

static void put_slowest(ftr_cbor_writer *w, const ftr_slowest *slowest)
{
    ftr_cbor_put_array(w, 3 * (uint64_t)slowest->count);
    for (unsigned i = 0; i < slowest->count; i++) {
        ftr_cbor_put_uint(w, i == 0 ? slowest->of[0].latency
                                    : slowest->of[i - 1].latency - slowest->of[i].latency);
        ftr_cbor_put_uint(w, slowest->of[i].begin);
        ftr_cbor_put_uint(w, slowest->of[i].id);
    }
}

static void put_column(ftr_cbor_writer *w, const ftr_time_series *series, size_t offset)
{
    ftr_cbor_put_array(w, series->count);
    for (unsigned i = 0; i < series->count; i++) {
        const uint64_t *slot = (const uint64_t *)(const void *)&series->slots[i];
        ftr_cbor_put_uint(w, slot[offset / sizeof *slot]);
    }
}

#define PUT_COLUMN(w, series, column) put_column(w, series, offsetof(ftr_time_slot, column))

static void put_series(ftr_cbor_writer *w, const ftr_time_series *series)
{
    ftr_cbor_put_array(w, 6);
    ftr_cbor_put_uint(w, series->first);
    PUT_COLUMN(w, series, transactions);
    PUT_COLUMN(w, series, bytes);
    PUT_COLUMN(w, series, busy);
    PUT_COLUMN(w, series, latency_sum);
    PUT_COLUMN(w, series, latency_max);
}

static void put_busy_series(ftr_cbor_writer *w, const ftr_time_series *series)
{
    ftr_cbor_put_array(w, 2);
    ftr_cbor_put_uint(w, series->first);
    PUT_COLUMN(w, series, busy);
}

static void put_text(ftr_cbor_writer *w, const ftr_figure_text *text)
{
    ftr_cbor_put_bytes(w, text->bytes, text->size);
}

static void put_generator(ftr_cbor_writer *w, const ftr_generator_figures *generator)
{
    const bool any = generator->latency.count > 0;
    ftr_cbor_put_array(w, 11);
    put_text(w, &generator->name);
    ftr_cbor_put_uint(w, generator->errors);
    ftr_cbor_put_uint(w, generator->unfinished);
    ftr_cbor_put_uint(w, generator->bytes);
    ftr_cbor_put_uint(w, any ? generator->first : 0);
    ftr_cbor_put_uint(w, any ? generator->last - generator->first : 0);
    ftr_cbor_put_uint(w, generator->busy);
    ftr_cbor_put_uint(w, generator->outstanding);
    put_latency(w, &generator->latency);
    put_slowest(w, &generator->slowest);
    put_series(w, &generator->series);
}

static void put_stream(ftr_cbor_writer *w, const ftr_stream_figures *stream)
{
    ftr_cbor_put_array(w, 6);
    put_text(w, &stream->name);
    put_text(w, &stream->kind);
    ftr_cbor_put_uint(w, stream->busy);
    ftr_cbor_put_uint(w, stream->outstanding);
    put_busy_series(w, &stream->series);
    ftr_cbor_put_array(w, stream->generator_count);
    for (size_t i = 0; i < stream->generator_count; i++)
        put_generator(w, &stream->generators[i]);
}

void ftr_run_encode(const ftr_run_record *run, ftr_cbor_writer *w)
{
    ftr_cbor_put_array(w, 7);
    put_text(w, &run->file);
    put_text(w, &run->problem);
    ftr_cbor_put_int(w, run->time_scale);
    ftr_cbor_put_uint(w, run->losses);
    ftr_cbor_put_map(w, run->attribute_count);
    for (size_t i = 0; i < run->attribute_count; i++) {
        put_text(w, &run->attributes[i].name);
        put_text(w, &run->attributes[i].value);
    }
    ftr_cbor_put_uint(w, run->slot_shift);
    ftr_cbor_put_array(w, run->stream_count);
    for (size_t i = 0; i < run->stream_count; i++)
        put_stream(w, &run->streams[i]);
}

size_t ftr_run_series_size(const ftr_run_record *run)
{
    ftr_cbor_writer w;
    ftr_cbor_writer_init_growing(&w, 0);
    for (size_t i = 0; i < run->stream_count; i++) {
        put_busy_series(&w, &run->streams[i].series);
        for (size_t k = 0; k < run->streams[i].generator_count; k++)
            put_series(&w, &run->streams[i].generators[k].series);
    }
    const size_t size = w.status == FTR_OK ? ftr_cbor_writer_size(&w) : 0;
    ftr_cbor_writer_free(&w);
    return size;
}
