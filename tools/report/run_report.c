/* Reads a trace for the report of a run. */
#include "run_report.h"

#include "attribute_types.h"
#include "cache_lines.h"
#include "growing_array.h"
#include "stream_name_rules.h"
#include "text_view.h"
#include "trace_measure.h"

#include <string.h>

/* Bytes of the budget that are planned for one bin of a stream, and for one time slot of a
 * generator. */
#define BIN_SHARE 128u
#define SLOT_SHARE 256u
#define BINS_MIN 64u
#define BINS_MAX 4096u
#define SLOTS_MIN 16u
#define SLOTS_MAX 512u
#define MAP_COLUMNS 128u
/* Maximum memory for relations, and for whole transactions, in bytes. */
#define FAMILY_MEMORY ((size_t)96 << 20)
#define KEPT_MEMORY_MAX ((size_t)1 << 30)
#define KEPT_SHARE 5u

static bool is_reported(const ftr_report_options *options, const ftr_stream_info *stream)
{
    return ftr_stream_describes_model(stream->name.data, stream->name.size) &&
           (options->query->choose_stream == NULL ||
            options->query->choose_stream(options->query->user, stream));
}

/* ---- slots ----------------------------------------------------------------------------------- */

static size_t clamp(size_t value, size_t least, size_t greatest)
{
    return value < least ? least : value > greatest ? greatest : value;
}

/* The ticks from the first begin to the last end. */
typedef struct report_extent {
    uint64_t first, last;
} report_extent;

/* Returns the extent according to the time ranges in the heads of the chunks. */
static report_extent planned_extent(const ftr_run_report *report, ftr_reader *reader)
{
    const ftr_query *query = report->options->query;
    report_extent extent = {UINT64_MAX, 0};
    for (size_t i = 0; i < ftr_reader_stream_count(reader); i++) {
        const ftr_stream_info *stream = ftr_reader_get_stream(reader, i);
        if (stream->first_time > stream->last_time || !is_reported(report->options, stream))
            continue;
        extent.first = stream->first_time < extent.first ? stream->first_time : extent.first;
        extent.last = stream->last_time > extent.last ? stream->last_time : extent.last;
    }
    if (query->windowed && query->from > extent.first)
        extent.first = query->from;
    if (query->windowed && query->to < extent.last)
        extent.last = query->to;
    return extent.first <= extent.last ? extent : (report_extent){0, 0};
}

/* Returns the extent of the transactions that were read. */
static report_extent measured_extent(const ftr_run_record *run)
{
    report_extent extent = {UINT64_MAX, 0};
    for (size_t i = 0; i < run->stream_count; i++)
        for (size_t k = 0; k < run->streams[i].generator_count; k++) {
            const ftr_generator_figures *generator = &run->streams[i].generators[k];
            if (!ftr_generator_has_transactions(generator))
                continue;
            extent.first = generator->first < extent.first ? generator->first : extent.first;
            extent.last = generator->last > extent.last ? generator->last : extent.last;
        }
    return extent.first <= extent.last ? extent : (report_extent){0, 0};
}

static void plan_slots(ftr_run_report *report, report_extent extent)
{
    const size_t budget = report->options->budget;
    size_t streams = 1, generators = 1;
    for (size_t i = 0; i < ftr_reader_stream_count(report->reader); i++)
        streams += is_reported(report->options, ftr_reader_get_stream(report->reader, i));
    for (size_t i = 0; i < ftr_reader_generator_count(report->reader); i++)
        generators +=
            is_reported(report->options, ftr_reader_get_generator(report->reader, i)->stream);
    report->bins_max = budget / BIN_SHARE / BINS_MIN + 1;
    report->series_max = budget / SLOT_SHARE / SLOTS_MIN + 1;
    report->bin_slots = ftr_time_slots_of(extent.first, extent.last,
                                          clamp(budget / BIN_SHARE / streams, BINS_MIN, BINS_MAX));
    report->series_slots = ftr_time_slots_of(
        extent.first, extent.last, clamp(budget / SLOT_SHARE / generators, SLOTS_MIN, SLOTS_MAX));
    report->map_slots = ftr_time_slots_of(extent.first, extent.last, MAP_COLUMNS);
}

/* ---- streams and generators ------------------------------------------------------------------ */

static ftr_status add_streams(ftr_run_report *report, size_t number)
{
    if (!ftr_array_fit(&report->streams, &report->stream_capacity, number + 1,
                       sizeof *report->streams))
        return FTR_ERR_MEMORY;
    while (report->stream_count <= number) {
        ftr_report_stream *added = &report->streams[report->stream_count];
        *added = (ftr_report_stream){0};
        if (!ftr_stream_bins_init(&added->bins, &report->bin_slots,
                                  report->stream_count < report->bins_max))
            return FTR_ERR_MEMORY;
        report->stream_count++;
    }
    return FTR_OK;
}

static ftr_status add_generators(ftr_run_report *report, size_t number)
{
    if (!ftr_array_fit(&report->generators, &report->generator_capacity, number + 1,
                       sizeof *report->generators) ||
        !ftr_array_fit(&report->open_counts, &report->open_count_capacity, number + 1,
                       sizeof *report->open_counts))
        return FTR_ERR_MEMORY;
    while (report->generator_count <= number) {
        ftr_report_generator *added = &report->generators[report->generator_count];
        *added = (ftr_report_generator){0};
        report->open_counts[report->generator_count] = (ftr_open_count){0};
        if (!ftr_generator_series_init(&added->series, &report->series_slots,
                                       report->generator_count < report->series_max))
            return FTR_ERR_MEMORY;
        report->generator_count++;
    }
    return FTR_OK;
}

/* Stores the stream of a generator for the calling thread. */
static ftr_status set_stream(ftr_run_report *report, size_t generator, size_t stream)
{
    const size_t count = report->stream_of_count;
    if (generator >= count) {
        const size_t larger = ftr_array_larger(count, generator + 1);
        uint32_t *moved = ftr_cache_lines_allocate(larger * sizeof *moved);
        if (moved == NULL)
            return FTR_ERR_MEMORY;
        if (count > 0)
            memcpy(moved, report->stream_of, count * sizeof *moved);
        free(report->stream_of);
        report->stream_of = moved;
        report->stream_of_count = larger;
    }
    report->stream_of[generator] = (uint32_t)stream + 1;
    return FTR_OK;
}

/* Adds the generator and its stream to the report if they are new. */
static ftr_status enter(ftr_run_report *report, const ftr_measured_tx *tx)
{
    const size_t number = ftr_run_collector_stream_of(report->collector, tx->generator);
    ftr_status status = FTR_OK;
    if (number >= report->stream_count)
        status = add_streams(report, number);
    if (status == FTR_OK && tx->generator >= report->generator_count)
        status = add_generators(report, tx->generator);
    if (status != FTR_OK)
        return status;
    ftr_report_stream *stream = &report->streams[number];
    if (!ftr_array_grow(&stream->generators, &stream->generator_capacity, stream->generator_count,
                        sizeof *stream->generators))
        return FTR_ERR_MEMORY;
    stream->generators[stream->generator_count++] = tx->generator;
    const ftr_generator_info *info = ftr_reader_get_generator(report->reader, tx->index);
    stream->name = info->stream->name;
    const ftr_view kind = info->stream->kind;
    stream->has_accesses = kind.data == NULL ||
                           !(ftr_view_is(kind, FTR_DMI_KIND) || ftr_view_is(kind, FTR_PHASES_KIND));
    report->generators[tx->generator].name = info->name;
    report->generators[tx->generator].stream = number;
    return set_stream(report, tx->generator, number);
}

/* ---- the worker ------------------------------------------------------------------------------ */

static bool is_map_of(const ftr_report_map *map, size_t stream, const ftr_name *name)
{
    return map->stream == stream && map->name == name;
}

/* Finds or adds the address map of an attribute. @param[out] map NULL if there are too many maps */
static ftr_status map_for(ftr_run_report *report, size_t stream, const ftr_name *name,
                          ftr_address_map **map)
{
    size_t *latest = &report->streams[stream].map;
    size_t at = *latest;
    if (at >= report->map_count || !is_map_of(&report->maps[at], stream, name))
        for (at = 0; at < report->map_count; at++)
            if (is_map_of(&report->maps[at], stream, name))
                break;
    *latest = at;
    if (at < report->map_count) {
        *map = at < FTR_REPORT_MAPS_MAX ? &report->maps[at].map : NULL;
        return FTR_OK;
    }
    if (report->map_count == (size_t)2 * FTR_REPORT_MAPS_MAX) {
        *map = NULL;
        return FTR_OK;
    }
    ftr_report_map *added = &report->maps[report->map_count];
    *added = (ftr_report_map){.stream = stream, .name = name};
    if (report->map_count < FTR_REPORT_MAPS_MAX &&
        !ftr_address_map_init(&added->map, &report->map_slots))
        return FTR_ERR_MEMORY;
    *map = report->map_count < FTR_REPORT_MAPS_MAX ? &added->map : NULL;
    report->map_count++;
    return FTR_OK;
}

static bool add_address(ftr_run_report *report, const ftr_report_item *item,
                        const ftr_report_address *address)
{
    const size_t latest = report->streams[item->stream].map;
    ftr_address_map *map = &report->maps[latest].map;
    if (latest >= report->map_count || latest >= FTR_REPORT_MAPS_MAX ||
        !is_map_of(&report->maps[latest], item->stream, address->name)) {
        if (!report->streams[item->stream].has_accesses)
            return true;
        if (map_for(report, item->stream, address->name, &map) != FTR_OK)
            return false;
        if (map == NULL)
            return true;
    }
    ftr_address_map_add(map, item->tx.begin, address->value);
    return true;
}

/* Moves the curves of a stream to @p slot: notes for each time slot up to this one how many
 * transactions are open at its begin. */
static __attribute__((noinline)) void move_curves(ftr_run_report *report, ftr_report_stream *stream,
                                                  size_t slot)
{
    while (stream->series_slot < slot) {
        stream->series_slot++;
        ftr_stream_activity_move(&stream->activity, report->open_counts,
                                 ftr_time_slot_begin(&report->series_slots, stream->series_slot));
        for (size_t i = 0; i < stream->generator_count; i++) {
            const size_t number = stream->generators[i];
            ftr_generator_series_note(&report->generators[number].series, stream->series_slot,
                                      report->open_counts[number].open);
        }
    }
}

static inline bool add_to_curves(ftr_run_report *report, ftr_report_stream *stream,
                                 const ftr_report_tx *tx)
{
    ftr_open_count *count = &report->open_counts[tx->generator];
    const size_t slot = ftr_time_slot_at(&report->series_slots, tx->begin);
    if (slot > stream->series_slot)
        move_curves(report, stream, slot);
    stream->count += !tx->unfinished;
    ftr_stream_bins_add(&stream->bins, tx);
    return ftr_stream_activity_add(&stream->activity, report->open_counts, tx->generator, tx->begin,
                                   tx->end) &&
           ftr_generator_series_add(&report->generators[tx->generator].series, tx, slot,
                                    count->latest);
}

static bool add_to_collector(ftr_run_report *report, const ftr_report_tx *tx)
{
    const ftr_tx_figures figures = {.id = tx->id,
                                    .begin = tx->begin,
                                    .end = tx->end,
                                    .bytes = tx->bytes,
                                    .error = tx->error,
                                    .unfinished = tx->unfinished};
    return ftr_run_collector_add(report->collector, tx->generator, &figures) == FTR_OK;
}

/* While item i is added, the counts of item i + ITEMS_AHEAD are fetched into the cache. */
#define ITEMS_AHEAD 8u

static void fetch_counts(const ftr_run_report *report, const ftr_report_batch *batch, size_t i)
{
    if (i >= batch->count)
        return;
    const ftr_report_tx *tx = &batch->items[i].tx;
    ftr_run_collector_fetch(report->collector, tx->generator, tx->end - tx->begin);
}

static void work_on(void *user, unsigned thread, void *given)
{
    ftr_run_report *report = user;
    ftr_report_batch *batch = given;
    (void)thread;
    const ftr_report_address *address = batch->addresses;
    bool ok = !report->worker_failed;
    for (size_t i = 0; i < batch->count && ok; i++) {
        const ftr_report_item *item = &batch->items[i];
        fetch_counts(report, batch, i + ITEMS_AHEAD);
        ok = add_to_collector(report, &item->tx) &&
             add_to_curves(report, &report->streams[item->stream], &item->tx);
        for (uint32_t k = 0; k < item->address_count && ok; k++)
            ok = add_address(report, item, address++);
    }
    report->worker_failed = !ok;
    batch->count = batch->address_count = 0;
}

static void hand_over(ftr_run_report *report)
{
    ftr_work_queue_submit(report->worker, &report->batches[report->filling]);
    /* Waits for half of the batches at once, so that the threads wake each other seldom. */
    if (ftr_work_queue_room(report->worker) == 0)
        ftr_work_queue_take_until(report->worker, FTR_REPORT_BATCHES / 2);
    report->filling = (report->filling + 1) % FTR_REPORT_BATCHES;
}

/* Adds a transaction to the present batch for the worker. @return the transaction, valid until the
 * next one is added */
static inline const ftr_report_tx *add_item(ftr_run_report *report, const ftr_measured_tx *measured,
                                            size_t stream, const ftr_report_address *addresses,
                                            size_t count)
{
    ftr_report_batch *batch = &report->batches[report->filling];
    if (batch->count == FTR_REPORT_BATCH ||
        batch->address_count + count > sizeof batch->addresses / sizeof batch->addresses[0]) {
        hand_over(report);
        batch = &report->batches[report->filling];
        /* This batch is empty, because the worker cannot have all batches. */
    }
    for (size_t i = 0; i < count; i++)
        batch->addresses[batch->address_count + i] = addresses[i];
    batch->address_count += count;
    ftr_report_item *item = &batch->items[batch->count++];
    item->tx = ftr_report_tx_of(measured);
    item->stream = (uint32_t)stream;
    item->address_count = (uint32_t)count;
    return &item->tx;
}

/* Hands over the present batch and waits until the worker has finished it. */
static void pause_worker(void *user)
{
    ftr_run_report *report = user;
    hand_over(report);
    ftr_work_queue_take_until(report->worker, 0);
}

/* Pauses the worker and adds a generator. */
static ftr_status enter_safely(ftr_run_report *report, const ftr_measured_tx *tx)
{
    pause_worker(report);
    return enter(report, tx);
}

/* ---- the pass -------------------------------------------------------------------------------- */

static ftr_status keep(ftr_run_report *report, const ftr_report_tx *tx,
                       const ftr_measured_tx *measured, const ftr_prepared_tx *parts)
{
    ftr_family_member family;
    const ftr_tx_phases phases =
        ftr_tx_phases_of(tx, parts->phases.request_time, parts->phases.response_time);
    if (!ftr_family_walk_add(&report->walk, tx, &phases, &parts->family, &parts->position, &family))
        return FTR_ERR_MEMORY;
    if (!parts->has_attributes && !(family.parent != NULL && family.parent->is_followed)) {
        ftr_kept_pass_over(&report->kept);
        return FTR_OK;
    }
    const ftr_offered_tx offered = {.figures = *tx,
                                    .generator = measured->index,
                                    .position = parts->position,
                                    .entry = &parts->family,
                                    .has_attributes = parts->has_attributes,
                                    .attributes = parts->attributes,
                                    .attributes_end = parts->attributes_end};
    return ftr_kept_offer(&report->kept, &offered, &family);
}

static ftr_status take_transaction(void *user, const ftr_measured_tx *measured)
{
    ftr_run_report *report = user;
    const ftr_prepared_head *head = measured->bytes;
    if (measured->generator >= report->stream_of_count ||
        report->stream_of[measured->generator] == 0) {
        const ftr_status status = enter_safely(report, measured);
        if (status != FTR_OK)
            return status;
    }
    const size_t stream = report->stream_of[measured->generator] - 1;
    if (head->has_attributes || head->has_phases || ftr_prepared_has_family(head)) {
        const ftr_prepared_tx parts = ftr_prepared_tx_get(measured);
        const ftr_report_tx *tx =
            add_item(report, measured, stream, parts.addresses, parts.address_count);
        return keep(report, tx, measured, &parts);
    }
    (void)add_item(report, measured, stream, (const void *)(head + 1), head->address_count);
    ftr_kept_pass_over(&report->kept);
    return report->preparation.failed ? FTR_ERR_MEMORY : FTR_OK;
}

/* The worker adds batches while the calling thread fills the next ones. If the system refuses a
 * thread, the calling thread adds them. */
static bool start_worker(ftr_run_report *report)
{
    ftr_work_queue_options options = {.threads = 1,
                                      .capacity = FTR_REPORT_BATCHES - 1,
                                      .worth_waking = FTR_REPORT_BATCHES / 2,
                                      .is_serial = true,
                                      .name = "ftr-report",
                                      .run = work_on,
                                      .user = report};
    if (ftr_work_queue_create(&options, &report->worker) == FTR_OK)
        return true;
    options.threads = 0;
    return ftr_work_queue_create(&options, &report->worker) == FTR_OK;
}

/* Adds all transactions to the collector and to the parts of the report. */
static ftr_status collect(ftr_run_report *report, ftr_run_collector *collector)
{
    const ftr_trace_measure measure = {.query = report->options->query,
                                       .threads = report->options->threads,
                                       /* Only families need one order for all streams. */
                                       .by_stream = report->relations.families.relations == 0,
                                       .pause = pause_worker,
                                       .wants_number = ftr_tx_preparation_wants,
                                       .number = ftr_tx_preparation_number,
                                       .prepare = ftr_tx_preparation_append,
                                       .prepare_user = &report->preparation,
                                       .transaction = take_transaction,
                                       .transaction_user = report};
    report->collector = collector;
    if (!start_worker(report))
        return FTR_ERR_MEMORY;
    const ftr_status status = ftr_trace_collect(report->reader, &measure, collector);
    pause_worker(report);
    ftr_work_queue_destroy(report->worker, NULL);
    report->worker = NULL;
    for (size_t i = 0; i < report->generator_count; i++)
        ftr_run_collector_set_activity(collector, i, report->open_counts[i].busy,
                                       report->open_counts[i].outstanding);
    return report->worker_failed ? FTR_ERR_MEMORY : status;
}

static ftr_status settle(ftr_run_report *report)
{
    bool ok = true;
    for (size_t i = 0; i < report->stream_count; i++)
        move_curves(report, &report->streams[i], report->series_slots.count - 1);
    for (size_t i = 0; i < report->generator_count; i++)
        ok = ftr_generator_series_settle(&report->generators[i].series) && ok;
    if (report->map_count > FTR_REPORT_MAPS_MAX) {
        report->maps_omitted = report->map_count - FTR_REPORT_MAPS_MAX;
        report->map_count = FTR_REPORT_MAPS_MAX;
    }
    return ok ? FTR_OK : FTR_ERR_MEMORY;
}

/* Returns the size of the selected transactions in expanded chunks, in bytes; 0: unknown. */
static uint64_t chosen_bytes(const ftr_run_report *report)
{
    const ftr_query *query = report->options->query;
    uint64_t bytes = 0;
    if (query->windowed || query->by_id || query->choose_generator != NULL)
        return 0;
    for (size_t i = 0; i < ftr_reader_stream_count(report->reader); i++) {
        const ftr_stream_info *stream = ftr_reader_get_stream(report->reader, i);
        if (is_reported(report->options, stream))
            bytes += stream->bytes_expanded;
    }
    return bytes;
}

/* Reads all transactions once. */
static ftr_status read_once(ftr_run_report *report, report_extent extent)
{
    const ftr_report_options *options = report->options;
    ftr_run_collector *collector;
    ftr_file_info info;
    ftr_status status = ftr_run_collector_create(FTR_COLLECT_BY_BEGIN, &collector);
    if (status != FTR_OK)
        return status;
    ftr_run_collector_reduce(collector, true);
    ftr_run_collector_leave_activity(collector);
    plan_slots(report, extent);
    const size_t memory = options->budget * KEPT_SHARE;
    status =
        ftr_kept_init(&report->kept, report->reader,
                      memory < KEPT_MEMORY_MAX ? memory : KEPT_MEMORY_MAX, chosen_bytes(report));
    if (status == FTR_OK &&
        !ftr_tx_preparation_init(&report->preparation, options->threads,
                                 &report->relations.families, &report->kept.bounds))
        status = FTR_ERR_MEMORY;
    if (status == FTR_OK)
        status = collect(report, collector);
    const ftr_status settled = settle(report);
    ftr_reader_get_info(report->reader, &info);
    const ftr_run_source source = {.file = options->file,
                                   .part = ftr_trace_part(options->file),
                                   .state = FTR_RUN_SOUND,
                                   .is_continued = ftr_trace_is_continued(options->file),
                                   .time_scale = info.time_scale};
    const ftr_status recorded = ftr_run_collector_record(collector, &source, &report->run);
    ftr_run_collector_destroy(collector);
    if (recorded == FTR_OK && !ftr_run_record_links(&report->run, &report->links))
        return FTR_ERR_MEMORY;
    return recorded != FTR_OK ? recorded : settled != FTR_OK ? settled : status;
}

static void release_stream(ftr_report_stream *stream)
{
    ftr_open_ends_release(&stream->activity.ends);
    ftr_stream_bins_release(&stream->bins);
    free(stream->generators);
}

static void release_content(ftr_run_report *report)
{
    for (size_t i = 0; i < report->stream_count; i++)
        release_stream(&report->streams[i]);
    for (size_t i = 0; i < report->generator_count; i++)
        ftr_generator_series_release(&report->generators[i].series);
    for (size_t i = 0; i < report->map_count && i < FTR_REPORT_MAPS_MAX; i++)
        ftr_address_map_release(&report->maps[i].map);
    ftr_family_walk_release(&report->walk);
    ftr_tx_preparation_release(&report->preparation);
    ftr_kept_release(&report->kept);
    ftr_run_record_release(&report->run);
    ftr_link_names_release(&report->links);
    report->run = (ftr_run_record){0};
    free(report->stream_of);
    report->stream_of = NULL;
    report->stream_of_count = 0;
    report->stream_count = report->generator_count = report->map_count = 0;
}

/* Returns whether the planned time slots match the time range of the transactions. */
static bool is_planned_well(const ftr_run_report *report, report_extent extent)
{
    const ftr_time_slots *slots = &report->bin_slots;
    return slots->first == extent.first >> slots->shift &&
           slots->first + slots->count - 1 == extent.last >> slots->shift;
}

ftr_status ftr_run_report_make(ftr_run_report *report, ftr_reader *reader,
                               const ftr_report_options *options)
{
    *report = (ftr_run_report){.reader = reader, .options = options};
    report->relations.families.budget.limit = FAMILY_MEMORY;
    report->maps = calloc((size_t)2 * FTR_REPORT_MAPS_MAX, sizeof *report->maps);
    report->batches = calloc(FTR_REPORT_BATCHES, sizeof *report->batches);
    if (report->maps == NULL || report->batches == NULL)
        return FTR_ERR_MEMORY;
    ftr_status status = ftr_run_relations_read(&report->relations, reader, options->query);
    if (status != FTR_OK)
        return status;
    status = read_once(report, planned_extent(report, reader));
    const report_extent extent = measured_extent(&report->run);
    if (status != FTR_ERR_MEMORY && !is_planned_well(report, extent)) {
        /* The transactions do not have the planned time range: the ranges in the chunks are wrong,
         * or the query selects a part. */
        release_content(report);
        status = read_once(report, extent);
    }
    const ftr_status settled = status != FTR_ERR_MEMORY ? ftr_kept_settle(&report->kept) : FTR_OK;
    return status == FTR_OK ? settled : status;
}

uint64_t ftr_run_report_passed_on(ftr_run_report *report)
{
    uint64_t count = 0;
    for (size_t i = 0; i < report->walk.time_count; i++)
        count += report->walk.times[i].passed_on;
    return count;
}

void ftr_run_report_release(ftr_run_report *report)
{
    release_content(report);
    free(report->streams);
    free(report->generators);
    free(report->open_counts);
    free(report->maps);
    free(report->batches);
    ftr_run_relations_release(&report->relations);
}
