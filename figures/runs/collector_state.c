/* The state of a collector as bytes. Arrays are stored as byte strings, because copying an array
 * takes less time than encoding its items. */
#include "cbor_reader.h"
#include "cbor_writer.h"
#include "run_collector.h"

#include "collector_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- writing --------------------------------------------------------------------------------- */

static void put_late(ftr_cbor_writer *w, const ftr_late_activity *late)
{
    ftr_cbor_put_uint(w, late->busy);
    ftr_cbor_put_uint(w, late->settled);
    ftr_cbor_put_bytes(w, late->free, late->outstanding * sizeof *late->free);
    ftr_cbor_put_bytes(w, late->covered, late->covered_count * sizeof *late->covered);
}

static void put_series(ftr_cbor_writer *w, const ftr_time_series *series)
{
    ftr_cbor_put_uint(w, series->first);
    ftr_cbor_put_bytes(w, series->cells,
                       (size_t)series->count * series->columns * sizeof *series->cells);
}

static void put_slots(ftr_cbor_writer *w, const ftr_collected_slots *slots)
{
    ftr_cbor_put_uint(w, slots->shift);
    ftr_cbor_put_uint(w, slots->cells);
    ftr_cbor_put_bool(w, slots->are_used);
    ftr_cbor_put_uint(w, slots->first);
    ftr_cbor_put_uint(w, slots->last);
}

static void put_bins(ftr_cbor_writer *w, const ftr_latency_bins *bins)
{
    ftr_cbor_put_bool(w, bins->rounded);
    ftr_cbor_put_uint(w, bins->count);
    ftr_cbor_put_uint(w, bins->least);
    ftr_cbor_put_uint(w, bins->greatest);
    ftr_cbor_put_uint(w, (uint64_t)(bins->sum >> 64));
    ftr_cbor_put_uint(w, (uint64_t)bins->sum);
    const size_t size = bins->used * sizeof *bins->bins;
    ftr_cbor_put_head(w, FTR_CBOR_MAJOR_BYTES, size);
    uint8_t *p = size > 0 ? ftr_cbor_reserve(w, size) : NULL;
    if (p == NULL)
        return;
    for (size_t i = 0; i < bins->capacity; i++)
        if (bins->bins[i].count > 0) {
            memcpy(p, &bins->bins[i], sizeof *bins->bins);
            p += sizeof *bins->bins;
        }
    ftr_cbor_advance(w, p);
}

static void put_text(ftr_cbor_writer *w, const ftr_figure_text *text)
{
    ftr_cbor_put_bytes(w, text->bytes, text->size);
}

static void put_times(ftr_cbor_writer *w, const ftr_generator_figures *figures)
{
    ftr_cbor_put_uint(w, figures->time_count);
    for (unsigned i = 0; i < figures->time_count; i++) {
        put_text(w, &figures->times[i].name);
        put_bins(w, &figures->times[i].bins);
    }
}

static void put_generator(ftr_cbor_writer *w, const ftr_collected_generator *generator)
{
    const ftr_generator_figures *figures = &generator->figures;
    ftr_cbor_put_uint(w, generator->stream);
    put_text(w, &figures->name);
    ftr_cbor_put_uint(w, figures->errors);
    ftr_cbor_put_uint(w, figures->unfinished);
    ftr_cbor_put_uint(w, figures->bytes);
    ftr_cbor_put_uint(w, figures->first);
    ftr_cbor_put_uint(w, figures->last);
    put_bins(w, &figures->latency);
    ftr_cbor_put_bytes(w, figures->slowest.of,
                       figures->slowest.count * sizeof *figures->slowest.of);
    put_series(w, &figures->series);
    put_times(w, figures);
    put_late(w, &generator->activity.late);
}

void ftr_collector_state_put(const ftr_run_collector *collector, ftr_cbor_writer *w)
{
    put_slots(w, &collector->slots);
    ftr_cbor_put_uint(w, collector->stream_count);
    for (size_t i = 0; i < collector->stream_count; i++) {
        const ftr_collected_stream *stream = &collector->streams[i];
        put_text(w, &stream->figures.name);
        put_text(w, &stream->figures.kind);
        put_series(w, &stream->figures.series);
        put_late(w, &stream->activity.late);
        const ftr_end_order *waiting = &stream->waiting;
        ftr_cbor_put_bytes(w, waiting->of != NULL ? waiting->of + waiting->first : NULL,
                           ftr_end_order_count(waiting) * sizeof *waiting->of);
    }
    ftr_cbor_put_uint(w, collector->generator_count);
    for (size_t i = 0; i < collector->generator_count; i++)
        put_generator(w, &collector->generators[i]);
    ftr_cbor_put_uint(w, collector->attribute_count);
    for (size_t i = 0; i < collector->attribute_count; i++) {
        put_text(w, &collector->attributes[i].name);
        put_text(w, &collector->attributes[i].value);
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

static void reject(ftr_cbor_reader *r, ftr_status status)
{
    (void)ftr_cbor_reader_fail(r, status);
}

static uint64_t get_uint(ftr_cbor_reader *r)
{
    uint64_t value = 0;
    (void)ftr_cbor_get_uint(r, &value);
    return value;
}

/* Returns the next byte string, which must consist of whole items of @p item bytes. */
static const uint8_t *get_bytes(ftr_cbor_reader *r, size_t item, size_t *count)
{
    const uint8_t *bytes = NULL;
    size_t size = 0;
    (void)ftr_cbor_get_bytes(r, &bytes, &size);
    if (size % item != 0)
        reject(r, FTR_ERR_FORMAT);
    *count = r->status == FTR_OK ? size / item : 0;
    return bytes;
}

/* Returns a copy of the items of the next byte string; NULL if there are none. */
static void *get_array(ftr_cbor_reader *r, size_t item, size_t *count)
{
    const uint8_t *bytes = get_bytes(r, item, count);
    if (*count == 0)
        return NULL;
    void *copy = malloc(*count * item);
    if (copy == NULL) {
        reject(r, FTR_ERR_MEMORY);
        *count = 0;
        return NULL;
    }
    memcpy(copy, bytes, *count * item);
    return copy;
}

static void get_late(ftr_cbor_reader *r, ftr_late_activity *late)
{
    late->busy = get_uint(r);
    late->settled = get_uint(r);
    late->free = get_array(r, sizeof *late->free, &late->outstanding);
    late->free_capacity = late->outstanding;
    late->covered = get_array(r, sizeof *late->covered, &late->covered_count);
    late->covered_capacity = late->covered_count;
}

static void get_series(ftr_cbor_reader *r, ftr_time_series *series)
{
    size_t count;
    const uint64_t first = get_uint(r);
    uint64_t *cells = get_array(r, series->columns * sizeof *cells, &count);
    if (count > FTR_SERIES_SLOTS_MAX) {
        free(cells);
        reject(r, FTR_ERR_FORMAT);
        return;
    }
    series->cells = cells;
    series->first = first;
    series->count = series->capacity = (uint16_t)count;
}

static void get_slots(ftr_cbor_reader *r, ftr_collected_slots *slots)
{
    const uint64_t shift = get_uint(r);
    if (shift > 63)
        reject(r, FTR_ERR_FORMAT);
    slots->shift = (unsigned)shift & 63;
    slots->cells = get_uint(r);
    (void)ftr_cbor_get_bool(r, &slots->are_used);
    slots->first = get_uint(r);
    slots->last = get_uint(r);
}

static void get_bins(ftr_cbor_reader *r, ftr_latency_bins *bins)
{
    ftr_latency_bin bin;
    size_t used;
    (void)ftr_cbor_get_bool(r, &bins->rounded);
    const uint64_t count = get_uint(r);
    const uint64_t least = get_uint(r);
    const uint64_t greatest = get_uint(r);
    const uint64_t high = get_uint(r);
    const uint64_t low = get_uint(r);
    const uint8_t *bytes = get_bytes(r, sizeof bin, &used);
    for (size_t i = 0; i < used && r->status == FTR_OK; i++) {
        memcpy(&bin, bytes + i * sizeof bin, sizeof bin);
        if (bin.count == 0)
            reject(r, FTR_ERR_FORMAT);
        else if (!ftr_latency_bins_add(bins, bin.value, bin.count))
            reject(r, FTR_ERR_MEMORY);
    }
    if (bins->count != count)
        reject(r, FTR_ERR_FORMAT);
    bins->least = least;
    bins->greatest = greatest;
    bins->sum = (ftr_wide)high << 64 | low;
}

static void get_slowest(ftr_cbor_reader *r, ftr_slowest *slowest)
{
    size_t count;
    slowest->of = get_array(r, sizeof *slowest->of, &count);
    if (count > FTR_SLOWEST_MAX)
        reject(r, FTR_ERR_FORMAT);
    else
        slowest->count = slowest->capacity = (uint32_t)count;
}

static void get_times(ftr_cbor_reader *r, ftr_generator_figures *figures)
{
    const uint64_t count = get_uint(r);
    if (count > FTR_TIMES_MAX)
        reject(r, FTR_ERR_FORMAT);
    if (count == 0 || r->status != FTR_OK)
        return;
    figures->times = calloc(FTR_TIMES_MAX, sizeof *figures->times);
    if (figures->times == NULL) {
        reject(r, FTR_ERR_MEMORY);
        return;
    }
    for (unsigned i = 0; i < count && r->status == FTR_OK; i++) {
        size_t size;
        const uint8_t *name = get_bytes(r, 1, &size);
        if (r->status != FTR_OK)
            return;
        if (!ftr_figure_text_set(&figures->times[i].name, (const char *)name, size)) {
            reject(r, FTR_ERR_MEMORY);
            return;
        }
        figures->time_count++;
        get_bins(r, &figures->times[i].bins);
    }
}

static void get_stream(ftr_cbor_reader *r, ftr_run_collector *collector)
{
    size_t name_size, kind_size, number;
    const uint8_t *name = get_bytes(r, 1, &name_size);
    const uint8_t *kind = get_bytes(r, 1, &kind_size);
    const size_t expected = collector->stream_count;
    if (r->status != FTR_OK)
        return;
    const ftr_status status = ftr_run_collector_stream(collector, (const char *)name, name_size,
                                                       (const char *)kind, kind_size, &number);
    if (status != FTR_OK || number != expected) {
        reject(r, status != FTR_OK ? status : FTR_ERR_FORMAT);
        return;
    }
    get_series(r, &collector->streams[number].figures.series);
    get_late(r, &collector->streams[number].activity.late);
    ftr_end_order *waiting = &collector->streams[number].waiting;
    waiting->of = get_array(r, sizeof *waiting->of, &waiting->end);
    waiting->capacity = waiting->end;
    collector->waiting += waiting->end;
}

/* Rejects a state in which a waiting transaction has no generator or no slot, because these are not
 * checked when the transaction is counted. */
static void check_waiting(ftr_cbor_reader *r, const ftr_run_collector *collector)
{
    const unsigned shift = collector->slots.shift;
    for (size_t i = 0; i < collector->stream_count; i++) {
        const ftr_collected_stream *stream = &collector->streams[i];
        for (size_t k = 0; k < stream->waiting.end; k++) {
            const ftr_waiting_tx *tx = &stream->waiting.of[k];
            const uint64_t last = tx->end > tx->begin ? tx->end - 1 : tx->begin;
            bool ok = tx->generator < collector->generator_count;
            const ftr_time_series *const series[] = {
                &stream->figures.series,
                ok ? &collector->generators[tx->generator].figures.series : NULL};
            for (size_t n = 0; ok && tx->end > tx->begin && n < 2; n++)
                ok = (tx->begin >> shift) - series[n]->first < series[n]->count &&
                     (last >> shift) - series[n]->first < series[n]->count;
            if (!ok)
                reject(r, FTR_ERR_FORMAT);
        }
    }
}

static void get_generator(ftr_cbor_reader *r, ftr_run_collector *collector)
{
    size_t name_size, number;
    const uint64_t stream = get_uint(r);
    const uint8_t *name = get_bytes(r, 1, &name_size);
    const size_t expected = collector->generator_count;
    if (stream >= collector->stream_count)
        reject(r, FTR_ERR_FORMAT);
    if (r->status != FTR_OK)
        return;
    const ftr_status status = ftr_run_collector_generator(collector, (size_t)stream,
                                                          (const char *)name, name_size, &number);
    if (status != FTR_OK || number != expected) {
        reject(r, status != FTR_OK ? status : FTR_ERR_FORMAT);
        return;
    }
    ftr_generator_figures *figures = &collector->generators[number].figures;
    figures->errors = get_uint(r);
    figures->unfinished = get_uint(r);
    figures->bytes = get_uint(r);
    figures->first = get_uint(r);
    figures->last = get_uint(r);
    get_bins(r, &figures->latency);
    get_slowest(r, &figures->slowest);
    get_series(r, &figures->series);
    get_times(r, figures);
    get_late(r, &collector->generators[number].activity.late);
}

/* Reads an attribute of the run. */
static void get_attribute(ftr_cbor_reader *r, ftr_run_collector *collector)
{
    ftr_run_attribute attribute = {0};
    size_t name_size, value_size;
    const uint8_t *name = get_bytes(r, 1, &name_size);
    const uint8_t *value = get_bytes(r, 1, &value_size);
    if (r->status != FTR_OK)
        return;
    if (!ftr_figure_text_set(&attribute.name, (const char *)name, name_size) ||
        !ftr_figure_text_set(&attribute.value, (const char *)value, value_size) ||
        !ftr_run_collector_add_attribute(collector, &attribute)) {
        free(attribute.name.bytes);
        free(attribute.value.bytes);
        reject(r, FTR_ERR_MEMORY);
    }
}

ftr_status ftr_collector_state_get(ftr_run_collector *collector, ftr_cbor_reader *r)
{
    get_slots(r, &collector->slots);
    for (uint64_t left = get_uint(r); left > 0 && r->status == FTR_OK; left--)
        get_stream(r, collector);
    for (uint64_t left = get_uint(r); left > 0 && r->status == FTR_OK; left--)
        get_generator(r, collector);
    for (uint64_t left = get_uint(r); left > 0 && r->status == FTR_OK; left--)
        get_attribute(r, collector);
    if (r->status == FTR_OK)
        check_waiting(r, collector);
    return r->status;
}
