/* Prints the runs of a summary. */
#include "figure_table.h"

#include "command.h"
#include "run_inputs.h"
#include "run_totals.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A run in the table of runs. */
typedef struct run_row {
    size_t at;           /* number of the run in the index */
    long double longest; /* longest latency of the run in seconds */
    char *file;
} run_row;

/* ---- all runs -------------------------------------------------------------------------------- */

static bool add_to_totals(ftr_summary_index *index, size_t at, bool by_stream,
                          ftr_run_totals *totals)
{
    ftr_run_record run;
    if (!ftr_summary_read_run(index, at, &run))
        return false;
    const bool ok = ftr_figures_add_run(totals, &run, run.file.bytes, by_stream);
    ftr_run_record_release(&run);
    return ok;
}

/* ---- text ------------------------------------------------------------------------------------ */

static int compare_runs(const void *a, const void *b)
{
    const run_row *x = a;
    const run_row *y = b;
    if (x->longest != y->longest)
        return x->longest > y->longest ? -1 : 1;
    const int order = strcmp(x->file, y->file);
    return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

static void describe_run(ftr_rows *rows, const void *row)
{
    const ftr_run_record *run = row;
    const ftr_run_figures figures = ftr_run_figures_of(run);
    const char *exit_status = ftr_run_attribute_value(run, "exit_status");
    const char *tags = ftr_run_attribute_value(run, "tags");
    char state[FTR_RUN_STATE_TEXT_SIZE];
    ftr_row_time(rows, FTR_IN_TEXT, "longest", figures.longest, run->time_scale);
    ftr_row_time(rows, FTR_IN_TEXT, "end", figures.last, run->time_scale);
    ftr_row_count(rows, FTR_IN_TEXT, "count", run->transactions);
    ftr_row_count(rows, FTR_IN_TEXT, "errors", figures.errors);
    ftr_row_count(rows, FTR_IN_TEXT, "unfinished", figures.unfinished);
    ftr_row_count(rows, FTR_IN_TEXT, "losses", run->losses);
    ftr_row_figure(rows, FTR_IN_TEXT, "exit", exit_status != NULL ? exit_status : "-");
    ftr_row_string(rows, FTR_IN_TEXT, "state", ftr_run_state_text(run, state));
    ftr_row_string(rows, FTR_IN_TEXT, "tags", tags != NULL ? tags : "-");
    ftr_row_text(rows, FTR_IN_TEXT, "run", run->file.bytes, run->file.size);
}

static bool print_runs(ftr_printer *out, ftr_summary_index *index, const run_row *order,
                       size_t count, size_t top)
{
    ftr_rows rows;
    ftr_rows_begin(&rows, FTR_ROWS_TEXT, out);
    ftr_rows_put_titles(&rows, describe_run, &(ftr_run_record){0});
    bool ok = true;
    for (size_t i = 0; ok && i < count && (top == 0 || i < top); i++) {
        ftr_run_record run;
        ok = ftr_summary_read_run(index, order[i].at, &run);
        if (ok) {
            ftr_rows_put(&rows, describe_run, &run);
            ftr_run_record_release(&run);
        }
    }
    ok &= ftr_rows_end(&rows);
    if (ok && top > 0 && count > top) {
        ftr_print_string(out, "and ");
        ftr_print_uint(out, count - top);
        ftr_print_string(out, " more runs; --top 0 lists them all\n");
    }
    return ok;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_text(ftr_json *json, const char *name, const ftr_figure_text *text)
{
    ftr_json_text(json, name, text->bytes, text->size);
}

static void put_series(ftr_json *json, const ftr_time_series *series, bool only_busy)
{
    static const char *const names[FTR_SERIES_COLUMNS] = {[FTR_SERIES_BUSY] = "busy",
                                                          [FTR_SERIES_TRANSACTIONS] =
                                                              "transactions",
                                                          [FTR_SERIES_BYTES] = "bytes",
                                                          [FTR_SERIES_LATENCY_SUM] = "latency_sum",
                                                          [FTR_SERIES_LATENCY_MAX] = "latency_max"};
    ftr_json_open(json, "series", '{');
    ftr_json_count(json, "first_slot", series->first);
    for (size_t column = 0; column < (only_busy ? 1 : FTR_SERIES_COLUMNS); column++) {
        ftr_json_open(json, names[column], '[');
        for (unsigned i = 0; i < series->count; i++)
            ftr_json_count(json, NULL, ftr_series_cells(series, i)[column]);
        ftr_json_close(json, ']');
    }
    ftr_json_close(json, '}');
}

static void put_latencies(ftr_json *json, const ftr_latency_bins *bins)
{
    ftr_json_bool(json, "latencies_exact", !bins->rounded);
    ftr_json_open(json, "latencies", '[');
    for (size_t i = 0; i < bins->used; i++) {
        const uint64_t bin[] = {bins->bins[i].value, bins->bins[i].count};
        ftr_json_counts(json, NULL, bin, 2);
    }
    ftr_json_close(json, ']');
}

/* Writes the distributions of the attributes of type TIME, if there are any. */
static void put_times(ftr_json *json, const ftr_generator_figures *generator)
{
    if (generator->time_count == 0)
        return;
    ftr_json_open(json, "times", '{');
    for (unsigned i = 0; i < generator->time_count; i++) {
        const ftr_named_times *times = &generator->times[i];
        ftr_json_name(json, times->name.bytes, times->name.size);
        ftr_json_open_value(json, '{');
        ftr_json_count(json, "count", times->bins.count);
        ftr_json_count(json, "min", times->bins.least);
        ftr_json_count(json, "max", times->bins.greatest);
        put_latencies(json, &times->bins);
        ftr_json_close(json, '}');
    }
    ftr_json_close(json, '}');
}

static void put_generator(ftr_json *json, const ftr_generator_figures *generator)
{
    ftr_json_open(json, NULL, '{');
    put_text(json, "generator", &generator->name);
    ftr_json_count(json, "count", generator->latency.count);
    ftr_json_count(json, "errors", generator->errors);
    ftr_json_count(json, "unfinished", generator->unfinished);
    ftr_json_count(json, "bytes", generator->bytes);
    ftr_json_count(json, "first", generator->first);
    ftr_json_count(json, "last", generator->last);
    ftr_json_count(json, "busy", generator->busy);
    ftr_json_count(json, "outstanding", generator->outstanding);
    ftr_json_count(json, "min", generator->latency.least);
    ftr_json_count(json, "max", generator->latency.greatest);
    ftr_json_count(json, "mean", ftr_latency_bins_mean(&generator->latency));
    put_latencies(json, &generator->latency);
    ftr_json_open(json, "slowest", '[');
    for (unsigned i = 0; i < generator->slowest.count; i++)
        ftr_figures_put_slow_tx(json, &generator->slowest.of[i], NULL);
    ftr_json_close(json, ']');
    put_times(json, generator);
    put_series(json, &generator->series, false);
    ftr_json_close(json, '}');
}

static void put_stream(ftr_json *json, const ftr_stream_figures *stream)
{
    ftr_json_open(json, NULL, '{');
    put_text(json, "stream", &stream->name);
    put_text(json, "kind", &stream->kind);
    ftr_json_count(json, "busy", stream->busy);
    ftr_json_count(json, "outstanding", stream->outstanding);
    put_series(json, &stream->series, true);
    ftr_json_open(json, "generators", '[');
    for (size_t i = 0; i < stream->generator_count; i++)
        put_generator(json, &stream->generators[i]);
    ftr_json_close(json, ']');
    ftr_json_close(json, '}');
}

static void put_identity(ftr_json *json, const ftr_run_record *run)
{
    static const char digits[] = "0123456789abcdef";
    char text[2 * FTR_RUN_IDENTITY_SIZE];
    for (unsigned i = 0; i < sizeof text; i++)
        text[i] = digits[run->identity[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15];
    ftr_json_text(json, "run", text, sizeof text);
}

static void print_json_run(ftr_printer *out, const ftr_run_record *run)
{
    ftr_json json = {.out = out};
    ftr_json_open(&json, NULL, '{');
    put_identity(&json, run);
    put_text(&json, "file", &run->file);
    ftr_json_string(&json, "state", ftr_run_state_name(run->state));
    if (run->signal > 0)
        ftr_json_count(&json, "signal", run->signal);
    put_text(&json, "test", &run->test);
    if (run->places.journal.size > 0)
        put_text(&json, "journal", &run->places.journal);
    if (run->places.trace.size > 0)
        put_text(&json, "trace", &run->places.trace);
    if (run->problem.size > 0)
        put_text(&json, "problem", &run->problem);
    ftr_json_int(&json, "time_scale", run->time_scale);
    ftr_json_count(&json, "count", run->transactions);
    ftr_json_count(&json, "losses", run->losses);
    ftr_json_count(&json, "slot_ticks", UINT64_C(1) << run->slot_shift);
    ftr_json_open(&json, "info", '{');
    for (size_t i = 0; i < run->attribute_count; i++) {
        const ftr_run_attribute *attribute = &run->attributes[i];
        ftr_json_name(&json, attribute->name.bytes, attribute->name.size);
        ftr_print_json(out, attribute->value.bytes, attribute->value.size);
    }
    ftr_json_close(&json, '}');
    ftr_json_open(&json, "streams", '[');
    for (size_t i = 0; i < run->stream_count; i++)
        put_stream(&json, &run->streams[i]);
    ftr_json_close(&json, ']');
    ftr_json_end_line(&json);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool print_csv_run(ftr_printer *out, const ftr_summary_view *view, const ftr_run_record *run)
{
    ftr_run_totals totals = {.time_scale = run->time_scale};
    bool ok = ftr_run_totals_add(&totals, run, view->columns.by_stream) == FTR_OK;
    ftr_run_totals_settle(&totals);
    ok = ok && ftr_figures_print(out, FTR_ROWS_CSV, &view->columns, run->file.bytes, &totals);
    ftr_run_totals_release(&totals);
    return ok;
}

/* Reads every run once. Finds the finest time scale and fills the table of runs. In formats that
 * have a row or an object for each run, prints these rows or objects. */
static bool first_pass(ftr_printer *out, ftr_summary_index *index, size_t count,
                       const ftr_summary_view *view, run_row *rows, int *scale)
{
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        ftr_run_record run;
        if (!ftr_summary_read_run(index, i, &run))
            return false;
        if (run.state < FTR_RUN_UNREADABLE && run.time_scale < *scale)
            *scale = run.time_scale;
        rows[i].at = i;
        rows[i].longest = (long double)ftr_run_figures_of(&run).longest * powl(10, run.time_scale);
        rows[i].file = strdup(run.file.bytes);
        ok = rows[i].file != NULL;
        if (view->format == FTR_ROWS_JSON)
            print_json_run(out, &run);
        else if (view->format == FTR_ROWS_CSV)
            ok = ok && print_csv_run(out, view, &run);
        ftr_run_record_release(&run);
    }
    return ok;
}

static bool print_together(ftr_printer *out, ftr_summary_index *index, size_t count,
                           const ftr_summary_view *view, int scale)
{
    ftr_run_totals totals = {.time_scale = scale};
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++)
        ok = add_to_totals(index, i, view->columns.by_stream, &totals);
    ftr_run_totals_settle(&totals);
    if (ok && view->format == FTR_ROWS_JSON) {
        ftr_json json = {.out = out};
        ftr_json_open(&json, NULL, '{');
        ftr_json_count(&json, "runs", count);
        ftr_figures_put_json(&json, &view->columns, &totals);
        ftr_json_end_line(&json);
    } else if (ok) {
        if (view->format == FTR_ROWS_TEXT) {
            ftr_print_string(out, "\nall ");
            ftr_print_uint(out, count);
            ftr_print_string(out, count == 1 ? " run\n" : " runs\n");
        }
        ok = ftr_figures_print(out, view->format, &view->columns, "together", &totals);
    }
    ftr_run_totals_release(&totals);
    return ok;
}

bool ftr_summary_print(ftr_summary_index *index, size_t count, const ftr_summary_view *view)
{
    static ftr_printer out;
    int scale = FTR_COARSEST_SCALE;
    run_row *rows = calloc(count + 1, sizeof *rows);
    if (rows == NULL) {
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
        return false;
    }
    ftr_printer_init(&out, STDOUT_FILENO);
    out.for_spreadsheet = view->for_spreadsheet;
    if (view->format == FTR_ROWS_CSV)
        ftr_figures_print_csv_titles(&out, &view->columns);
    bool ok = first_pass(&out, index, count, view, rows, &scale);
    if (ok && view->format == FTR_ROWS_TEXT) {
        qsort(rows, count, sizeof *rows, compare_runs);
        ok = print_runs(&out, index, rows, count, view->top);
    }
    ok = ok && print_together(&out, index, count, view, scale);
    for (size_t i = 0; i < count; i++)
        free(rows[i].file);
    free(rows);
    if (!ftr_stdout_finish(&out))
        return false;
    return ok;
}
