/* Prints the figures of generators. */
#include "figure_table.h"

#include "command.h"

#include <stdio.h>
#include <stdlib.h>
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
    const ftr_figure_metric metric = {.kind = FTR_METRIC_PERCENTILE, .percent = percent};
    return ftr_figure_metric_name(metric, name);
}

static bool check_added(ftr_status status, const char *file)
{
    if (status != FTR_OK)
        ftr_print_error("%s: %s", file,
                        status == FTR_ERR_LIMIT
                            ? "its time scale differs too much from the other files"
                            : ftr_status_text(status));
    return status == FTR_OK;
}

bool ftr_figures_add_run(ftr_run_totals *totals, const ftr_run_record *run, const char *file,
                         bool by_stream)
{
    return check_added(ftr_run_totals_add(totals, run, by_stream), file);
}

bool ftr_figures_take_run(ftr_run_totals *totals, ftr_run_record *run, const char *file)
{
    return check_added(ftr_run_totals_take(totals, run), file);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* A row, and the data that its columns need. */
typedef struct figure_row {
    const ftr_figure_columns *columns;
    const char *file;
    const ftr_link_names *links;
    ftr_total_row *total;
    const ftr_figure_part *part; /* NULL: the row describes all transactions of its generator */
    ftr_named_times *times;      /* NULL: the row describes latencies, not an attribute */
    int time_scale;
    bool has_bytes; /* at least one row has bytes */
} figure_row;

static ftr_latency_bins *bins_of(const figure_row *of)
{
    return of->times != NULL ? &of->times->bins : &of->total->latency;
}

/* A row has no latency if all of its transactions are unfinished. */
static void put_time(ftr_rows *rows, const figure_row *of, const char *name, uint64_t ticks)
{
    if (bins_of(of)->count > 0)
        ftr_row_time(rows, FTR_IN_ALL, name, ticks, of->time_scale);
    else
        ftr_row_missing(rows, FTR_IN_ALL, name);
}

/* Puts a figure of transactions. The row of an attribute does not have it. */
static void put_count(ftr_rows *rows, const figure_row *of, unsigned in, const char *name,
                      uint64_t value)
{
    if (of->times == NULL)
        ftr_row_count(rows, in, name, value);
    else
        ftr_row_missing(rows, in, name);
}

static void put_rate(ftr_rows *rows, const figure_row *of, unsigned in, const char *name,
                     long double rate)
{
    if (of->times == NULL)
        ftr_row_rate(rows, in, name, rate);
    else
        ftr_row_missing(rows, in, name);
}

static void put_slowest(ftr_json *json, const ftr_total_row *row)
{
    ftr_json_open(json, "slowest", '[');
    for (unsigned i = 0; i < row->slow_count; i++)
        ftr_figures_put_slow_tx(json, &row->slowest[i].tx, row->slowest[i].file);
    ftr_json_close(json, ']');
}

static void put_distribution(ftr_rows *rows, const figure_row *of)
{
    ftr_latency_bins *bins = bins_of(of);
    char name[FTR_METRIC_NAME_SIZE];
    unsigned count;
    const uint32_t *percentiles = percentiles_of(of->columns, &count);
    put_time(rows, of, "min", bins->least);
    put_time(rows, of, "mean", ftr_latency_bins_mean(bins));
    for (unsigned i = 0; i < count; i++)
        put_time(rows, of, percentile_name(percentiles[i], name),
                 ftr_latency_bins_percentile(bins, percentiles[i]));
    put_time(rows, of, "max", bins->greatest);
}

/* Puts the columns for the value of the attribute that divides generators, and for the name of the
 * attribute that the row describes. */
static void put_division(ftr_rows *rows, const figure_row *of)
{
    static const char *const KINDS[] = {
        [FTR_PART_VALUE] = "value", [FTR_PART_ABSENT] = "absent", [FTR_PART_OTHERS] = "others"};
    static const char *const SHOWN[] = {
        [FTR_PART_VALUE] = "", [FTR_PART_ABSENT] = "(none)", [FTR_PART_OTHERS] = "(others)"};
    const ftr_figure_part *part = of->part;
    if (of->columns->by != NULL) {
        const bool is_value = part != NULL && part->kind == FTR_PART_VALUE;
        const ftr_view shown = is_value ? part->shown
                               : part != NULL
                                   ? (ftr_view){SHOWN[part->kind], strlen(SHOWN[part->kind])}
                                   : (ftr_view){"(all)", 5};
        ftr_row_text(rows, FTR_IN_TEXT, of->columns->by, shown.data, shown.size);
        ftr_row_string(rows, FTR_IN_CSV, "part", part != NULL ? KINDS[part->kind] : "all");
        if (is_value && part->value.form == FTR_FORM_NUMBER)
            ftr_row_count(rows, FTR_IN_CSV, "value", part->value.as.number);
        else
            ftr_row_text(rows, FTR_IN_CSV, "value", shown.data, is_value ? shown.size : 0);
    }
    if (of->columns->times)
        ftr_row_text(rows, FTR_IN_TEXT | FTR_IN_CSV, "time",
                     of->times != NULL ? of->times->name.bytes : "latency",
                     of->times != NULL ? of->times->name.size : strlen("latency"));
}

/* ---- JSON: the rows below a generator are members of its object ------------------------------ */

static void describe_times(ftr_rows *rows, const void *row)
{
    const figure_row *of = row;
    ftr_row_text(rows, FTR_IN_JSON, "time", of->times->name.bytes, of->times->name.size);
    ftr_row_count(rows, FTR_IN_JSON, "count", of->times->bins.count);
    put_distribution(rows, of);
}

static void put_json_times(ftr_rows *rows, const figure_row *of)
{
    figure_row below = *of;
    ftr_json_open(&rows->json, "times", '[');
    for (size_t i = 0; i < of->total->time_count; i++) {
        below.times = &of->total->times[i];
        ftr_rows_put(rows, describe_times, &below);
    }
    ftr_json_close(&rows->json, ']');
}

static void put_json_value(ftr_json *json, const ftr_figure_part *part)
{
    if (part->kind != FTR_PART_VALUE)
        ftr_json_null(json, "value");
    else if (part->value.form == FTR_FORM_NUMBER)
        ftr_json_count(json, "value", part->value.as.number);
    else if (part->value.form == FTR_FORM_INTEGER)
        ftr_json_int(json, "value", part->value.as.integer);
    else if (part->value.form == FTR_FORM_BOOLEAN)
        ftr_json_bool(json, "value", part->value.as.boolean);
    else
        ftr_json_text(json, "value", part->shown.data, part->shown.size);
    if (part->kind == FTR_PART_OTHERS)
        ftr_json_bool(json, "is_rest", true);
}

static void describe(ftr_rows *rows, const void *row);

/* Returns a number less than 0 if the part belongs to a generator before the row's generator. */
static int compare_part(const ftr_figure_part *part, const ftr_total_row *row)
{
    const int order = strcmp(part->name, row->name);
    return order != 0
               ? order
               : (part->stream_size > row->stream_size) - (part->stream_size < row->stream_size);
}

/* Calls @p put with a row for each part of the row's generator. */
static void for_each_part(ftr_rows *rows, const figure_row *of,
                          void (*put)(ftr_rows *rows, const figure_row *part))
{
    const ftr_figure_parts *parts = of->columns->parts;
    figure_row below = *of;
    size_t first = 0;
    size_t end = parts->count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (compare_part(&parts->of[middle], of->total) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    for (; first < parts->count && compare_part(&parts->of[first], of->total) == 0; first++) {
        below.part = &parts->of[first];
        below.total = below.part->row;
        put(rows, &below);
    }
}

static void put_json_part(ftr_rows *rows, const figure_row *part)
{
    ftr_rows_put(rows, describe, part);
}

/* ---- columns --------------------------------------------------------------------------------- */

static void put_name(ftr_rows *rows, const figure_row *of)
{
    const unsigned programs = FTR_IN_CSV | FTR_IN_JSON;
    const ftr_figure_part *part = of->part;
    const char *name = part != NULL ? part->name : of->total->name;
    const size_t size = part != NULL ? part->name_size : of->total->name_size;
    const size_t stream_size = part != NULL ? part->stream_size : of->total->stream_size;
    /* The name of a row is STREAM.GENERATOR or, if rows are streams, STREAM. */
    const bool is_stream = size <= stream_size;
    const size_t start = is_stream ? stream_size : stream_size + 1;
    ftr_row_text(rows, programs, "stream", name, stream_size);
    ftr_row_text(rows, is_stream ? FTR_IN_CSV : programs, "generator", name + start, size - start);
}

/* Puts the name of a row for people: STREAM.GENERATOR, or the label of a link and the generator. */
static void put_shown_name(ftr_rows *rows, const figure_row *of)
{
    const ftr_figure_part *part = of->part;
    const char *name = part != NULL ? part->name : of->total->name;
    const size_t size = part != NULL ? part->name_size : of->total->name_size;
    const size_t stream_size = part != NULL ? part->stream_size : of->total->stream_size;
    const char *title = of->columns->by_stream ? "stream" : "generator";
    const ftr_view stream = {name, stream_size};
    char *shown;
    if (!ftr_link_has_label(of->links, stream)) {
        ftr_row_name(rows, title, name, size, FTR_NAME_WIDTH);
        return;
    }
    const ftr_view label = ftr_link_label(of->links, stream);
    const bool has_generator = size > stream_size;
    const int length =
        asprintf(&shown, "%.*s%s%s", (int)label.size, label.data, has_generator ? " " : "",
                 has_generator ? name + stream_size + 1 : "");
    rows->failed |= length < 0;
    ftr_row_name(rows, title, length < 0 ? "" : shown, length < 0 ? 0 : (size_t)length,
                 FTR_NAME_WIDTH);
    if (length >= 0)
        free(shown);
}

/* Puts the label of the row's stream for programs. */
static void put_link(ftr_rows *rows, const figure_row *of)
{
    const ftr_figure_part *part = of->part;
    const ftr_view stream = {part != NULL ? part->name : of->total->name,
                             part != NULL ? part->stream_size : of->total->stream_size};
    const bool has_label = ftr_link_has_label(of->links, stream);
    const ftr_view label = has_label ? ftr_link_label(of->links, stream) : stream;
    ftr_row_text(rows, has_label ? FTR_IN_CSV | FTR_IN_JSON : FTR_IN_CSV, "link", label.data,
                 label.size);
}

static void describe(ftr_rows *rows, const void *row)
{
    const figure_row *of = row;
    const ftr_total_row *total = of->total;
    const ftr_latency_bins *latency = &total->latency;
    const long double throughput =
        ftr_rate((long double)latency->count, total->span, of->time_scale);
    const long double bandwidth = ftr_rate((long double)total->bytes, total->span, of->time_scale);
    const unsigned programs = FTR_IN_CSV | FTR_IN_JSON;
    const bool is_member = rows->format == FTR_ROWS_JSON && of->part != NULL;
    if (is_member)
        put_json_value(&rows->json, of->part);
    ftr_row_string(rows, FTR_IN_CSV, "file", of->file);
    if (!is_member)
        put_name(rows, of);
    if (rows->format == FTR_ROWS_CSV)
        put_division(rows, of);
    ftr_row_int(rows, FTR_IN_CSV, "time_scale", of->time_scale);
    ftr_row_count(rows, FTR_IN_ALL, "count", bins_of(of)->count);
    put_rate(rows, of, FTR_IN_TEXT, "tx/s", throughput);
    put_rate(rows, of, programs, "throughput", throughput);
    put_rate(rows, of, of->has_bytes ? FTR_IN_TEXT : 0, "bytes/s", bandwidth);
    put_distribution(rows, of);
    put_count(rows, of, FTR_IN_ALL, "outstanding", total->outstanding);
    put_count(rows, of, FTR_IN_ALL, "errors", total->errors);
    put_count(rows, of, FTR_IN_ALL, "unfinished", total->unfinished);
    put_count(rows, of, programs, "bytes", total->bytes);
    put_rate(rows, of, programs, "bandwidth", bandwidth);
    put_count(rows, of, programs, "busy", (uint64_t)total->busy);
    put_count(rows, of, programs, "first", total->first);
    put_count(rows, of, programs, "last", total->last);
    if (rows->format == FTR_ROWS_TEXT)
        put_division(rows, of);
    if (!is_member)
        put_link(rows, of);
    put_shown_name(rows, of);
    if (rows->format != FTR_ROWS_JSON)
        return;
    if (of->columns->times)
        put_json_times(rows, of);
    if (of->columns->parts != NULL && of->part == NULL) {
        ftr_json_open(&rows->json, "parts", '[');
        for_each_part(rows, of, put_json_part);
        ftr_json_close(&rows->json, ']');
    }
    if (of->columns->slowest) {
        ftr_json_count(&rows->json, "runs", total->runs);
        put_slowest(&rows->json, total);
    }
}

static void put_titles(ftr_rows *rows, const ftr_figure_columns *columns, bool has_bytes)
{
    ftr_total_row none = {.name = ""};
    ftr_rows_put_titles(
        rows, describe,
        &(figure_row){.columns = columns, .file = "", .total = &none, .has_bytes = has_bytes});
}

void ftr_figures_print_csv_titles(ftr_printer *out, const ftr_figure_columns *columns)
{
    ftr_rows rows;
    ftr_rows_begin(&rows, FTR_ROWS_CSV, out);
    put_titles(&rows, columns, true);
}

/* Puts a row, and below it the rows of its attributes of type TIME. */
static void put_with_times(ftr_rows *rows, const figure_row *of)
{
    figure_row below = *of;
    ftr_rows_put(rows, describe, of);
    if (!of->columns->times || rows->format == FTR_ROWS_JSON)
        return;
    for (size_t i = 0; i < of->total->time_count; i++) {
        below.times = &of->total->times[i];
        ftr_rows_put(rows, describe, &below);
    }
}

bool ftr_figures_print(ftr_printer *out, ftr_row_format format, const ftr_figure_columns *columns,
                       const char *file, ftr_run_totals *totals)
{
    figure_row row = {.columns = columns,
                      .file = file,
                      .links = &totals->links,
                      .time_scale = totals->time_scale};
    ftr_rows rows;
    ftr_rows_begin(&rows, format, out);
    for (size_t i = 0; i < totals->row_count; i++)
        row.has_bytes |= totals->rows[i].bytes > 0;
    if (format == FTR_ROWS_TEXT)
        put_titles(&rows, columns, row.has_bytes);
    for (size_t i = 0; i < totals->row_count; i++) {
        row.total = &totals->rows[i];
        if (!ftr_total_row_has_transactions(row.total))
            continue;
        put_with_times(&rows, &row);
        if (columns->parts != NULL && format != FTR_ROWS_JSON)
            for_each_part(&rows, &row, put_with_times);
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
