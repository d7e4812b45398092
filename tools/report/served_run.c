/* Makes the answers about a run. loopback_server.c sends them. */
#include "served_run.h"

#include "html_page.h"
#include "run_record.h"
#include "run_manifest.h"
#include "run_part.h"
#include "text_view.h"
#include "trace_measure.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Maximum number of transactions related to one transaction. */
#define RELATED_MAX 256u

/* ---- the page -------------------------------------------------------------------------------- */

static bool write_page(ftr_served_run *served, const ftr_run_part *part)
{
    const ftr_packed_block blocks[] = {part->overview, part->transactions};
    char serve[80];
    ftr_text_buffer manifest = {0};
    (void)snprintf(serve, sizeof serve, "\"serve\": {\"revision\": %" PRIu64 ", \"live\": %s}",
                   served->revision, served->is_live ? "true" : "false");
    served->page.size = 0;
    const bool ok = ftr_run_part_manifest(part, serve, &manifest) &&
                    ftr_html_page_write(&manifest, blocks, 2, ftr_text_buffer_take, &served->page);
    ftr_text_buffer_release(&manifest);
    return ok;
}

ftr_status ftr_served_run_make(ftr_served_run *served)
{
    static const ftr_part_names names = {"overview", "transactions"};
    ftr_run_report report;
    ftr_run_part part = {0};
    ftr_file_info info;
    const ftr_status status = ftr_run_report_make(&report, served->reader, served->options);
    ftr_status packed = status;
    if (status != FTR_ERR_MEMORY) {
        ftr_run_record_judge_file(&report.run, ftr_trace_state(served->reader, *served->errors));
        packed = ftr_run_part_make(&part, &report, &names, served->options->budget);
    }
    ftr_reader_get_info(served->reader, &info);
    served->is_live = !info.ended;
    served->revision++;
    if (packed == FTR_OK && !write_page(served, &part))
        packed = FTR_ERR_MEMORY;
    ftr_run_record_release(&served->run);
    served->run = report.run;
    report.run = (ftr_run_record){0};
    ftr_run_relations_release(&served->relations);
    served->relations = report.relations;
    report.relations = (ftr_run_relations){0};
    ftr_run_part_release(&part);
    ftr_run_report_release(&report);
    return packed == FTR_OK ? status : packed;
}

ftr_status ftr_served_run_refresh(ftr_served_run *served, bool *changed)
{
    bool grown = false;
    ftr_status status = served->is_live ? ftr_reader_refresh(served->reader, &grown) : FTR_OK;
    if (status == FTR_OK && grown)
        status = ftr_served_run_make(served);
    if (status == FTR_OK)
        *changed = grown;
    return status;
}

void ftr_served_run_release(ftr_served_run *served)
{
    ftr_run_record_release(&served->run);
    ftr_run_relations_release(&served->relations);
    ftr_text_buffer_release(&served->page);
}

/* ---- answers: a manifest and a block --------------------------------------------------------- */

/* Ends the manifest, and appends manifest and block to the answer.
 * @param manifest contains the bytes that @p json prints */
static ftr_status put_answer(ftr_text_buffer *manifest, ftr_json *json, const ftr_data_block *block,
                             ftr_text_buffer *answer)
{
    ftr_json_close(json, '}');
    const bool printed = ftr_printer_flush(json->out);
    const uint32_t size = (uint32_t)manifest->size;
    return printed && !block->failed &&
                   ftr_text_buffer_take(answer, (const char *)&size, sizeof size) &&
                   ftr_text_buffer_take(answer, manifest->bytes, manifest->size) &&
                   ftr_text_buffer_take(answer, (const char *)block->bytes, block->size)
               ? FTR_OK
               : FTR_ERR_MEMORY;
}

/* Returns the indices of the generators in the manifest; index: generator index in the reader. */
static uint32_t *number_generators(ftr_reader *reader, const ftr_run_record *run)
{
    const size_t count = ftr_reader_generator_count(reader);
    uint32_t *numbers = malloc((count + 1) * sizeof *numbers);
    for (size_t i = 0; numbers != NULL && i < count; i++) {
        const ftr_generator_info *generator = ftr_reader_get_generator(reader, i);
        numbers[i] = ftr_manifest_find_generator(run, generator->stream->name, generator->name);
    }
    return numbers;
}

/* Sets the reason of all transactions to SAMPLE, because the reasons in an answer mean nothing: its
 * slowest transactions are usually not the slowest of the run. */
static void reset_reasons(ftr_kept_transactions *kept)
{
    for (size_t i = 0; i < kept->count; i++) {
        kept->txs[i].reasons = FTR_KEPT_SAMPLE;
        kept->txs[i].parentage = FTR_KEPT_PARENT_UNKNOWN;
    }
}

ftr_status ftr_served_answer_transactions(const ftr_run_record *run,
                                          const ftr_run_relations *relations,
                                          ftr_kept_transactions *kept,
                                          void (*put_members)(const void *user, ftr_json *json),
                                          const void *user, ftr_text_buffer *answer)
{
    ftr_data_block block = {.name = "tile"};
    ftr_text_buffer manifest = {0};
    uint32_t *numbers = number_generators(kept->reader, run);
    ftr_printer *printer = malloc(sizeof *printer);
    ftr_status status = numbers != NULL && printer != NULL ? FTR_OK : FTR_ERR_MEMORY;
    if (status == FTR_OK)
        status = ftr_kept_settle(kept);
    reset_reasons(kept);
    if (status == FTR_OK) {
        ftr_text_buffer_connect(&manifest, printer);
        ftr_json json = {.out = printer};
        ftr_json_open(&json, NULL, '{');
        put_members(user, &json);
        status = ftr_kept_print(kept, relations, numbers, 1, &block, &json);
        if (status == FTR_OK)
            status = put_answer(&manifest, &json, &block, answer);
    }
    free(printer);
    free(numbers);
    ftr_text_buffer_release(&manifest);
    ftr_data_block_release(&block);
    return status;
}

/* ---- details --------------------------------------------------------------------------------- */

/* The data that is collected for a request. */
typedef struct served_tile {
    ftr_served_run *served;
    const ftr_tile_request *request;
    ftr_query query;
    ftr_kept_transactions kept;
    ftr_tx_preparation preparation;
    bool more;
    ftr_time_slots slots;
    ftr_stream_bins *bins; /* index: stream index in the manifest */
} served_tile;

static bool chooses(void *user, const ftr_stream_info *stream)
{
    const served_tile *tile = user;
    const ftr_query *query = tile->served->options->query;
    if (query->choose_stream != NULL && !query->choose_stream(query->user, stream))
        return false;
    if (!tile->request->one_stream)
        return true;
    const ftr_figure_text *name = &tile->served->run.streams[tile->request->stream].name;
    return ftr_view_is(stream->name, name->bytes);
}

static bool chooses_generator(void *user, const ftr_generator_info *generator)
{
    const ftr_query *query = ((const served_tile *)user)->served->options->query;
    return query->choose_generator(query->user, generator);
}

/* Calls @p take for each transaction of the request, in order of begin. */
static ftr_status collect(served_tile *tile,
                          ftr_status (*take)(void *user, const ftr_measured_tx *tx))
{
    const ftr_trace_measure measure = {.query = &tile->query,
                                       .wants_number = ftr_tx_preparation_wants,
                                       .number = ftr_tx_preparation_number,
                                       .prepare = ftr_tx_preparation_append,
                                       .prepare_user = &tile->preparation,
                                       .transaction = take,
                                       .transaction_user = tile};
    ftr_run_collector *collector;
    ftr_status status = ftr_run_collector_create(FTR_COLLECT_BY_BEGIN, &collector);
    if (status != FTR_OK)
        return status;
    tile->query.choose_stream = chooses;
    if (tile->served->options->query->choose_generator != NULL)
        tile->query.choose_generator = chooses_generator;
    tile->query.user = tile;
    ftr_run_collector_reduce(collector, true);
    status = ftr_tx_preparation_init(&tile->preparation, 1, NULL, NULL)
                 ? ftr_trace_collect(tile->served->reader, &measure, collector)
                 : FTR_ERR_MEMORY;
    ftr_tx_preparation_release(&tile->preparation);
    ftr_run_collector_destroy(collector);
    return status;
}

/* ---- transactions ---------------------------------------------------------------------------- */

static ftr_status take_transaction(void *user, const ftr_measured_tx *measured)
{
    served_tile *tile = user;
    const ftr_prepared_tx parts = ftr_prepared_tx_get(measured);
    ftr_offered_tx offered = {.figures = ftr_report_tx_of(measured),
                              .generator = measured->index,
                              .has_attributes = parts.has_attributes,
                              .attributes = parts.attributes,
                              .attributes_end = parts.attributes_end};
    const ftr_family_member family = {.root = offered.figures.id};
    offered.figures.generator = measured->index;
    if (tile->kept.count == tile->request->limit) {
        tile->more = true;
        return FTR_ERR_END;
    }
    return ftr_kept_offer(&tile->kept, &offered, &family);
}

static void put_more(const void *user, ftr_json *json)
{
    ftr_json_bool(json, "more", ((const served_tile *)user)->more);
}

static ftr_status put_transactions(served_tile *tile, ftr_text_buffer *answer)
{
    return ftr_served_answer_transactions(&tile->served->run, &tile->served->relations, &tile->kept,
                                          put_more, tile, answer);
}

ftr_status ftr_served_transactions(ftr_served_run *served, const ftr_tile_request *request,
                                   ftr_text_buffer *answer)
{
    served_tile tile = {
        .served = served,
        .request = request,
        .query = {.size = sizeof tile.query,
                  .windowed = true,
                  .from = request->from,
                  .to = request->to},
    };
    ftr_status status = ftr_kept_init(&tile.kept, served->reader, SIZE_MAX, 0);
    if (status == FTR_OK)
        status = collect(&tile, take_transaction);
    if (status == FTR_OK)
        status = put_transactions(&tile, answer);
    ftr_kept_release(&tile.kept);
    return status;
}

/* Finds the ids of a transaction and of the transactions related to it. */
static ftr_status find_related(ftr_reader *reader, uint64_t id, uint64_t *ids, size_t *count)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    ids[0] = id;
    *count = 1;
    ftr_status status = ftr_relation_cursor_open(reader, true, id, &cursor);
    if (status != FTR_OK)
        return status;
    while (*count < RELATED_MAX &&
           (status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK) {
        const uint64_t other = relation.from_tx == id ? relation.to_tx : relation.from_tx;
        size_t at = 0;
        while (at < *count && ids[at] != other)
            at++;
        if (at == *count)
            ids[(*count)++] = other;
    }
    ftr_relation_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

ftr_status ftr_served_transaction(ftr_served_run *served, uint64_t id, ftr_text_buffer *answer)
{
    uint64_t ids[RELATED_MAX];
    size_t count;
    const ftr_tile_request all = {.limit = RELATED_MAX + 1};
    served_tile tile = {.served = served, .request = &all};
    ftr_status status = find_related(served->reader, id, ids, &count);
    if (status == FTR_OK)
        status = ftr_kept_init(&tile.kept, served->reader, SIZE_MAX, 0);
    for (size_t i = 0; status == FTR_OK && i < count; i++) {
        tile.query = (ftr_query){.size = sizeof tile.query, .by_id = true, .id = ids[i]};
        status = collect(&tile, take_transaction);
    }
    if (status == FTR_OK)
        status = put_transactions(&tile, answer);
    ftr_kept_release(&tile.kept);
    return status;
}

/* ---- bins ------------------------------------------------------------------------------------ */

static ftr_status take_bin(void *user, const ftr_measured_tx *measured)
{
    served_tile *tile = user;
    const ftr_report_tx tx = ftr_report_tx_of(measured);
    const ftr_generator_info *generator =
        ftr_reader_get_generator(tile->served->reader, measured->index);
    const uint32_t stream = ftr_manifest_find_stream(&tile->served->run, generator->stream->name);
    if (stream == UINT32_MAX)
        return FTR_OK; /* the stream was added to the file after the page was made */
    ftr_stream_bins *bins = &tile->bins[stream];
    if (bins->slots == NULL && !ftr_stream_bins_init(bins, &tile->slots, true))
        return FTR_ERR_MEMORY;
    ftr_stream_bins_add_window(bins, &tx);
    return FTR_OK;
}

static ftr_status put_bins(const served_tile *tile, ftr_text_buffer *answer)
{
    ftr_data_block block = {.name = "tile"};
    ftr_text_buffer manifest = {0};
    ftr_printer *printer = malloc(sizeof *printer);
    if (printer == NULL)
        return FTR_ERR_MEMORY;
    ftr_text_buffer_connect(&manifest, printer);
    ftr_json json = {.out = printer};
    ftr_json_open(&json, NULL, '{');
    ftr_json_open(&json, "bins", '{');
    ftr_json_count(&json, "shift", tile->slots.shift);
    ftr_json_wide(&json, "first", tile->slots.first);
    ftr_json_count(&json, "count", tile->slots.count);
    ftr_json_count(&json, "omitted", 0);
    ftr_json_open(&json, "streams", '[');
    for (size_t i = 0; i < tile->served->run.stream_count; i++) {
        if (tile->bins[i].slots == NULL)
            continue;
        ftr_json_open(&json, NULL, '{');
        ftr_json_count(&json, "stream", i);
        ftr_stream_bins_print(&tile->bins[i], &block, &json);
        ftr_json_close(&json, '}');
    }
    ftr_json_close(&json, ']');
    ftr_json_close(&json, '}');
    const ftr_status status = put_answer(&manifest, &json, &block, answer);
    free(printer);
    ftr_text_buffer_release(&manifest);
    ftr_data_block_release(&block);
    return status;
}

ftr_status ftr_served_bins(ftr_served_run *served, const ftr_tile_request *request,
                           ftr_text_buffer *answer)
{
    served_tile tile = {.served = served, .request = request};
    tile.slots = ftr_time_slots_of(request->from, request->to, request->limit);
    tile.query = (ftr_query){.size = sizeof tile.query,
                             .windowed = true,
                             .from = ftr_time_slot_begin(&tile.slots, 0),
                             .to = ftr_time_slot_last(&tile.slots)};
    tile.bins = calloc(served->run.stream_count + 1, sizeof *tile.bins);
    ftr_status status = tile.bins != NULL ? collect(&tile, take_bin) : FTR_ERR_MEMORY;
    if (status == FTR_OK)
        status = put_bins(&tile, answer);
    for (size_t i = 0; tile.bins != NULL && i < served->run.stream_count; i++)
        ftr_stream_bins_release(&tile.bins[i]);
    free(tile.bins);
    return status;
}
