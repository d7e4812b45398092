/* Prints the figures of generators. */
#include "figure_table.h"

#include "command.h"

#include <string.h>

static const uint32_t usual_percentiles[] = {50 * FTR_PERCENT, 90 * FTR_PERCENT, 99 * FTR_PERCENT};

bool ftr_figure_columns_parse(const char *list, ftr_figure_columns *columns)
{
    columns->percentile_count = 0;
    for (;;) {
        const size_t size = strcspn(list, ",");
        if (columns->percentile_count == FTR_PERCENTILES_MAX ||
            !ftr_percent_parse(list, size, &columns->percentiles[columns->percentile_count++]))
            return false;
        if (list[size] == '\0')
            return true;
        list += size + 1;
    }
}

static const uint32_t *percentiles_of(const ftr_figure_columns *columns, unsigned *count)
{
    *count = columns->percentile_count > 0
                 ? columns->percentile_count
                 : (unsigned)(sizeof usual_percentiles / sizeof usual_percentiles[0]);
    return columns->percentile_count > 0 ? columns->percentiles : usual_percentiles;
}

static const char *percentile_name(uint32_t percent, char name[FTR_METRIC_NAME_SIZE])
{
    const ftr_figure_metric metric = {FTR_METRIC_PERCENTILE, percent};
    return ftr_figure_metric_name(metric, name);
}

bool ftr_figures_add_run(ftr_run_totals *totals, const ftr_run_record *run, const char *file,
                         bool by_stream)
{
    const ftr_status status = ftr_run_totals_add(totals, run, by_stream);
    if (status != FTR_OK)
        ftr_print_error("%s: %s", file,
                        status == FTR_ERR_LIMIT
                            ? "its time scale differs too much from the other files"
                            : ftr_status_text(status));
    return status == FTR_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* A row, and the data that its columns need. */
typedef struct figure_row {
    const ftr_figure_columns *columns;
    const char *file;
    ftr_total_row *total;
    int time_scale;
    bool has_bytes; /* at least one row has bytes */
} figure_row;

/* A row has no latency if all of its transactions are unfinished. */
static void put_latency(ftr_rows *rows, const figure_row *of, const char *name, uint64_t ticks)
{
    if (of->total->latency.count > 0)
        ftr_row_time(rows, FTR_IN_ALL, name, ticks, of->time_scale);
    else
        ftr_row_missing(rows, FTR_IN_ALL, name);
}

static void put_slowest(ftr_json *json, const ftr_total_row *row)
{
    ftr_json_open(json, "slowest", '[');
    for (unsigned i = 0; i < row->slow_count; i++)
        ftr_figures_put_slow_tx(json, &row->slowest[i].tx, row->slowest[i].file);
    ftr_json_close(json, ']');
}

static void describe(ftr_rows *rows, const void *row)
{
    const figure_row *of = row;
    const ftr_total_row *total = of->total;
    ftr_latency_bins *latency = &of->total->latency;
    const long double throughput =
        ftr_rate((long double)latency->count, total->span, of->time_scale);
    const long double bandwidth = ftr_rate((long double)total->bytes, total->span, of->time_scale);
    /* The name of a row is STREAM.GENERATOR or, if rows are streams, STREAM. */
    const bool is_stream = total->name_size <= total->stream_size;
    const size_t start = is_stream ? total->stream_size : total->stream_size + 1;
    const unsigned programs = FTR_IN_CSV | FTR_IN_JSON;
    char name[FTR_METRIC_NAME_SIZE];
    unsigned count;
    const uint32_t *percentiles = percentiles_of(of->columns, &count);
    ftr_row_string(rows, FTR_IN_CSV, "file", of->file);
    ftr_row_text(rows, programs, "stream", total->name, total->stream_size);
    ftr_row_text(rows, is_stream ? FTR_IN_CSV : programs, "generator", total->name + start,
                 total->name_size - start);
    ftr_row_int(rows, FTR_IN_CSV, "time_scale", of->time_scale);
    ftr_row_count(rows, FTR_IN_ALL, "count", latency->count);
    ftr_row_rate(rows, FTR_IN_TEXT, "tx/s", throughput);
    ftr_row_rate(rows, programs, "throughput", throughput);
    ftr_row_rate(rows, of->has_bytes ? FTR_IN_TEXT : 0, "bytes/s", bandwidth);
    put_latency(rows, of, "min", latency->least);
    put_latency(rows, of, "mean", ftr_latency_bins_mean(latency));
    for (unsigned i = 0; i < count; i++)
        put_latency(rows, of, percentile_name(percentiles[i], name),
                    ftr_latency_bins_percentile(latency, percentiles[i]));
    put_latency(rows, of, "max", latency->greatest);
    ftr_row_count(rows, FTR_IN_ALL, "outstanding", total->outstanding);
    ftr_row_count(rows, FTR_IN_ALL, "errors", total->errors);
    ftr_row_count(rows, FTR_IN_ALL, "unfinished", total->unfinished);
    ftr_row_count(rows, programs, "bytes", total->bytes);
    ftr_row_rate(rows, programs, "bandwidth", bandwidth);
    ftr_row_count(rows, programs, "busy", (uint64_t)total->busy);
    ftr_row_count(rows, programs, "first", total->first);
    ftr_row_count(rows, programs, "last", total->last);
    ftr_row_text(rows, FTR_IN_TEXT, of->columns->by_stream ? "stream" : "generator", total->name,
                 total->name_size);
    if (rows->format == FTR_ROWS_JSON && of->columns->slowest) {
        ftr_json_count(&rows->json, "runs", total->runs);
        put_slowest(&rows->json, total);
    }
}

static void put_titles(ftr_rows *rows, const ftr_figure_columns *columns, bool has_bytes)
{
    ftr_total_row none = {.name = ""};
    ftr_rows_put_titles(rows, describe, &(figure_row){columns, "", &none, 0, has_bytes});
}

void ftr_figures_print_csv_titles(ftr_printer *out, const ftr_figure_columns *columns)
{
    ftr_rows rows;
    ftr_rows_begin(&rows, FTR_ROWS_CSV, out);
    put_titles(&rows, columns, true);
}

bool ftr_figures_print(ftr_printer *out, ftr_row_format format, const ftr_figure_columns *columns,
                       const char *file, ftr_run_totals *totals)
{
    figure_row row = {.columns = columns, .file = file, .time_scale = totals->time_scale};
    ftr_rows rows;
    ftr_rows_begin(&rows, format, out);
    for (size_t i = 0; i < totals->row_count; i++)
        row.has_bytes |= totals->rows[i].bytes > 0;
    if (format == FTR_ROWS_TEXT)
        put_titles(&rows, columns, row.has_bytes);
    for (size_t i = 0; i < totals->row_count; i++) {
        row.total = &totals->rows[i];
        if (ftr_total_row_has_transactions(row.total))
            ftr_rows_put(&rows, describe, &row);
    }
    return ftr_rows_end(&rows);
}

void ftr_figures_put_json(ftr_json *json, const ftr_figure_columns *columns, ftr_run_totals *totals)
{
    ftr_json_int(json, "time_scale", totals->time_scale);
    ftr_json_open(json, columns->by_stream ? "streams" : "generators", '[');
    (void)ftr_figures_print(json->out, FTR_ROWS_JSON, columns, "", totals);
    ftr_json_close(json, ']');
}

void ftr_figures_put_slow_tx(ftr_json *json, const ftr_slow_tx *tx, const char *file)
{
    ftr_json_open(json, NULL, '{');
    ftr_json_count(json, "id", tx->id);
    ftr_json_count(json, "begin", tx->begin);
    ftr_json_count(json, "latency", tx->latency);
    if (file != NULL)
        ftr_json_string(json, "file", file);
    ftr_json_close(json, '}');
}
