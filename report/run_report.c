/* Owns the pass that makes the report of a run. Does not know the form of the report. */
#include "run_report.h"

#include "address_name.h"
#include "growing_array.h"
#include "trace_measure.h"

#include <string.h>

/* Bytes of the budget for one bin of a stream and one slot of a generator. */
#define BIN_SHARE 128u
#define SLOT_SHARE 256u
#define BINS_MIN 64u
#define BINS_MAX 4096u
#define SLOTS_MIN 16u
#define SLOTS_MAX 512u
#define MAP_COLUMNS 128u
/* Memory for relations, and for whole transactions. */
#define FAMILY_MEMORY ((size_t)96 << 20)
#define KEPT_MEMORY_MAX ((size_t)1 << 30)
#define KEPT_SHARE 5u

static bool is_reported(const ftr_report_options *options, const ftr_stream_info *stream)
{
    const ftr_view name = stream->name;
    const bool own = name.size >= 4 && memcmp(name.data, "ftr.", 4) == 0;
    const bool violations = name.size == 12 && memcmp(name.data, "ftr.protocol", 12) == 0;
    return (!own || violations) && (options->query->choose_stream == NULL ||
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

/* The extent by the chunks of the file. */
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

/* The extent by the transactions. */
static report_extent measured_extent(const ftr_run_record *run)
{
    report_extent extent = {UINT64_MAX, 0};
    for (size_t i = 0; i < run->stream_count; i++)
        for (size_t k = 0; k < run->streams[i].generator_count; k++) {
            const ftr_generator_figures *generator = &run->streams[i].generators[k];
            if (generator->latency.count == 0)
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
                       sizeof *report->generators))
        return FTR_ERR_MEMORY;
    while (report->generator_count <= number) {
        ftr_report_generator *added = &report->generators[report->generator_count];
        *added = (ftr_report_generator){0};
        if (!ftr_generator_series_init(&added->series, &report->series_slots,
                                       report->generator_count < report->series_max))
            return FTR_ERR_MEMORY;
        report->generator_count++;
    }
    return FTR_OK;
}

/* Makes both known. */
static ftr_status enter(ftr_run_report *report, const ftr_measured_tx *tx)
{
    ftr_status status = FTR_OK;
    if (tx->stream >= report->stream_count)
        status = add_streams(report, tx->stream);
    if (status == FTR_OK && tx->generator >= report->generator_count)
        status = add_generators(report, tx->generator);
    if (status != FTR_OK)
        return status;
    report->streams[tx->stream].name = tx->tx->stream->name;
    report->generators[tx->generator].name = tx->tx->generator->name;
    report->generators[tx->generator].stream = tx->stream;
    return FTR_OK;
}

/* ---- addresses ------------------------------------------------------------------------------- */

static const ftr_report_name *name_of(ftr_run_report *report, const ftr_attribute_value *attribute)
{
    ftr_report_name *known = &report->known[attribute->name_id % FTR_REPORT_NAMES];
    if (known->known && known->id == attribute->name_id)
        return known;
    const ftr_name *name =
        ftr_names_intern(&report->names, attribute->name.data, attribute->name.size);
    if (name == NULL)
        return NULL;
    *known = (ftr_report_name){true, ftr_is_address_name(name->text, name->size),
                               attribute->name_id, name};
    return known;
}

/* Collects the addresses of the transaction that is read. */
static bool take_attribute(void *user, const ftr_attribute_value *attribute)
{
    ftr_run_report *report = user;
    if (attribute->form != FTR_FORM_NUMBER || attribute->name.data == NULL)
        return true;
    const ftr_report_name *name = name_of(report, attribute);
    if (name == NULL)
        return false;
    if ((!name->is_address && attribute->type != FTR_TYPE_POINTER) ||
        report->address_count == FTR_REPORT_ADDRESSES_MAX)
        return true;
    for (size_t i = 0; i < report->address_count; i++)
        if (report->addresses[i].name == name->name)
            return true;
    report->addresses[report->address_count++] =
        (ftr_report_address){name->name, attribute->as.number};
    return true;
}

/* @param[out] map NULL if there are too many maps */
static ftr_status map_for(ftr_run_report *report, size_t stream, const ftr_name *name,
                          ftr_address_map **map)
{
    for (size_t i = 0; i < report->map_count; i++)
        if (report->maps[i].stream == stream && report->maps[i].name == name) {
            *map = i < FTR_REPORT_MAPS_MAX ? &report->maps[i].map : NULL;
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

/* ---- the worker ------------------------------------------------------------------------------ */

static bool add_addresses(ftr_run_report *report, const ftr_report_batch *batch, size_t first,
                          const ftr_report_item *item)
{
    for (size_t i = first; i < item->address_end; i++) {
        const ftr_report_address *address = &batch->addresses[i];
        ftr_address_map *map = NULL;
        if (map_for(report, item->stream, address->name, &map) != FTR_OK)
            return false;
        if (map != NULL)
            ftr_address_map_add(map, item->tx.begin, address->value);
    }
    return true;
}

static void work_on(void *user, void *given)
{
    ftr_run_report *report = user;
    ftr_report_batch *batch = given;
    size_t address = 0;
    for (size_t i = 0; i < batch->count && !report->worker_failed; i++) {
        const ftr_report_item *item = &batch->items[i];
        ftr_generator_series *series = &report->generators[item->tx.generator].series;
        report->worker_failed =
            !ftr_stream_bins_add(&report->streams[item->stream].bins, &item->tx) ||
            !ftr_generator_series_add(series, &item->tx) ||
            !add_addresses(report, batch, address, item);
        address = item->address_end;
    }
    batch->count = batch->address_count = 0;
}

static void hand_over(ftr_run_report *report)
{
    ftr_batch_worker_give(&report->worker, &report->batches[report->filling]);
    report->filling = 1 - report->filling;
}

static void add_item(ftr_run_report *report, const ftr_report_tx *tx, size_t stream)
{
    ftr_report_batch *batch = &report->batches[report->filling];
    if (batch->count == FTR_REPORT_BATCH ||
        batch->address_count + report->address_count >
            sizeof batch->addresses / sizeof batch->addresses[0]) {
        hand_over(report);
        batch = &report->batches[report->filling];
        /* This batch is empty: the worker finished it before it took the other batch. */
    }
    for (size_t i = 0; i < report->address_count; i++)
        batch->addresses[batch->address_count++] = report->addresses[i];
    report->address_count = 0;
    batch->items[batch->count++] = (ftr_report_item){*tx, stream, batch->address_count};
}

/* Makes a generator known, while the worker rests. */
static ftr_status enter_safely(ftr_run_report *report, const ftr_measured_tx *tx)
{
    hand_over(report);
    ftr_batch_worker_wait(&report->worker);
    return enter(report, tx);
}

/* ---- the pass -------------------------------------------------------------------------------- */

static ftr_status take_transaction(void *user, const ftr_measured_tx *measured)
{
    ftr_run_report *report = user;
    const ftr_transaction *tx = measured->tx;
    const ftr_report_tx figures = {
        .id = tx->id,
        .begin = tx->begin,
        .end = tx->end > tx->begin ? tx->end : tx->begin,
        .bytes = measured->figures->bytes,
        .error = measured->error,
        .unfinished = measured->figures->unfinished,
        .generator = measured->generator,
    };
    const ftr_tx_place place = {tx->chunk_offset, tx->chunk_within};
    ftr_family_member family;
    ftr_status status = FTR_OK;
    if (measured->generator >= report->generator_count ||
        report->generators[measured->generator].name.data == NULL)
        status = enter_safely(report, measured);
    if (status != FTR_OK)
        return status;
    add_item(report, &figures, measured->stream);
    if (!ftr_family_walk_add(&report->walk, &figures, place, &family))
        return FTR_ERR_MEMORY;
    return ftr_kept_offer(&report->kept, measured->tx, &figures, &family);
}

/* Gives all transactions to the collector, and to the parts of the report. */
static ftr_status collect(ftr_run_report *report, ftr_run_collector *collector)
{
    const ftr_trace_measure measure = {.query = report->options->query,
                                       .attribute = take_attribute,
                                       .attribute_user = report,
                                       .transaction = take_transaction,
                                       .transaction_user = report};
    ftr_batch_worker_start(&report->worker, work_on, report);
    const ftr_status status = ftr_trace_collect(report->reader, &measure, collector);
    hand_over(report);
    ftr_batch_worker_stop(&report->worker);
    for (size_t i = 0; i < report->generator_count; i++) {
        const ftr_generator_series *series = &report->generators[i].series;
        ftr_run_collector_set_activity(collector, i, series->activity.busy, series->outstanding);
    }
    return report->worker_failed ? FTR_ERR_MEMORY : status;
}

static ftr_status read_families(ftr_run_report *report)
{
    static const char NAME[] = "PARENT_CHILD";
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    ftr_status status = ftr_relation_cursor_open(report->reader, false, 0, &cursor);
    if (status != FTR_OK)
        return status;
    while ((status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK) {
        if (relation.name.size != sizeof NAME - 1 ||
            memcmp(relation.name.data, NAME, sizeof NAME - 1) != 0)
            continue;
        status = ftr_family_table_add(&report->families, relation.from_tx, relation.to_tx);
        if (status != FTR_OK)
            break;
    }
    ftr_relation_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

static void settle(ftr_run_report *report)
{
    for (size_t i = 0; i < report->generator_count; i++)
        ftr_generator_series_settle(&report->generators[i].series);
    if (report->map_count > FTR_REPORT_MAPS_MAX) {
        report->maps_omitted = report->map_count - FTR_REPORT_MAPS_MAX;
        report->map_count = FTR_REPORT_MAPS_MAX;
    }
}

/* Reads all transactions once. */
static ftr_status read_once(ftr_run_report *report, report_extent extent)
{
    const ftr_report_options *options = report->options;
    ftr_run_collector *collector;
    ftr_summary summary;
    ftr_status status = ftr_run_collector_create(FTR_COLLECT_BY_BEGIN, &collector);
    if (status != FTR_OK)
        return status;
    ftr_run_collector_reduce(collector, true);
    ftr_run_collector_leave_activity(collector);
    plan_slots(report, extent);
    const size_t memory = options->budget * KEPT_SHARE;
    ftr_kept_init(&report->kept, report->reader,
                  memory < KEPT_MEMORY_MAX ? memory : KEPT_MEMORY_MAX);
    report->walk.table = &report->families;
    status = collect(report, collector);
    settle(report);
    ftr_reader_get_summary(report->reader, &summary);
    const ftr_status recorded =
        ftr_run_collector_record(collector, options->file, ftr_trace_part(options->file),
                                 FTR_RUN_SOUND, summary.time_scale, &report->run);
    ftr_run_collector_destroy(collector);
    return recorded == FTR_OK ? status : recorded;
}

static void release_content(ftr_run_report *report)
{
    for (size_t i = 0; i < report->stream_count; i++)
        ftr_stream_bins_release(&report->streams[i].bins);
    for (size_t i = 0; i < report->generator_count; i++)
        ftr_generator_series_release(&report->generators[i].series);
    for (size_t i = 0; i < report->map_count && i < FTR_REPORT_MAPS_MAX; i++)
        ftr_address_map_release(&report->maps[i].map);
    ftr_family_walk_release(&report->walk);
    ftr_kept_release(&report->kept);
    ftr_run_record_release(&report->run);
    report->run = (ftr_run_record){0};
    report->walk = (ftr_family_walk){0};
    report->stream_count = report->generator_count = report->map_count = 0;
    report->address_count = 0;
}

/* Returns whether the planned slots match the time range of the transactions. */
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
    report->families.budget.limit = FAMILY_MEMORY;
    report->maps = calloc((size_t)2 * FTR_REPORT_MAPS_MAX, sizeof *report->maps);
    report->batches = calloc(2, sizeof *report->batches);
    if (report->maps == NULL || report->batches == NULL)
        return FTR_ERR_MEMORY;
    ftr_status status = read_families(report);
    if (status != FTR_OK)
        return status;
    status = read_once(report, planned_extent(report, reader));
    const report_extent extent = measured_extent(&report->run);
    if (status != FTR_ERR_MEMORY && !is_planned_well(report, extent)) {
        /* The transactions do not fit the time range of the chunks, or the query has a time window.
         */
        release_content(report);
        status = read_once(report, extent);
    }
    const ftr_status settled = status != FTR_ERR_MEMORY ? ftr_kept_settle(&report->kept) : FTR_OK;
    return status == FTR_OK ? settled : status;
}

void ftr_run_report_release(ftr_run_report *report)
{
    release_content(report);
    free(report->streams);
    free(report->generators);
    free(report->maps);
    free(report->batches);
    ftr_names_release(&report->names);
    ftr_family_table_release(&report->families);
}
