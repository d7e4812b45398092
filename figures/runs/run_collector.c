/* Computes the record of a run. */
#include "run_collector.h"

#include "collected_names.h"
#include "collected_series.h"

#include "growing_array.h"
#include "stream_name_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of generators with an array of small latencies. The arrays need at most 16 MiB. */
#define SMALL_MAX 64u
/* Maximum number of waiting transactions of all streams together (6 MiB), except those that are
 * held. */
#define WAITING_ALL_MAX ((size_t)1 << 18)
/* Maximum number of covered times of all activities together (16 MiB). They are added up after each
 * COUNTED_UNCHECKED transactions. */
#define COVERED_ALL_MAX ((size_t)1 << 20)
#define COUNTED_UNCHECKED ((size_t)1 << 16)
/* Least number of calls after which the memory of a limited collector is checked again. */
#define CALLS_UNCHECKED ((size_t)4096)
/* Bytes for each stream, approximately, that a record needs beside its figures. */
#define RECORD_OVERHEAD 48u

ftr_status ftr_run_collector_create(ftr_collect_order order, ftr_run_collector **collector)
{
    ftr_run_collector *created = calloc(1, sizeof *created);
    if (created == NULL)
        return FTR_ERR_MEMORY;
    created->order = order;
    created->until_check = SIZE_MAX;
    *collector = created;
    return FTR_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

void ftr_run_collector_limit(ftr_run_collector *collector,
                             bool (*has_room)(void *user, size_t memory), void *user)
{
    collector->has_room = has_room;
    collector->room_user = user;
    collector->until_check = CALLS_UNCHECKED;
}

static size_t activity_memory(const ftr_run_collector *collector,
                              const ftr_collected_activity *activity)
{
    return collector->order == FTR_COLLECT_AS_RECORDED
               ? activity->late.covered_capacity * sizeof *activity->late.covered +
                     activity->late.free_capacity * sizeof *activity->late.free
               : ftr_activity_memory(&activity->early);
}

/* Returns the approximate number of bytes that the collector has allocated, and that a record of
 * its figures needs in addition while they are moved into it. */
static size_t memory_of(const ftr_run_collector *collector)
{
    size_t memory = collector->stream_capacity * sizeof *collector->streams +
                    collector->generator_capacity * sizeof *collector->generators +
                    collector->stream_count * (sizeof(ftr_stream_figures) + RECORD_OVERHEAD) +
                    collector->generator_count * sizeof(ftr_generator_figures);
    memory += (collector->stream_names.capacity + collector->generator_names.capacity) *
              sizeof(ftr_collected_name);
    memory += ftr_collected_series_taken(collector) * sizeof(uint64_t) +
              (collector->taken_stream_capacity + collector->taken_generator_capacity) *
                  (sizeof(ftr_time_series) + 2 * sizeof(uint64_t));
    for (size_t i = 0; i < collector->stream_count; i++) {
        const ftr_collected_stream *stream = &collector->streams[i];
        memory += ftr_stream_figures_memory(&stream->figures) +
                  activity_memory(collector, &stream->activity) +
                  stream->waiting.capacity * sizeof *stream->waiting.of;
    }
    for (size_t i = 0; i < collector->generator_count; i++) {
        const ftr_collected_generator *generator = &collector->generators[i];
        memory += ftr_generator_figures_memory(&generator->figures) +
                  activity_memory(collector, &generator->activity);
        if (generator->small.counts != NULL)
            memory += (FTR_SMALL_LATENCY_MAX + 1) * sizeof *generator->small.counts;
    }
    return memory;
}

static __attribute__((noinline)) bool check_room(ftr_run_collector *collector)
{
    const size_t entries = collector->stream_count + collector->generator_count;
    collector->until_check = collector->has_room == NULL ? SIZE_MAX
                             : entries > CALLS_UNCHECKED ? entries
                                                         : CALLS_UNCHECKED;
    return collector->has_room == NULL ||
           collector->has_room(collector->room_user, memory_of(collector));
}

/* Returns false if the collector may not use more memory. The memory is not added up at each call,
 * because that takes time. */
static inline bool has_room(ftr_run_collector *collector)
{
    return FTR_LIKELY(collector->until_check-- > 0) || check_room(collector);
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
    const size_t known = ftr_collected_stream_find(collector, name, name_size);
    if (known != SIZE_MAX) {
        *stream = known;
        return FTR_OK;
    }
    if (!ftr_array_grow(&collector->streams, &collector->stream_capacity, collector->stream_count,
                        sizeof *collector->streams))
        return FTR_ERR_MEMORY;
    ftr_collected_stream *added = &collector->streams[collector->stream_count];
    *added = (ftr_collected_stream){.role = role_of(name, name_size, kind, kind_size)};
    added->measured = added->role == ROLE_MODEL;
    added->figures.series.columns = 1; /* only busy */
    if (!ftr_figure_text_set(&added->figures.name, name, name_size) ||
        !ftr_figure_text_set(&added->figures.kind, kind, kind_size) ||
        !ftr_collected_stream_enter(collector, collector->stream_count)) {
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
    const ftr_figure_text *kind = &collector->streams[stream].figures.kind;
    const size_t known = ftr_collected_generator_find(collector, stream, name, name_size);
    if (known != SIZE_MAX) {
        *generator = known;
        return FTR_OK;
    }
    if (!has_room(collector))
        return FTR_ERR_LIMIT;
    if (!ftr_array_grow(&collector->generators, &collector->generator_capacity,
                        collector->generator_count, sizeof *collector->generators))
        return FTR_ERR_MEMORY;
    ftr_collected_generator *added = &collector->generators[collector->generator_count];
    *added = (ftr_collected_generator){.stream = stream};
    added->figures.first = UINT64_MAX;
    added->figures.series.columns = FTR_SERIES_COLUMNS;
    added->responses = ftr_response_rule_of(kind->bytes, kind->size, name, name_size);
    added->times = ftr_times_rule_of(kind->bytes, kind->size);
    added->has_events = ftr_text_ends(name, name_size, FTR_EVENTS_SUFFIX);
    if (!ftr_figure_text_set(&added->figures.name, name, name_size) ||
        !ftr_collected_generator_enter(collector, collector->generator_count)) {
        free(added->figures.name.bytes);
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

bool ftr_run_collector_has_times(const ftr_run_collector *collector, size_t generator)
{
    return collector->generators[generator].times != FTR_TIMES_NONE;
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

/* ---- settings -------------------------------------------------------------------------------- */

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

/* ---- transactions that wait ------------------------------------------------------------------ */

/* A series, and the collector that knows its slots. */
typedef struct busy_series {
    const ftr_run_collector *collector;
    ftr_time_series *series;
} busy_series;

static void add_busy(void *to, uint64_t begin, uint64_t end)
{
    const busy_series *busy = to;
    ftr_time_series_add_busy(busy->series, busy->collector->slots.shift, begin, end);
}

static inline bool count_late(const ftr_run_collector *collector, ftr_late_activity *late,
                              ftr_time_series *series, unsigned columns, const ftr_waiting_tx *tx)
{
    uint64_t idle;
    busy_series busy = {collector, series};
    if (!FTR_LIKELY(ftr_late_activity_add_usual(late, tx->begin, tx->end, &idle)))
        return ftr_late_activity_add(late, tx->begin, tx->end, add_busy, &busy);
    ftr_collected_series_add_busy(collector, series, columns, idle, tx->end);
    return true;
}

/* Discards covered times if all of them together take too much memory. */
static void limit_covered(ftr_run_collector *collector)
{
    size_t covered = 0;
    for (size_t i = 0; i < collector->stream_count; i++)
        covered += collector->streams[i].activity.late.covered_capacity;
    for (size_t i = 0; i < collector->generator_count; i++)
        covered += collector->generators[i].activity.late.covered_capacity;
    for (size_t i = 0; covered > COVERED_ALL_MAX && i < collector->stream_count; i++)
        ftr_late_activity_shrink(&collector->streams[i].activity.late);
    for (size_t i = 0; covered > COVERED_ALL_MAX && i < collector->generator_count; i++)
        ftr_late_activity_shrink(&collector->generators[i].activity.late);
}

/* Counts a waiting transaction in the activities of its stream and generator. */
static inline bool count_waiting(const ftr_run_collector *collector, ftr_collected_stream *stream,
                                 const ftr_waiting_tx *tx)
{
    ftr_collected_generator *generator = &collector->generators[tx->generator];
    /* An event is a point in its transaction, so the stream has no further open transaction. */
    const bool is_event = generator->has_events && tx->end == tx->begin;
    return (is_event ||
            count_late(collector, &stream->activity.late, &stream->figures.series, 1, tx)) &&
           count_late(collector, &generator->activity.late, &generator->figures.series,
                      FTR_SERIES_COLUMNS, tx);
}

/* Counts the first @p count of a stream's waiting transactions, which must be sorted. */
static bool count_first(ftr_run_collector *collector, ftr_collected_stream *stream, size_t count)
{
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++)
        ok = count_waiting(collector, stream, &stream->waiting.of[stream->waiting.first + i]);
    ftr_end_order_remove(&stream->waiting, count);
    collector->waiting -= count;
    collector->unchecked += count;
    if (collector->unchecked >= COUNTED_UNCHECKED) {
        collector->unchecked = 0;
        limit_covered(collector);
    }
    return ok;
}

/* Counts half of the waiting transactions of each stream, and frees their memory. */
static bool count_half(ftr_run_collector *collector)
{
    bool ok = true;
    for (size_t i = 0; i < collector->stream_count && ok; i++) {
        ftr_collected_stream *stream = &collector->streams[i];
        ftr_end_order_sort(&stream->waiting);
        ok = count_first(collector, stream, (ftr_end_order_count(&stream->waiting) + 1) / 2);
        ftr_end_order_shrink(&stream->waiting);
    }
    return ok;
}

/* Counts waiting transactions if there are many. */
static __attribute__((noinline)) bool count_some(ftr_run_collector *collector,
                                                 ftr_collected_stream *stream)
{
    if (collector->holds)
        return true;
    const size_t count = ftr_end_order_count(&stream->waiting);
    if (count < 2 * FTR_WAITING_MIN)
        return collector->waiting < WAITING_ALL_MAX || count_half(collector);
    ftr_end_order_sort(&stream->waiting);
    return count_first(collector, stream, count - FTR_WAITING_MIN);
}

static inline bool wait_for_order(ftr_run_collector *collector, ftr_collected_stream *stream,
                                  size_t generator, uint64_t begin, uint64_t end)
{
    if (!ftr_end_order_add(&stream->waiting, begin, end, (uint32_t)generator))
        return false;
    collector->waiting++;
    return FTR_LIKELY(collector->waiting < WAITING_ALL_MAX &&
                      ftr_end_order_count(&stream->waiting) < 2 * FTR_WAITING_MIN) ||
           count_some(collector, stream);
}

void ftr_run_collector_hold(ftr_run_collector *collector)
{
    collector->holds = true;
}

ftr_status ftr_run_collector_let_go(ftr_run_collector *collector, uint64_t until)
{
    bool ok = true;
    collector->holds = false;
    for (size_t i = 0; i < collector->stream_count && ok; i++) {
        ftr_collected_stream *stream = &collector->streams[i];
        const size_t all = ftr_end_order_count(&stream->waiting);
        size_t count = 0;
        if (all <= FTR_WAITING_MIN)
            continue;
        ftr_end_order_sort(&stream->waiting);
        const ftr_waiting_tx *first = stream->waiting.of + stream->waiting.first;
        while (all - count > FTR_WAITING_MAX ||
               (all - count > FTR_WAITING_MIN && first[count].end <= until))
            count++;
        ok = count_first(collector, stream, count);
    }
    while (ok && collector->waiting >= WAITING_ALL_MAX)
        ok = count_half(collector);
    return ok ? FTR_OK : FTR_ERR_MEMORY;
}

ftr_status ftr_run_collector_settle(ftr_run_collector *collector)
{
    bool ok = true;
    for (size_t i = 0; i < collector->stream_count && ok; i++) {
        ftr_collected_stream *stream = &collector->streams[i];
        ftr_end_order_sort(&stream->waiting);
        ok = count_first(collector, stream, ftr_end_order_count(&stream->waiting));
    }
    return ok ? FTR_OK : FTR_ERR_MEMORY;
}

/* ---- transactions ---------------------------------------------------------------------------- */

/* Starts to count the small latencies of a generator in an array, if it has many. */
static void use_small(ftr_run_collector *collector, ftr_collected_generator *generator)
{
    const ftr_latency_bins *bins = &generator->figures.latency;
    if ((bins->used >= FTR_SMALL_LATENCIES_MIN || bins->count >= FTR_SMALL_TRANSACTIONS_MIN) &&
        generator->small.counts == NULL && collector->small_count < SMALL_MAX) {
        collector->small_count++;
        ftr_small_latencies_init(&generator->small);
    }
}

static inline bool add_latency(ftr_run_collector *collector, ftr_collected_generator *generator,
                               uint64_t latency)
{
    if (collector->is_reduced) {
        if (ftr_small_latencies_add(&generator->small, latency))
            return true;
        use_small(collector, generator);
    }
    return ftr_latency_bins_add_usual(&generator->figures.latency, latency) ||
           ftr_latency_bins_add(&generator->figures.latency, latency, 1);
}

/* Adds slots for a transaction to the series of its generator and stream. */
static inline bool cover(ftr_run_collector *collector, ftr_collected_stream *stream,
                         ftr_collected_generator *generator, uint64_t begin, uint64_t end)
{
    if (end == begin)
        return ftr_collected_series_cover(collector, &generator->figures.series, begin, begin);
    return ftr_collected_series_cover(collector, &stream->figures.series, begin, end - 1) &&
           ftr_collected_series_cover(collector, &generator->figures.series, begin, end - 1);
}

/* Adds the latency of a transaction that ended. */
static inline bool add_ended(ftr_run_collector *collector, ftr_collected_stream *stream,
                             ftr_collected_generator *generator, const ftr_tx_figures *tx,
                             uint64_t begin, uint64_t end)
{
    ftr_generator_figures *figures = &generator->figures;
    const uint64_t latency = end - begin;
    if (!add_latency(collector, generator, latency) ||
        (tx->time_count > 0 && !ftr_named_times_add(&figures->times, &figures->time_count,
                                                    generator->times, tx->times, tx->time_count)))
        return false;
    figures->bytes += tx->bytes;
    if (collector->is_reduced)
        return true;
    if (!cover(collector, stream, generator, begin, end))
        return false;
    ftr_collected_series_add(collector, &figures->series, begin, tx->bytes, latency);
    if (ftr_slowest_may_add(&figures->slowest, latency, begin)) {
        const ftr_slow_tx slow = {latency, begin, tx->id};
        return ftr_slowest_add(&figures->slowest, &slow);
    }
    return true;
}

/* Adds the times of a transaction that was cut by the end of the run. */
static bool add_unfinished(ftr_run_collector *collector, ftr_collected_stream *stream,
                           ftr_collected_generator *generator, uint64_t begin, uint64_t end)
{
    generator->figures.unfinished++;
    generator->figures.cut += end - begin;
    return collector->is_reduced || end == begin || cover(collector, stream, generator, begin, end);
}

static bool add_early(const ftr_run_collector *collector, ftr_activity *activity,
                      ftr_time_series *series, unsigned columns, uint64_t begin, uint64_t end)
{
    uint64_t idle;
    if (!ftr_activity_add(activity, begin, end, &idle))
        return false;
    if (!collector->is_reduced)
        ftr_collected_series_add_busy(collector, series, columns, idle, end);
    return true;
}

/* Adds the times of a transaction to the activities of its generator and stream. */
static inline bool add_activity(ftr_run_collector *collector, size_t number,
                                ftr_collected_stream *stream, uint64_t begin, uint64_t end)
{
    ftr_collected_generator *generator = &collector->generators[number];
    if (collector->order == FTR_COLLECT_AS_RECORDED)
        return wait_for_order(collector, stream, number, begin, end);
    if (collector->leaves_activity)
        return true;
    /* An event is a point in its transaction, so the stream has no further open transaction. */
    return (collector->lacks_streams || (generator->has_events && end == begin) ||
            add_early(collector, &stream->activity.early, &stream->figures.series, 1, begin,
                      end)) &&
           add_early(collector, &generator->activity.early, &generator->figures.series,
                     FTR_SERIES_COLUMNS, begin, end);
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
    ftr_generator_figures *figures = &of->figures;
    const uint64_t begin = tx->begin;
    const uint64_t end = tx->end > begin ? tx->end : begin;
    if (stream->role == ROLE_LOSSES && !tx->is_noted)
        /* 0: the number is not known, so one loss is counted */
        collector->losses += tx->count > 0 ? tx->count : 1;
    if (!stream->measured)
        return FTR_OK;
    if (!has_room(collector))
        return FTR_ERR_LIMIT;
    if (!(FTR_LIKELY(!tx->unfinished) ? add_ended(collector, stream, of, tx, begin, end)
                                      : add_unfinished(collector, stream, of, begin, end)) ||
        !add_activity(collector, generator, stream, begin, end))
        return FTR_ERR_MEMORY;
    if (tx->error || tx->incomplete)
        figures->errors += ftr_tx_figures_is_error(tx, of->responses);
    figures->first = begin < figures->first ? begin : figures->first;
    figures->last = end > figures->last ? end : figures->last;
    return FTR_OK;
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

void ftr_run_collector_count_losses(ftr_run_collector *collector, uint64_t losses)
{
    collector->losses = losses;
}

/* ---- the end --------------------------------------------------------------------------------- */

void ftr_collected_activity_release(const ftr_run_collector *collector,
                                    ftr_collected_activity *activity)
{
    if (collector->order == FTR_COLLECT_AS_RECORDED)
        ftr_late_activity_release(&activity->late);
    else
        ftr_activity_release(&activity->early);
}

void ftr_run_collector_clear(ftr_run_collector *collector)
{
    for (size_t i = 0; i < collector->generator_count; i++) {
        ftr_collected_generator *generator = &collector->generators[i];
        ftr_generator_figures_release(&generator->figures);
        ftr_collected_activity_release(collector, &generator->activity);
        free(generator->small.counts);
    }
    for (size_t i = 0; i < collector->stream_count; i++) {
        ftr_collected_stream *stream = &collector->streams[i];
        free(stream->figures.name.bytes);
        free(stream->figures.kind.bytes);
        ftr_time_series_release(&stream->figures.series);
        ftr_collected_activity_release(collector, &stream->activity);
        ftr_end_order_release(&stream->waiting);
    }
    ftr_collected_names_release(&collector->stream_names);
    ftr_collected_names_release(&collector->generator_names);
    free(collector->streams);
    free(collector->generators);
    collector->streams = NULL;
    collector->generators = NULL;
    collector->stream_count = collector->stream_capacity = 0;
    collector->generator_count = collector->generator_capacity = 0;
    collector->waiting = 0;
    collector->small_count = 0;
    collector->slots.cells = ftr_collected_series_taken(collector);
}

void ftr_run_collector_destroy(ftr_run_collector *collector)
{
    if (collector == NULL)
        return;
    ftr_run_record rest = {.attributes = collector->attributes,
                           .attribute_count = collector->attribute_count};
    ftr_run_collector_clear(collector);
    for (size_t i = 0; i < collector->taken_stream_count; i++)
        ftr_time_series_release(&collector->taken_streams[i]);
    for (size_t i = 0; i < collector->taken_generator_count; i++)
        ftr_time_series_release(&collector->taken_generators[i]);
    free(collector->taken_streams);
    free(collector->taken_generators);
    ftr_run_record_release(&rest);
    free(collector);
}
