/* Computes the record of a run. */
#include "run_collector.h"

#include "collector_parts.h"
#include "run_record.h"

#include "growing_array.h"
#include "stream_name_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of cells (time slots multiplied by columns) in all series of a run, so that a
 * summary is small even with many generators. A run has more cells only if its series together
 * cover at most SLOTS_MIN time slots. */
#define SERIES_CELLS_MAX 2048u
#define GENERATOR_COLUMNS 5u
#define SLOTS_MIN 8u
/* Maximum number of generators with an array of small latencies. The arrays need at most 16 MiB. */
#define SMALL_MAX 64u

ftr_status ftr_run_collector_create(ftr_collect_order order, ftr_run_collector **collector)
{
    ftr_run_collector *created = calloc(1, sizeof *created);
    if (created == NULL)
        return FTR_ERR_MEMORY;
    created->order = order;
    *collector = created;
    return FTR_OK;
}

/* ---- streams and generators ------------------------------------------------------------------ */

static ftr_stream_role role_of(const char *name, size_t size, const char *kind, size_t kind_size)
{
    if (ftr_text_is(name, size, FTR_RUN_STREAM))
        return ROLE_RUN;
    if (ftr_stream_has_losses(name, size, kind, kind_size))
        return ROLE_LOSSES;
    return ftr_text_begins(name, size, FTR_OWN_STREAM_PREFIX) ? ROLE_OWN : ROLE_MODEL;
}

ftr_status ftr_run_collector_stream(ftr_run_collector *collector, const char *name,
                                    size_t name_size, const char *kind, size_t kind_size,
                                    size_t *stream)
{
    const size_t known = ftr_name_table_find(&collector->stream_names, name, name_size, 0);
    if (known != FTR_NAME_UNKNOWN) {
        *stream = known;
        return FTR_OK;
    }
    if (!ftr_array_grow(&collector->streams, &collector->stream_capacity, collector->stream_count,
                        sizeof *collector->streams))
        return FTR_ERR_MEMORY;
    ftr_collected_stream *added = &collector->streams[collector->stream_count];
    *added = (ftr_collected_stream){.role = role_of(name, name_size, kind, kind_size)};
    added->measured = added->role == ROLE_MODEL;
    if (!ftr_figure_text_set(&added->figures.name, name, name_size) ||
        !ftr_figure_text_set(&added->figures.kind, kind, kind_size) ||
        !ftr_name_table_add(&collector->stream_names, added->figures.name.bytes, name_size, 0,
                            collector->stream_count)) {
        free(added->figures.name.bytes);
        free(added->figures.kind.bytes);
        return FTR_ERR_MEMORY;
    }
    *stream = collector->stream_count++;
    return FTR_OK;
}

ftr_status ftr_run_collector_generator(ftr_run_collector *collector, size_t stream,
                                       const char *name, size_t name_size, size_t *generator)
{
    const ftr_collected_stream *owner = &collector->streams[stream];
    const ftr_figure_text *kind = &owner->figures.kind;
    const size_t stream_size = owner->figures.name.size;
    const size_t key_size = stream_size + 1 + name_size;
    if (!ftr_array_grow(&collector->generators, &collector->generator_capacity,
                        collector->generator_count, sizeof *collector->generators))
        return FTR_ERR_MEMORY;
    char *key = malloc(key_size);
    if (key == NULL)
        return FTR_ERR_MEMORY;
    memcpy(key, owner->figures.name.bytes, stream_size);
    key[stream_size] = '.';
    if (name_size > 0)
        memcpy(key + stream_size + 1, name, name_size);
    const size_t known =
        ftr_name_table_find(&collector->generator_names, key, key_size, stream_size);
    if (known != FTR_NAME_UNKNOWN) {
        free(key);
        *generator = known;
        return FTR_OK;
    }
    ftr_collected_generator *added = &collector->generators[collector->generator_count];
    *added = (ftr_collected_generator){.stream = stream, .key = key};
    added->figures.first = UINT64_MAX;
    added->responses = ftr_response_rule_of(kind->bytes, kind->size, name, name_size);
    added->times = ftr_times_rule_of(kind->bytes, kind->size);
    added->has_events = ftr_text_ends(name, name_size, FTR_EVENTS_SUFFIX);
    if (!ftr_figure_text_set(&added->figures.name, name, name_size) ||
        !ftr_name_table_add(&collector->generator_names, key, key_size, stream_size,
                            collector->generator_count)) {
        free(added->figures.name.bytes);
        free(key);
        return FTR_ERR_MEMORY;
    }
    *generator = collector->generator_count++;
    return FTR_OK;
}

void ftr_run_collector_measure(ftr_run_collector *collector, size_t stream)
{
    collector->streams[stream].measured = true;
}

/* ---- attributes ------------------------------------------------------------------------------ */

bool ftr_run_collector_notes(const ftr_run_collector *collector, size_t generator)
{
    return collector->streams[collector->generators[generator].stream].role == ROLE_RUN;
}

bool ftr_run_collector_add_attribute(ftr_run_collector *collector,
                                     const ftr_run_attribute *attribute)
{
    if (!ftr_array_grow(&collector->attributes, &collector->attribute_capacity,
                        collector->attribute_count, sizeof *collector->attributes))
        return false;
    collector->attributes[collector->attribute_count++] = *attribute;
    return true;
}

ftr_status ftr_run_collector_note(ftr_run_collector *collector, size_t generator,
                                  const ftr_figure_attribute *attribute)
{
    char digits[32];
    const char *value = attribute->text;
    size_t size = attribute->text_size;
    if (!ftr_run_collector_notes(collector, generator) || attribute->name == NULL ||
        ftr_text_begins(attribute->name, attribute->name_size, "transactions.") ||
        (attribute->form == FTR_FIGURE_TEXT && value == NULL) ||
        attribute->form == FTR_FIGURE_OTHER)
        return FTR_OK;
    if (attribute->form != FTR_FIGURE_TEXT) {
        const int length =
            attribute->form == FTR_FIGURE_TRUE ? snprintf(digits, sizeof digits, "true")
            : attribute->form == FTR_FIGURE_NUMBER
                ? snprintf(digits, sizeof digits, "%llu", (unsigned long long)attribute->number)
                : snprintf(digits, sizeof digits, "%lld", (long long)attribute->integer);
        value = digits;
        size = (size_t)length;
    }
    for (size_t i = 0; i < collector->attribute_count; i++) {
        const ftr_figure_text *name = &collector->attributes[i].name;
        if (name->size == attribute->name_size &&
            memcmp(name->bytes, attribute->name, name->size) == 0)
            return ftr_figure_text_set(&collector->attributes[i].value, value, size)
                       ? FTR_OK
                       : FTR_ERR_MEMORY;
    }
    ftr_run_attribute added = {0};
    if (ftr_figure_text_set(&added.name, attribute->name, attribute->name_size) &&
        ftr_figure_text_set(&added.value, value, size) &&
        ftr_run_collector_add_attribute(collector, &added))
        return FTR_OK;
    free(added.name.bytes);
    free(added.value.bytes);
    return FTR_ERR_MEMORY;
}

/* ---- transactions ---------------------------------------------------------------------------- */

static bool add_busy(void *series, uint64_t begin, uint64_t end)
{
    return ftr_time_series_add_busy(series, begin, end);
}

void ftr_run_collector_reduce(ftr_run_collector *collector, bool lacks_streams)
{
    collector->is_reduced = true;
    collector->lacks_streams = lacks_streams;
}

bool ftr_run_collector_uses_ids(const ftr_run_collector *collector)
{
    return !collector->is_reduced;
}

void ftr_run_collector_leave_activity(ftr_run_collector *collector)
{
    collector->leaves_activity = true;
}

void ftr_run_collector_set_activity(ftr_run_collector *collector, size_t generator, uint64_t busy,
                                    uint64_t outstanding)
{
    ftr_activity *activity = &collector->generators[generator].activity.early;
    activity->busy = busy;
    activity->outstanding = outstanding;
}

static bool add_activity(const ftr_run_collector *collector, ftr_collected_activity *activity,
                         ftr_time_series *series, uint64_t begin, uint64_t end)
{
    uint64_t idle;
    if (collector->leaves_activity)
        return true;
    if (collector->order == FTR_COLLECT_AS_RECORDED)
        return ftr_late_activity_add(&activity->late, begin, end, collector->holds, add_busy,
                                     series);
    return ftr_activity_add(&activity->early, begin, end, &idle) &&
           (collector->is_reduced || ftr_time_series_add_busy(series, idle, end));
}

static void release_activity(ftr_collected_activity *activity)
{
    ftr_activity_release(&activity->early);
    ftr_late_activity_release(&activity->late);
}

/* Only one of the two members is in use; the other one is 0. */
static uint64_t busy_of(const ftr_collected_activity *activity)
{
    return activity->early.busy + activity->late.busy;
}

static uint64_t outstanding_of(const ftr_collected_activity *activity)
{
    return activity->early.outstanding + activity->late.outstanding;
}

static bool add_latency(ftr_run_collector *collector, ftr_collected_generator *generator,
                        uint64_t latency)
{
    ftr_latency_bins *bins = &generator->figures.latency;
    if (ftr_small_latencies_add(&generator->small, latency))
        return true;
    if (collector->is_reduced &&
        (bins->used >= FTR_SMALL_LATENCIES_MIN || bins->count >= FTR_SMALL_TRANSACTIONS_MIN) &&
        generator->small.counts == NULL && collector->small_count < SMALL_MAX) {
        collector->small_count++;
        ftr_small_latencies_init(&generator->small);
    }
    return ftr_latency_bins_add(bins, latency, 1);
}

/* Adds the figures that only an ended transaction has: latency, named times, slowest, series. */
static bool add_ended(ftr_run_collector *collector, ftr_collected_generator *generator,
                      const ftr_tx_figures *tx, uint64_t latency)
{
    const ftr_slow_tx slow = {latency, tx->begin, tx->id};
    ftr_generator_figures *figures = &generator->figures;
    if (!add_latency(collector, generator, latency) ||
        (tx->time_count > 0 && !ftr_named_times_add(figures->times, &figures->time_count,
                                                    generator->times, tx->times, tx->time_count)))
        return false;
    if (collector->is_reduced)
        return true;
    ftr_slowest_add(&figures->slowest, &slow);
    return ftr_time_series_add(&figures->series, tx->begin, tx->bytes, latency);
}

static bool add_to_generator(ftr_run_collector *collector, ftr_collected_generator *generator,
                             const ftr_tx_figures *tx, uint64_t end)
{
    ftr_generator_figures *figures = &generator->figures;
    if ((!tx->unfinished && !add_ended(collector, generator, tx, end - tx->begin)) ||
        !add_activity(collector, &generator->activity, &figures->series, tx->begin, end))
        return false;
    figures->errors += ftr_tx_figures_is_error(tx, generator->responses);
    figures->unfinished += tx->unfinished;
    figures->cut += tx->unfinished ? end - tx->begin : 0;
    figures->bytes += tx->unfinished ? 0 : tx->bytes;
    figures->first = tx->begin < figures->first ? tx->begin : figures->first;
    figures->last = end > figures->last ? end : figures->last;
    return true;
}

void ftr_run_collector_fetch(const ftr_run_collector *collector, size_t generator, uint64_t latency)
{
    ftr_small_latencies_fetch(&collector->generators[generator].small, latency);
}

ftr_status ftr_run_collector_add(ftr_run_collector *collector, size_t generator,
                                 const ftr_tx_figures *tx)
{
    ftr_collected_generator *of = &collector->generators[generator];
    ftr_collected_stream *stream = &collector->streams[of->stream];
    const uint64_t end = tx->end > tx->begin ? tx->end : tx->begin;
    if (stream->role == ROLE_LOSSES && !tx->is_noted)
        /* 0: the number is not known, so one loss is counted */
        collector->losses += tx->count > 0 ? tx->count : 1;
    if (!stream->measured)
        return FTR_OK;
    /* An event is a point in its transaction, so the stream has no further open transaction. */
    return (collector->lacks_streams || (of->has_events && end == tx->begin) ||
            add_activity(collector, &stream->activity, &stream->figures.series, tx->begin, end)) &&
                   add_to_generator(collector, of, tx, end)
               ? FTR_OK
               : FTR_ERR_MEMORY;
}

size_t ftr_run_collector_stream_of(const ftr_run_collector *collector, size_t generator)
{
    return collector->generators[generator].stream;
}

bool ftr_run_collector_is_error(const ftr_run_collector *collector, size_t generator,
                                const ftr_tx_figures *tx)
{
    return ftr_tx_figures_is_error(tx, collector->generators[generator].responses);
}

void ftr_run_collector_hold(ftr_run_collector *collector)
{
    collector->holds = true;
}

/* Counts waiting transactions. If @p all is false, only counts transactions that end at @p until or
 * earlier (see ftr_late_activity_let_go()). */
static ftr_status count_waiting(ftr_run_collector *collector, bool all, uint64_t until)
{
    bool ok = true;
    for (size_t i = 0; i < collector->generator_count && ok; i++) {
        ftr_collected_generator *generator = &collector->generators[i];
        ftr_late_activity *late = &generator->activity.late;
        ftr_time_series *series = &generator->figures.series;
        ok = all ? ftr_late_activity_settle(late, add_busy, series)
                 : ftr_late_activity_let_go(late, until, add_busy, series);
    }
    for (size_t i = 0; i < collector->stream_count && ok; i++) {
        ftr_collected_stream *stream = &collector->streams[i];
        ftr_late_activity *late = &stream->activity.late;
        ftr_time_series *series = &stream->figures.series;
        ok = all ? ftr_late_activity_settle(late, add_busy, series)
                 : ftr_late_activity_let_go(late, until, add_busy, series);
    }
    return ok ? FTR_OK : FTR_ERR_MEMORY;
}

ftr_status ftr_run_collector_let_go(ftr_run_collector *collector, uint64_t until)
{
    collector->holds = false;
    return count_waiting(collector, false, until);
}

ftr_status ftr_run_collector_settle(ftr_run_collector *collector)
{
    return count_waiting(collector, true, UINT64_MAX);
}

void ftr_run_collector_count_losses(ftr_run_collector *collector, uint64_t losses)
{
    collector->losses = losses;
}

/* ---- the record ------------------------------------------------------------------------------ */

static int compare_streams(const void *a, const void *b)
{
    return ftr_figure_text_compare(&((const ftr_stream_figures *)a)->name,
                                   &((const ftr_stream_figures *)b)->name);
}

static int compare_generators(const void *a, const void *b)
{
    return ftr_figure_text_compare(&((const ftr_generator_figures *)a)->name,
                                   &((const ftr_generator_figures *)b)->name);
}

static int compare_attributes(const void *a, const void *b)
{
    return ftr_figure_text_compare(&((const ftr_run_attribute *)a)->name,
                                   &((const ftr_run_attribute *)b)->name);
}

static bool copy_text(ftr_figure_text *to, const ftr_figure_text *from)
{
    return ftr_figure_text_set(to, from->bytes, from->size);
}

static bool copy_generator(ftr_stream_figures *stream, const ftr_collected_generator *generator)
{
    ftr_generator_figures *to = &stream->generators[stream->generator_count++];
    *to = generator->figures;
    to->name = (ftr_figure_text){0};
    to->latency = (ftr_latency_bins){0};
    to->series = (ftr_time_series){0};
    to->time_count = 0;
    if (!copy_text(&to->name, &generator->figures.name) ||
        !ftr_latency_bins_merge(&to->latency, &generator->figures.latency, 1) ||
        !ftr_small_latencies_put(&generator->small, &to->latency) ||
        !ftr_time_series_merge(&to->series, &generator->figures.series) ||
        !ftr_named_times_copy(to->times, &to->time_count, generator->figures.times,
                              generator->figures.time_count))
        return false;
    to->busy = busy_of(&generator->activity);
    to->outstanding = outstanding_of(&generator->activity);
    if (!ftr_generator_has_transactions(to))
        to->first = 0;
    ftr_latency_bins_sort(&to->latency);
    return true;
}

static bool copy_stream(ftr_run_record *run, const ftr_collected_stream *stream, size_t generators)
{
    ftr_stream_figures *to = &run->streams[run->stream_count++];
    *to = (ftr_stream_figures){.busy = busy_of(&stream->activity),
                               .outstanding = outstanding_of(&stream->activity)};
    to->generators = calloc(generators + 1, sizeof *to->generators);
    return to->generators != NULL && copy_text(&to->name, &stream->figures.name) &&
           copy_text(&to->kind, &stream->figures.kind) &&
           ftr_time_series_merge(&to->series, &stream->figures.series);
}

/* Copies the streams that belong in the record, with their generators: the streams of the model,
 * and the streams that were chosen with ftr_run_collector_measure(). */
static bool copy_streams(const ftr_run_collector *collector, ftr_run_record *run)
{
    run->streams = calloc(collector->stream_count + 1, sizeof *run->streams);
    size_t *place = calloc(collector->stream_count + 1, sizeof *place);
    size_t *sizes = calloc(collector->stream_count + 1, sizeof *sizes);
    bool ok = run->streams != NULL && place != NULL && sizes != NULL;
    for (size_t i = 0; ok && i < collector->generator_count; i++)
        sizes[collector->generators[i].stream]++;
    for (size_t i = 0; ok && i < collector->stream_count; i++)
        if (collector->streams[i].measured) {
            place[i] = run->stream_count;
            ok = copy_stream(run, &collector->streams[i], sizes[i]);
        }
    for (size_t i = 0; ok && i < collector->generator_count; i++) {
        const size_t stream = collector->generators[i].stream;
        if (collector->streams[stream].measured)
            ok = copy_generator(&run->streams[place[stream]], &collector->generators[i]);
    }
    free(place);
    free(sizes);
    return ok;
}

static bool copy_attributes(const ftr_run_collector *collector, ftr_run_record *run)
{
    run->attributes = calloc(collector->attribute_count + 1, sizeof *run->attributes);
    bool ok = run->attributes != NULL;
    for (size_t i = 0; ok && i < collector->attribute_count; i++) {
        run->attribute_count++;
        ok = copy_text(&run->attributes[i].name, &collector->attributes[i].name) &&
             copy_text(&run->attributes[i].value, &collector->attributes[i].value);
    }
    return ok;
}

static void sort_record(ftr_run_record *run)
{
    if (run->attribute_count > 0)
        qsort(run->attributes, run->attribute_count, sizeof *run->attributes, compare_attributes);
    if (run->stream_count > 0)
        qsort(run->streams, run->stream_count, sizeof *run->streams, compare_streams);
    for (size_t i = 0; i < run->stream_count; i++) {
        const ftr_stream_figures *stream = &run->streams[i];
        if (stream->generator_count > 0)
            qsort(stream->generators, stream->generator_count, sizeof *stream->generators,
                  compare_generators);
        for (size_t k = 0; k < stream->generator_count; k++)
            run->transactions += stream->generators[k].latency.count;
    }
}

static void fold_all(ftr_run_record *run, unsigned shift)
{
    for (size_t i = 0; i < run->stream_count; i++) {
        ftr_time_series_fold(&run->streams[i].series, shift);
        for (size_t k = 0; k < run->streams[i].generator_count; k++)
            ftr_time_series_fold(&run->streams[i].generators[k].series, shift);
    }
    run->slot_shift = shift;
}

/* Returns the range that the time slots of all generators cover. The returned series has no memory
 * for time slots. */
static ftr_time_series extent_of(const ftr_run_record *run)
{
    uint64_t first = UINT64_MAX, last = 0;
    for (size_t i = 0; i < run->stream_count; i++)
        for (size_t k = 0; k < run->streams[i].generator_count; k++) {
            const ftr_time_series *series = &run->streams[i].generators[k].series;
            if (series->count == 0)
                continue;
            const uint64_t end = series->first + series->count - 1;
            first = series->first < first ? series->first : first;
            last = end > last ? end : last;
        }
    ftr_time_series extent = {.shift = run->slot_shift};
    if (first <= last) {
        const uint64_t count = last - first + 1;
        extent.first = first;
        extent.count = count < FTR_SERIES_SLOTS_MAX ? (unsigned)count : FTR_SERIES_SLOTS_MAX;
    }
    return extent;
}

/* Returns the least shift with which all series of the run can have time slots of the same length,
 * and together cover at most FTR_SERIES_SLOTS_MAX time slots. */
static unsigned common_shift(const ftr_run_record *run)
{
    uint64_t first = UINT64_MAX, last = 0;
    unsigned shift = 0;
    for (size_t i = 0; i < run->stream_count; i++)
        for (size_t k = 0; k < run->streams[i].generator_count; k++) {
            const ftr_generator_figures *generator = &run->streams[i].generators[k];
            if (generator->series.count == 0)
                continue;
            const uint64_t end =
                generator->last > generator->first ? generator->last - 1 : generator->last;
            shift = generator->series.shift > shift ? generator->series.shift : shift;
            first = generator->first < first ? generator->first : first;
            last = end > last ? end : last;
        }
    while (first < last && (last >> shift) - (first >> shift) >= FTR_SERIES_SLOTS_MAX)
        shift++;
    return shift;
}

static uint64_t series_cells(const ftr_run_record *run)
{
    uint64_t cells = 0;
    for (size_t i = 0; i < run->stream_count; i++) {
        cells += run->streams[i].series.count;
        for (size_t k = 0; k < run->streams[i].generator_count; k++)
            cells += (uint64_t)GENERATOR_COLUMNS * run->streams[i].generators[k].series.count;
    }
    return cells;
}

static void settle_series(ftr_run_record *run)
{
    fold_all(run, common_shift(run));
    while (series_cells(run) > SERIES_CELLS_MAX && extent_of(run).count > SLOTS_MIN &&
           run->slot_shift < 63)
        fold_all(run, run->slot_shift + 1);
}

ftr_status ftr_run_collector_record(const ftr_run_collector *collector,
                                    const ftr_run_source *source, ftr_run_record *run)
{
    ftr_run_record record = {
        .state = source->state, .time_scale = source->time_scale, .losses = collector->losses};
    bool ok = copy_attributes(collector, &record) && copy_streams(collector, &record);
    if (ok)
        sort_record(&record);
    ok = ok && ftr_run_record_set_names(&record, source->file, "");
    ftr_run_record_judge_end(&record, source->is_continued);
    if (ok && !collector->is_reduced) {
        settle_series(&record);
        ok = ftr_run_record_identify(&record, source->part);
    }
    if (ok)
        *run = record;
    else
        ftr_run_record_release(&record);
    return ok ? FTR_OK : FTR_ERR_MEMORY;
}

void ftr_run_collector_destroy(ftr_run_collector *collector)
{
    if (collector == NULL)
        return;
    ftr_run_record rest = {.attributes = collector->attributes,
                           .attribute_count = collector->attribute_count};
    for (size_t i = 0; i < collector->generator_count; i++) {
        ftr_generator_figures_release(&collector->generators[i].figures);
        release_activity(&collector->generators[i].activity);
        free(collector->generators[i].key);
        free(collector->generators[i].small.counts);
    }
    for (size_t i = 0; i < collector->stream_count; i++) {
        free(collector->streams[i].figures.name.bytes);
        free(collector->streams[i].figures.kind.bytes);
        ftr_time_series_release(&collector->streams[i].figures.series);
        release_activity(&collector->streams[i].activity);
    }
    ftr_name_table_release(&collector->stream_names);
    ftr_name_table_release(&collector->generator_names);
    free(collector->streams);
    free(collector->generators);
    ftr_run_record_release(&rest);
    free(collector);
}
