/* Owns the presentation of the runs of a summary. */
#include "summary_view.h"

#include "command.h"
#include "run_totals.h"
#include "aligned_table.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COARSEST_SCALE 127

/* A run in the table of runs. */
typedef struct run_row {
    size_t at;           /* number of the run in the index */
    long double longest; /* longest latency of the run in seconds */
    char *file;
} run_row;

bool ftr_summary_read_run(ftr_summary_index *index, size_t at, ftr_run_record *run)
{
    const char *path = "the summary";
    uint64_t offset = 0;
    errno = 0;
    const ftr_status status = ftr_summary_index_read(index, at, run, &path, &offset);
    if (status == FTR_ERR_IO)
        ftr_print_error("%s: %s", path, strerror(errno));
    else if (status == FTR_ERR_FORMAT)
        ftr_print_error("%s: byte %" PRIu64 ": the record of a run is damaged", path, offset);
    else if (status != FTR_OK)
        ftr_print_error("%s: %s", path, ftr_status_text(status));
    return status == FTR_OK;
}

/* ---- all runs -------------------------------------------------------------------------------- */

static bool add_to_totals(ftr_summary_index *index, size_t at, bool by_stream,
                          ftr_run_totals *totals)
{
    ftr_run_record run;
    if (!ftr_summary_read_run(index, at, &run))
        return false;
    const ftr_status status = ftr_run_totals_add(totals, &run, by_stream);
    if (status != FTR_OK)
        ftr_print_error("%s: %s", run.file.bytes,
                        status == FTR_ERR_LIMIT
                            ? "its time scale differs too much from the other files"
                            : ftr_status_text(status));
    ftr_run_record_release(&run);
    return status == FTR_OK;
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

static void put_string(ftr_aligned_table *table, const char *text)
{
    ftr_aligned_table_put(table, text, strlen(text));
}

static void put_run(ftr_aligned_table *table, const ftr_run_record *run)
{
    const ftr_run_figures figures = ftr_run_figures_of(run);
    const char *exit_status = ftr_run_attribute_value(run, "exit_status");
    const char *tags = ftr_run_attribute_value(run, "tags");
    ftr_aligned_table_put_time(table, figures.longest, run->time_scale);
    ftr_aligned_table_put_time(table, figures.last, run->time_scale);
    ftr_aligned_table_put_uint(table, run->transactions);
    ftr_aligned_table_put_uint(table, figures.errors);
    ftr_aligned_table_put_uint(table, figures.unfinished);
    ftr_aligned_table_put_uint(table, run->losses);
    put_string(table, exit_status != NULL ? exit_status : "-");
    put_string(table, ftr_run_state_name(run->state));
    put_string(table, tags != NULL ? tags : "-");
    put_string(table, run->file.bytes);
}

static bool print_runs(ftr_printer *out, ftr_summary_index *index, const run_row *rows,
                       size_t count, size_t top)
{
    static const char *const titles[] = {"longest", "end",  "count", "errors", "unfinished",
                                         "losses",  "exit", "state", "tags",   "run"};
    const unsigned columns = sizeof titles / sizeof titles[0];
    ftr_aligned_table table;
    ftr_aligned_table_init(&table, columns);
    for (unsigned i = 0; i < columns; i++)
        put_string(&table, titles[i]);
    for (unsigned i = columns - 3; i < columns; i++)
        table.is_text[i] = true;
    bool ok = true;
    for (size_t i = 0; ok && i < count && (top == 0 || i < top); i++) {
        ftr_run_record run;
        ok = ftr_summary_read_run(index, rows[i].at, &run);
        if (ok) {
            put_run(&table, &run);
            ftr_run_record_release(&run);
        }
    }
    ok &= ftr_aligned_table_print(&table, out);
    if (ok && top > 0 && count > top) {
        ftr_print_string(out, "and ");
        ftr_print_uint(out, count - top);
        ftr_print_string(out, " more runs; --top 0 lists them all\n");
    }
    return ok;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void print_text_member(ftr_printer *out, const char *name, const ftr_figure_text *text)
{
    ftr_print_string(out, ", \"");
    ftr_print_string(out, name);
    ftr_print_string(out, "\": ");
    ftr_print_json(out, text->bytes, text->size);
}

#define PRINT_COLUMN(out, series, column)                    \
    do {                                                     \
        ftr_print_string(out, ", \"" #column "\": [");       \
        for (unsigned i_ = 0; i_ < (series)->count; i_++) {  \
            ftr_print_string(out, i_ > 0 ? ", " : "");       \
            ftr_print_uint(out, (series)->slots[i_].column); \
        }                                                    \
        ftr_print_char(out, ']');                            \
    } while (0)

static void print_series(ftr_printer *out, const ftr_time_series *series, bool only_busy)
{
    ftr_print_string(out, ", \"series\": {\"first_slot\": ");
    ftr_print_uint(out, series->first);
    PRINT_COLUMN(out, series, busy);
    if (!only_busy) {
        PRINT_COLUMN(out, series, transactions);
        PRINT_COLUMN(out, series, bytes);
        PRINT_COLUMN(out, series, latency_sum);
        PRINT_COLUMN(out, series, latency_max);
    }
    ftr_print_char(out, '}');
}

static void print_latencies(ftr_printer *out, const ftr_latency_bins *bins)
{
    ftr_print_string(out, bins->rounded ? ", \"latencies_exact\": false, \"latencies\": ["
                                        : ", \"latencies_exact\": true, \"latencies\": [");
    for (size_t i = 0; i < bins->used; i++) {
        ftr_print_string(out, i > 0 ? ", [" : "[");
        ftr_print_uint(out, bins->bins[i].value);
        ftr_print_string(out, ", ");
        ftr_print_uint(out, bins->bins[i].count);
        ftr_print_char(out, ']');
    }
    ftr_print_char(out, ']');
}

static void print_slowest(ftr_printer *out, const ftr_slowest *slowest)
{
    ftr_print_string(out, ", \"slowest\": [");
    for (unsigned i = 0; i < slowest->count; i++) {
        ftr_print_string(out, i > 0 ? ", {\"id\": " : "{\"id\": ");
        ftr_print_uint(out, slowest->of[i].id);
        ftr_print_json_member(out, "begin", slowest->of[i].begin);
        ftr_print_json_member(out, "latency", slowest->of[i].latency);
        ftr_print_char(out, '}');
    }
    ftr_print_char(out, ']');
}

static void print_generator(ftr_printer *out, const ftr_generator_figures *generator)
{
    ftr_print_string(out, "{\"generator\": ");
    ftr_print_json(out, generator->name.bytes, generator->name.size);
    ftr_print_json_member(out, "count", generator->latency.count);
    ftr_print_json_member(out, "errors", generator->errors);
    ftr_print_json_member(out, "unfinished", generator->unfinished);
    ftr_print_json_member(out, "bytes", generator->bytes);
    ftr_print_json_member(out, "first", generator->first);
    ftr_print_json_member(out, "last", generator->last);
    ftr_print_json_member(out, "busy", generator->busy);
    ftr_print_json_member(out, "outstanding", generator->outstanding);
    ftr_print_json_member(out, "min", generator->latency.least);
    ftr_print_json_member(out, "max", generator->latency.greatest);
    ftr_print_json_member(out, "mean", ftr_latency_bins_mean(&generator->latency));
    print_latencies(out, &generator->latency);
    print_slowest(out, &generator->slowest);
    print_series(out, &generator->series, false);
    ftr_print_char(out, '}');
}

static void print_stream(ftr_printer *out, const ftr_stream_figures *stream)
{
    ftr_print_string(out, "{\"stream\": ");
    ftr_print_json(out, stream->name.bytes, stream->name.size);
    print_text_member(out, "kind", &stream->kind);
    ftr_print_json_member(out, "busy", stream->busy);
    ftr_print_json_member(out, "outstanding", stream->outstanding);
    print_series(out, &stream->series, true);
    ftr_print_string(out, ", \"generators\": [");
    for (size_t i = 0; i < stream->generator_count; i++) {
        ftr_print_string(out, i > 0 ? ", " : "");
        print_generator(out, &stream->generators[i]);
    }
    ftr_print_string(out, "]}");
}

static void print_json_run(ftr_printer *out, const ftr_run_record *run)
{
    static const char digits[] = "0123456789abcdef";
    ftr_print_string(out, "{\"run\": \"");
    for (unsigned i = 0; i < FTR_RUN_IDENTITY_SIZE; i++) {
        ftr_print_char(out, digits[run->identity[i] >> 4]);
        ftr_print_char(out, digits[run->identity[i] & 15]);
    }
    ftr_print_char(out, '"');
    print_text_member(out, "file", &run->file);
    ftr_print_string(out, ", \"state\": \"");
    ftr_print_string(out, ftr_run_state_name(run->state));
    ftr_print_char(out, '"');
    if (run->problem.size > 0)
        print_text_member(out, "problem", &run->problem);
    ftr_print_string(out, ", \"time_scale\": ");
    ftr_print_int(out, run->time_scale);
    ftr_print_json_member(out, "count", run->transactions);
    ftr_print_json_member(out, "losses", run->losses);
    ftr_print_json_member(out, "slot_ticks", UINT64_C(1) << run->slot_shift);
    ftr_print_string(out, ", \"info\": {");
    for (size_t i = 0; i < run->attribute_count; i++) {
        ftr_print_string(out, i > 0 ? ", " : "");
        ftr_print_json(out, run->attributes[i].name.bytes, run->attributes[i].name.size);
        ftr_print_string(out, ": ");
        ftr_print_json(out, run->attributes[i].value.bytes, run->attributes[i].value.size);
    }
    ftr_print_string(out, "}, \"streams\": [");
    for (size_t i = 0; i < run->stream_count; i++) {
        ftr_print_string(out, i > 0 ? ", " : "");
        print_stream(out, &run->streams[i]);
    }
    ftr_print_string(out, "]}\n");
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool print_csv_run(ftr_printer *out, const ftr_summary_view *view, const ftr_run_record *run)
{
    ftr_run_totals totals = {.time_scale = run->time_scale};
    const bool ok = ftr_run_totals_add(&totals, run, view->columns.by_stream) == FTR_OK;
    ftr_run_totals_settle(&totals);
    if (ok)
        ftr_figures_print_csv(out, &view->columns, run->file.bytes, &totals);
    ftr_run_totals_release(&totals);
    return ok;
}

/* Reads every run once. Finds the finest time scale and fills the table of runs. In formats with a
 * row or an object for each run, prints it. */
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
        if (view->format == FTR_FIGURES_JSON)
            print_json_run(out, &run);
        else if (view->format == FTR_FIGURES_CSV)
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
    if (ok && view->format == FTR_FIGURES_CSV) {
        ftr_figures_print_csv(out, &view->columns, "together", &totals);
    } else if (ok && view->format == FTR_FIGURES_JSON) {
        ftr_print_string(out, "{\"runs\": ");
        ftr_print_uint(out, count);
        ftr_print_string(out, ", \"time_scale\": ");
        ftr_print_int(out, scale);
        ftr_print_string(out, view->columns.by_stream ? ", \"streams\": " : ", \"generators\": ");
        ftr_figures_print_json(out, &view->columns, &totals);
        ftr_print_string(out, "}\n");
    } else if (ok) {
        ftr_print_string(out, "\nall ");
        ftr_print_uint(out, count);
        ftr_print_string(out, count == 1 ? " run\n" : " runs\n");
        ok = ftr_figures_print_text(out, &view->columns, &totals);
    }
    ftr_run_totals_release(&totals);
    return ok;
}

bool ftr_summary_print(ftr_summary_index *index, size_t count, const ftr_summary_view *view)
{
    static ftr_printer out;
    int scale = COARSEST_SCALE;
    run_row *rows = calloc(count + 1, sizeof *rows);
    if (rows == NULL) {
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
        return false;
    }
    ftr_printer_init(&out, STDOUT_FILENO);
    if (view->format == FTR_FIGURES_CSV)
        ftr_figures_print_csv_titles(&out, &view->columns);
    bool ok = first_pass(&out, index, count, view, rows, &scale);
    if (ok && view->format == FTR_FIGURES_TEXT) {
        qsort(rows, count, sizeof *rows, compare_runs);
        ok = print_runs(&out, index, rows, count, view->top);
    }
    ok = ok && print_together(&out, index, count, view, scale);
    for (size_t i = 0; i < count; i++)
        free(rows[i].file);
    free(rows);
    if (!ftr_printer_flush(&out)) {
        ftr_print_error("stdout could not be written");
        return false;
    }
    return ok;
}
