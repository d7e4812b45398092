/* The figures of a campaign, from summaries and rules that the caller has read. */
#include "campaign.h"

#include "growing_array.h"
#include "run_manifest.h"

#include <string.h>

void ftr_campaign_init(ftr_campaign *campaign, int time_scale)
{
    *campaign = (ftr_campaign){.totals = {.time_scale = time_scale}};
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Adds up the curves of all generators of a run. */
static bool sum_series(const ftr_run_record *run, ftr_time_series *sum)
{
    for (size_t i = 0; i < run->stream_count; i++)
        for (size_t k = 0; k < run->streams[i].generator_count; k++)
            if (!ftr_time_series_merge(sum, &run->streams[i].generators[k].series))
                return false;
    return true;
}

/* Moves all members of a record except its streams to another record. */
static void take_texts(ftr_run_record *from, ftr_run_record *to)
{
    *to = *from;
    to->streams = NULL;
    to->stream_count = 0;
    from->file = from->problem = from->test = (ftr_figure_text){0};
    from->places = (ftr_run_places){0};
    from->attributes = NULL;
    from->attribute_count = 0;
}

static uint64_t factor_of(const ftr_campaign *campaign, const ftr_run_record *run)
{
    uint64_t factor = 1;
    for (int scale = run->time_scale; scale > campaign->totals.time_scale; scale--)
        factor *= 10; /* cannot overflow: this was checked when the run was added to the totals */
    return factor;
}

/* Returns the number of a generator's row in the totals. */
static size_t row_of(const ftr_campaign *campaign, const ftr_figure_text *stream,
                     const ftr_figure_text *generator)
{
    const size_t size = stream->size + 1 + generator->size;
    char *name = malloc(size);
    if (name == NULL)
        return FTR_NAME_UNKNOWN;
    memcpy(name, stream->bytes, stream->size);
    name[stream->size] = '.';
    memcpy(name + stream->size + 1, generator->bytes, generator->size);
    const size_t row = ftr_name_table_find(&campaign->totals.names, name, size, stream->size);
    free(name);
    return row;
}

static bool add_entry(ftr_campaign *campaign, size_t number, ftr_generator_figures *generator,
                      uint64_t factor)
{
    ftr_campaign_row *row = &campaign->rows[number];
    row->name = campaign->totals.rows[number].name;
    if (!ftr_array_grow(&row->entries, &row->capacity, row->count, sizeof *row->entries))
        return false;
    ftr_latency_bins *latency = &generator->latency;
    row->entries[row->count++] = (ftr_campaign_entry){
        .run = (uint32_t)campaign->run_count,
        .count = latency->count,
        .errors = generator->errors,
        .bytes = generator->bytes,
        .p50 = ftr_latency_bins_percentile(latency, 50 * FTR_PERCENT) * factor,
        .p99 = ftr_latency_bins_percentile(latency, 99 * FTR_PERCENT) * factor,
        .max = latency->greatest * factor,
    };
    return true;
}

static bool add_entries(ftr_campaign *campaign, ftr_run_record *run)
{
    const uint64_t factor = factor_of(campaign, run);
    for (size_t i = 0; i < run->stream_count; i++)
        for (size_t k = 0; k < run->streams[i].generator_count; k++) {
            ftr_generator_figures *generator = &run->streams[i].generators[k];
            const size_t row = row_of(campaign, &run->streams[i].name, &generator->name);
            if (row == FTR_NAME_UNKNOWN ||
                !ftr_array_reach(&campaign->rows, &campaign->row_capacity, row,
                                 sizeof *campaign->rows))
                return false;
            campaign->row_count = campaign->totals.row_count;
            if (generator->latency.count > 0 && !add_entry(campaign, row, generator, factor))
                return false;
        }
    return true;
}

ftr_status ftr_campaign_add(ftr_campaign *campaign, ftr_run_record *run)
{
    ftr_campaign_run added = {.sums = ftr_run_figures_of(run)};
    if (!ftr_array_grow(&campaign->runs, &campaign->run_capacity, campaign->run_count,
                        sizeof *campaign->runs))
        return FTR_ERR_MEMORY;
    const ftr_status status = ftr_run_totals_add(&campaign->totals, run, false);
    if (status != FTR_OK)
        return status;
    if (!add_entries(campaign, run) || !sum_series(run, &added.series)) {
        ftr_time_series_release(&added.series);
        return FTR_ERR_MEMORY;
    }
    take_texts(run, &added.figures);
    added.file = added.figures.file.bytes;
    campaign->runs[campaign->run_count] = added;
    const size_t size = added.figures.file.size;
    if (ftr_name_table_find(&campaign->files, added.file, size, 0) == FTR_NAME_UNKNOWN &&
        !ftr_name_table_add(&campaign->files, added.file, size, 0, campaign->run_count))
        return FTR_ERR_MEMORY;
    campaign->run_count++;
    return FTR_OK;
}

size_t ftr_campaign_find_run(const ftr_campaign *campaign, const char *file)
{
    const size_t found = ftr_name_table_find(&campaign->files, file, strlen(file), 0);
    return found != FTR_NAME_UNKNOWN ? found : SIZE_MAX;
}

/* ---- the manifest ---------------------------------------------------------------------------- */

static void print_column(const char *name, const ftr_time_series *series, ftr_series_column column,
                         ftr_data_block *block, ftr_json *json)
{
    const ftr_data_values cells = {.first = series->count > 0 ? series->cells + column : NULL,
                                   .stride = series->columns * sizeof *series->cells,
                                   .value_size = sizeof *series->cells,
                                   .count = series->count};
    ftr_json_values(json, name, block, cells, false);
}

static void print_series(const ftr_time_series *series, unsigned shift, ftr_data_block *block,
                         ftr_json *json)
{
    ftr_json_count(json, "shift", shift);
    ftr_json_wide(json, "first", series->first);
    print_column("count", series, FTR_SERIES_TRANSACTIONS, block, json);
    print_column("worst", series, FTR_SERIES_LATENCY_MAX, block, json);
}

static void print_run(const ftr_campaign_run *run, char *link, ftr_data_block *block,
                      ftr_json *json)
{
    const ftr_run_record *figures = &run->figures;
    char state[FTR_RUN_STATE_TEXT_SIZE];
    ftr_json_open(json, NULL, '{');
    ftr_json_text(json, "file", figures->file.bytes, figures->file.size);
    if (link != NULL)
        ftr_json_string(json, "link", link);
    else
        ftr_json_null(json, "link");
    ftr_json_string(json, "state", ftr_run_state_text(figures, state));
    ftr_json_text(json, "problem", figures->problem.bytes, figures->problem.size);
    ftr_json_int(json, "time_scale", figures->time_scale);
    ftr_json_count(json, "transactions", figures->transactions);
    ftr_json_count(json, "errors", run->sums.errors);
    ftr_json_count(json, "unfinished", run->sums.unfinished);
    ftr_json_count(json, "losses", figures->losses);
    ftr_json_wide(json, "bytes", run->sums.bytes);
    ftr_json_wide(json, "longest", run->sums.longest);
    ftr_json_wide(json, "last", run->sums.last);
    ftr_run_attributes_print(figures, json);
    if (run->report != NULL)
        ftr_json_string(json, "report", run->report);
    ftr_json_count(json, "failed", run->failed);
    print_series(&run->series, run->series.count > 0 ? figures->slot_shift : 0, block, json);
    ftr_json_close(json, '}');
}

static void print_slowest(const ftr_campaign *campaign, const ftr_total_row *row, ftr_json *json)
{
    ftr_json_open(json, "slowest", '[');
    for (unsigned i = 0; i < row->slow_count; i++) {
        const ftr_slow_run_tx *slow = &row->slowest[i];
        ftr_json_open(json, NULL, '{');
        ftr_json_count(json, "run", ftr_campaign_find_run(campaign, slow->file));
        ftr_json_wide(json, "id", slow->tx.id);
        ftr_json_wide(json, "begin", slow->tx.begin);
        ftr_json_wide(json, "latency", slow->tx.latency);
        ftr_json_close(json, '}');
    }
    ftr_json_close(json, ']');
}

static void print_by_run(const ftr_campaign_row *row, ftr_data_block *block, ftr_json *json)
{
    const ftr_campaign_entry *entries = row != NULL ? row->entries : NULL;
    const size_t count = row != NULL ? row->count : 0;
    ftr_json_open(json, "by_run", '{');
#define PUT(member) \
    ftr_json_values(json, #member, block, FTR_DATA_MEMBER(entries, member, count), false)
    PUT(run);
    PUT(count);
    PUT(errors);
    PUT(bytes);
    PUT(p50);
    PUT(p99);
    PUT(max);
#undef PUT
    ftr_json_close(json, '}');
}

static bool print_row(const ftr_campaign *campaign, ftr_total_row *row,
                      const ftr_campaign_row *by_run, ftr_data_block *block, ftr_json *json)
{
    ftr_json_open(json, NULL, '{');
    ftr_json_text(json, "name", row->name, row->name_size);
    ftr_json_text(json, "stream", row->name, row->stream_size);
    const ftr_view stream = {row->name, row->stream_size};
    if (ftr_link_has_label(&campaign->totals.links, stream))
        ftr_json_view(json, "link", ftr_link_label(&campaign->totals.links, stream));
    ftr_json_count(json, "runs", row->runs);
    ftr_json_count(json, "count", row->latency.count);
    ftr_json_count(json, "errors", row->errors);
    ftr_json_count(json, "unfinished", row->unfinished);
    ftr_json_wide(json, "bytes", row->bytes);
    ftr_latency_print(&row->latency, json);
    ftr_json_count(json, "outstanding", row->outstanding);
    print_slowest(campaign, row, json);
    const bool ok = ftr_histogram_print(&row->latency, block, json);
    print_by_run(by_run, block, json);
    ftr_json_close(json, '}');
    return ok;
}

static int compare_names(const void *a, const void *b)
{
    const uintptr_t x = (uintptr_t)((const ftr_campaign_row *)a)->name;
    const uintptr_t y = (uintptr_t)((const ftr_campaign_row *)b)->name;
    return (x > y) - (x < y);
}

static bool print_rows(ftr_campaign *campaign, ftr_data_block *block, ftr_json *json)
{
    bool ok = true;
    if (campaign->row_count > 0)
        qsort(campaign->rows, campaign->row_count, sizeof *campaign->rows, compare_names);
    ftr_run_totals_settle(&campaign->totals);
    ftr_json_open(json, "generators", '[');
    for (size_t i = 0; ok && i < campaign->totals.row_count; i++) {
        ftr_total_row *row = &campaign->totals.rows[i];
        const ftr_campaign_row key = {.name = row->name};
        const ftr_campaign_row *by_run = bsearch(&key, campaign->rows, campaign->row_count,
                                                 sizeof *campaign->rows, compare_names);
        ok = print_row(campaign, row, by_run, block, json);
    }
    ftr_json_close(json, ']');
    return ok;
}

bool ftr_campaign_print(ftr_campaign *campaign, ftr_campaign_link *link, void *user,
                        ftr_data_block *block, ftr_json *json)
{
    ftr_json_int(json, "time_scale", campaign->totals.time_scale);
    ftr_json_open(json, "runs", '[');
    for (size_t i = 0; i < campaign->run_count; i++) {
        char *path = link(user, campaign->runs[i].file);
        print_run(&campaign->runs[i], path, block, json);
        free(path);
    }
    ftr_json_close(json, ']');
    return print_rows(campaign, block, json) && !block->failed;
}

void ftr_campaign_release(ftr_campaign *campaign)
{
    for (size_t i = 0; i < campaign->row_count; i++)
        free(campaign->rows[i].entries);
    free(campaign->rows);
    for (size_t i = 0; i < campaign->run_count; i++) {
        ftr_run_record_release(&campaign->runs[i].figures);
        ftr_time_series_release(&campaign->runs[i].series);
        free(campaign->runs[i].report);
    }
    free(campaign->runs);
    ftr_name_table_release(&campaign->files);
    ftr_run_totals_release(&campaign->totals);
}
