/* Owns the presentation of the figures of generators. Does not compute figures. */
#include "figure_table.h"

#include "aligned_table.h"

#include <stdio.h>
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

/* ---- text ------------------------------------------------------------------------------------ */

static void put_string(ftr_aligned_table *table, const char *text)
{
    ftr_aligned_table_put(table, text, strlen(text));
}

static void put_titles(ftr_aligned_table *table, const uint32_t *percentiles, unsigned count,
                       bool has_bytes, bool by_stream)
{
    char name[FTR_METRIC_NAME_SIZE];
    put_string(table, "count");
    put_string(table, "tx/s");
    if (has_bytes)
        put_string(table, "bytes/s");
    put_string(table, "min");
    put_string(table, "mean");
    for (unsigned i = 0; i < count; i++)
        put_string(table, percentile_name(percentiles[i], name));
    put_string(table, "max");
    put_string(table, "outstanding");
    put_string(table, "errors");
    put_string(table, "unfinished");
    table->is_text[table->columns - 1] = true;
    put_string(table, by_stream ? "stream" : "generator");
}

bool ftr_figures_print_text(ftr_printer *out, const ftr_figure_columns *columns,
                            ftr_run_totals *totals)
{
    unsigned count;
    const uint32_t *percentiles = percentiles_of(columns, &count);
    bool has_bytes = false;
    for (size_t i = 0; i < totals->row_count; i++)
        has_bytes |= totals->rows[i].bytes > 0;
    const int scale = totals->time_scale;
    ftr_aligned_table table;
    ftr_aligned_table_init(&table, 9 + has_bytes + count);
    put_titles(&table, percentiles, count, has_bytes, columns->by_stream);
    for (size_t i = 0; i < totals->row_count; i++) {
        ftr_total_row *row = &totals->rows[i];
        if (row->latency.count == 0)
            continue;
        ftr_aligned_table_put_uint(&table, row->latency.count);
        ftr_aligned_table_put_rate(&table,
                                   ftr_rate((long double)row->latency.count, row->span, scale));
        if (has_bytes)
            ftr_aligned_table_put_rate(&table, ftr_rate((long double)row->bytes, row->span, scale));
        ftr_aligned_table_put_time(&table, row->latency.least, scale);
        ftr_aligned_table_put_time(&table, ftr_latency_bins_mean(&row->latency), scale);
        for (unsigned k = 0; k < count; k++)
            ftr_aligned_table_put_time(
                &table, ftr_latency_bins_percentile(&row->latency, percentiles[k]), scale);
        ftr_aligned_table_put_time(&table, row->latency.greatest, scale);
        ftr_aligned_table_put_uint(&table, row->outstanding);
        ftr_aligned_table_put_uint(&table, row->errors);
        ftr_aligned_table_put_uint(&table, row->unfinished);
        ftr_aligned_table_put(&table, row->name, row->name_size);
    }
    return ftr_aligned_table_print(&table, out);
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static void print_rate(ftr_printer *out, long double rate)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%.6Lg", rate);
    ftr_print_string(out, text);
}

void ftr_figures_print_csv_titles(ftr_printer *out, const ftr_figure_columns *columns)
{
    unsigned count;
    char name[FTR_METRIC_NAME_SIZE];
    const uint32_t *percentiles = percentiles_of(columns, &count);
    ftr_print_string(out, "file,stream,generator,time_scale,count,throughput,min,mean");
    for (unsigned i = 0; i < count; i++) {
        ftr_print_char(out, ',');
        ftr_print_string(out, percentile_name(percentiles[i], name));
    }
    ftr_print_string(out, ",max,outstanding,errors,unfinished,bytes,bandwidth,busy,first,last\n");
}

static void print_csv_row(ftr_printer *out, const uint32_t *percentiles, unsigned count,
                          ftr_total_row *row, int scale)
{
    ftr_print_char(out, ',');
    ftr_print_int(out, scale);
    ftr_print_char(out, ',');
    ftr_print_uint(out, row->latency.count);
    ftr_print_char(out, ',');
    print_rate(out, ftr_rate((long double)row->latency.count, row->span, scale));
    ftr_print_char(out, ',');
    ftr_print_uint(out, row->latency.least);
    ftr_print_char(out, ',');
    ftr_print_uint(out, ftr_latency_bins_mean(&row->latency));
    for (unsigned i = 0; i < count; i++) {
        ftr_print_char(out, ',');
        ftr_print_uint(out, ftr_latency_bins_percentile(&row->latency, percentiles[i]));
    }
    const uint64_t values[] = {row->latency.greatest, row->outstanding, row->errors,
                               row->unfinished, row->bytes};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        ftr_print_char(out, ',');
        ftr_print_uint(out, values[i]);
    }
    ftr_print_char(out, ',');
    print_rate(out, ftr_rate((long double)row->bytes, row->span, scale));
    const uint64_t times[] = {(uint64_t)row->busy, row->first, row->last};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        ftr_print_char(out, ',');
        ftr_print_uint(out, times[i]);
    }
    ftr_print_char(out, '\n');
}

/* Returns the offset of the generator's name in the name of a row, which is STREAM.GENERATOR or, if
 * rows are streams, STREAM. */
static size_t generator_start(const ftr_total_row *row)
{
    return row->name_size > row->stream_size ? row->stream_size + 1 : row->stream_size;
}

void ftr_figures_print_csv(ftr_printer *out, const ftr_figure_columns *columns, const char *file,
                           ftr_run_totals *totals)
{
    unsigned count;
    const uint32_t *percentiles = percentiles_of(columns, &count);
    for (size_t i = 0; i < totals->row_count; i++) {
        ftr_total_row *row = &totals->rows[i];
        if (row->latency.count == 0)
            continue;
        const size_t start = generator_start(row);
        ftr_print_csv_field(out, file, strlen(file));
        ftr_print_char(out, ',');
        ftr_print_csv_field(out, row->name, row->stream_size);
        ftr_print_char(out, ',');
        ftr_print_csv_field(out, row->name + start, row->name_size - start);
        print_csv_row(out, percentiles, count, row, totals->time_scale);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

void ftr_print_json_member(ftr_printer *out, const char *name, uint64_t value)
{
    ftr_print_string(out, ", \"");
    ftr_print_string(out, name);
    ftr_print_string(out, "\": ");
    ftr_print_uint(out, value);
}

static void print_json_slowest(ftr_printer *out, const ftr_total_row *row)
{
    ftr_print_string(out, ", \"slowest\": [");
    for (unsigned i = 0; i < row->slow_count; i++) {
        ftr_print_string(out, i > 0 ? ", {\"id\": " : "{\"id\": ");
        ftr_print_uint(out, row->slowest[i].tx.id);
        ftr_print_json_member(out, "begin", row->slowest[i].tx.begin);
        ftr_print_json_member(out, "latency", row->slowest[i].tx.latency);
        ftr_print_string(out, ", \"file\": ");
        ftr_print_json(out, row->slowest[i].file, strlen(row->slowest[i].file));
        ftr_print_char(out, '}');
    }
    ftr_print_char(out, ']');
}

static void print_json_row(ftr_printer *out, const ftr_figure_columns *columns, ftr_total_row *row,
                           int scale)
{
    unsigned count;
    const uint32_t *percentiles = percentiles_of(columns, &count);
    char name[FTR_METRIC_NAME_SIZE];
    const size_t start = generator_start(row);
    ftr_print_string(out, "{\"stream\": ");
    ftr_print_json(out, row->name, row->stream_size);
    if (start < row->name_size) {
        ftr_print_string(out, ", \"generator\": ");
        ftr_print_json(out, row->name + start, row->name_size - start);
    }
    ftr_print_json_member(out, "count", row->latency.count);
    ftr_print_string(out, ", \"throughput\": ");
    print_rate(out, ftr_rate((long double)row->latency.count, row->span, scale));
    ftr_print_json_member(out, "min", row->latency.least);
    ftr_print_json_member(out, "mean", ftr_latency_bins_mean(&row->latency));
    for (unsigned i = 0; i < count; i++)
        ftr_print_json_member(out, percentile_name(percentiles[i], name),
                              ftr_latency_bins_percentile(&row->latency, percentiles[i]));
    ftr_print_json_member(out, "max", row->latency.greatest);
    ftr_print_json_member(out, "outstanding", row->outstanding);
    ftr_print_json_member(out, "errors", row->errors);
    ftr_print_json_member(out, "unfinished", row->unfinished);
    ftr_print_json_member(out, "bytes", row->bytes);
    ftr_print_string(out, ", \"bandwidth\": ");
    print_rate(out, ftr_rate((long double)row->bytes, row->span, scale));
    ftr_print_json_member(out, "busy", (uint64_t)row->busy);
    ftr_print_json_member(out, "first", row->first);
    ftr_print_json_member(out, "last", row->last);
    if (columns->slowest) {
        ftr_print_json_member(out, "runs", row->runs);
        print_json_slowest(out, row);
    }
    ftr_print_char(out, '}');
}

void ftr_figures_print_json(ftr_printer *out, const ftr_figure_columns *columns,
                            ftr_run_totals *totals)
{
    bool is_first = true;
    ftr_print_char(out, '[');
    for (size_t i = 0; i < totals->row_count; i++) {
        if (totals->rows[i].latency.count == 0)
            continue;
        ftr_print_string(out, is_first ? "" : ", ");
        is_first = false;
        print_json_row(out, columns, &totals->rows[i], totals->time_scale);
    }
    ftr_print_char(out, ']');
}
