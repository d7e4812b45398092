/* The text form of a report. */
#include "report_modes.h"

#include "command.h"
#include "rows.h"
#include "run_manifest.h"
#include "run_record.h"
#include "run_report.h"
#include "text_bars.h"
#include "trace_measure.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Budget in bytes. It is sufficient for the bins of all columns; single transactions are not
 * shown. */
#define TEXT_BUDGET ((size_t)1000000)
#define COLUMNS 48u
#define STREAMS_MAX 9u
#define GENERATORS_MAX 9u
#define FLOWS_MAX 6u
#define NAME_WIDTH 40u
#define HISTOGRAM_COLUMNS 24u
#define SHARE_WIDTH 24u

static void put_name(ftr_rows *rows, const char *title, ftr_view name)
{
    ftr_row_name(rows, title, name.data, name.size, NAME_WIDTH);
}

/* Puts STREAM.GENERATOR, or the label of a link and the generator. */
static void put_generator_name(ftr_rows *rows, const char *title, const ftr_link_names *links,
                               const ftr_stream_figures *stream,
                               const ftr_generator_figures *generator)
{
    const ftr_view name = {stream->name.bytes, stream->name.size};
    const ftr_view label = ftr_link_label(links, name);
    char *text;
    const int length = asprintf(&text, "%.*s%c%.*s", (int)label.size, label.data,
                                ftr_link_has_label(links, name) ? ' ' : '.',
                                (int)generator->name.size, generator->name.bytes);
    rows->failed |= length < 0;
    put_name(rows, title, length < 0 ? (ftr_view){"", 0} : (ftr_view){text, (size_t)length});
    if (length >= 0)
        free(text);
}

/* ---- the run --------------------------------------------------------------------------------- */

/* The number of losses is written when a recording is closed, at the end of the run or by a signal.
 * For a recording that was not closed, the number is not known. */
static void put_losses(char *text, size_t size, const ftr_run_record *run)
{
    const unsigned long long losses = run->losses;
    if (run->state <= FTR_RUN_KILLED)
        (void)snprintf(text, size, "%llu lost", losses);
    else if (losses > 0)
        (void)snprintf(text, size, "at least %llu lost", losses);
    else
        (void)snprintf(text, size, "losses unknown");
}

static void print_run(ftr_printer *out, ftr_run_report *report)
{
    const ftr_run_record *run = &report->run;
    const uint64_t passed_on = ftr_run_report_passed_on(report);
    static const char *const shown[] = {"program", "arguments", "host", "tags", "exit_status"};
    const ftr_run_figures figures = ftr_run_figures_of(run);
    char text[200];
    char losses[40];
    char passed[48] = "";
    char state[FTR_RUN_STATE_TEXT_SIZE];
    /* A single trace is shown as sound even if it does not state how its run ended. */
    const char *shown_state =
        run->state == FTR_RUN_NOT_TOLD ? "sound" : ftr_run_state_text(run, state);
    put_losses(losses, sizeof losses, run);
    ftr_print_plain(out, run->file.bytes, run->file.size);
    if (passed_on > 0)
        (void)snprintf(passed, sizeof passed, " (passed on %llu times)",
                       (unsigned long long)passed_on);
    (void)snprintf(text, sizeof text,
                   ": %s, %llu transactions, %llu errors%s, %llu unfinished, %s, until ",
                   shown_state, (unsigned long long)run->transactions,
                   (unsigned long long)(figures.errors - passed_on), passed,
                   (unsigned long long)figures.unfinished, losses);
    ftr_print_string(out, text);
    ftr_print_time(out, figures.last, run->time_scale);
    ftr_print_char(out, '\n');
    bool any = false;
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        const char *value = ftr_run_attribute_value(run, shown[i]);
        if (value == NULL || value[0] == '\0')
            continue;
        ftr_print_string(out, any ? "; " : "");
        ftr_print_string(out, shown[i]);
        ftr_print_char(out, ' ');
        ftr_print_plain(out, value, strlen(value) < 200 ? strlen(value) : 200);
        any = true;
    }
    ftr_print_string(out, any ? "\n\n" : "\n");
}

static void print_more(ftr_printer *out, size_t count, size_t shown, const char *noun)
{
    char text[64];
    if (count <= shown)
        return;
    (void)snprintf(text, sizeof text, "%zu more %s\n", count - shown, noun);
    ftr_print_string(out, text);
}

/* ---- streams --------------------------------------------------------------------------------- */

static int compare_streams(const void *a, const void *b)
{
    const ftr_report_stream *x = *(const ftr_report_stream *const *)a;
    const ftr_report_stream *y = *(const ftr_report_stream *const *)b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return (x > y) - (x < y);
}

/* Draws the number of transactions of a stream over time: one character for each of COLUMNS
 * intervals. @return number of bytes */
static size_t draw_bins(const ftr_stream_bins *stream, char *text)
{
    uint64_t counts[COLUMNS] = {0};
    uint64_t greatest = 0;
    const size_t count = stream->slots->count;
    const size_t each = (count + COLUMNS - 1) / COLUMNS;
    const size_t columns = (count + each - 1) / each;
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        counts[i / each] += stream->bins[i].count;
    counts[columns - 1] = counts[columns - 1] * each / (count - (columns - 1) * each);
    for (size_t i = 0; i < columns; i++)
        greatest = counts[i] > greatest ? counts[i] : greatest;
    for (size_t i = 0; i < columns; i++)
        size += ftr_bar_column(text + size, counts[i], greatest);
    return size;
}

typedef struct stream_row {
    const ftr_report_stream *stream;
    const ftr_link_names *links;
    uint64_t span; /* ticks of the run */
} stream_row;

static void describe_stream(ftr_rows *rows, const void *row)
{
    char bars[COLUMNS * FTR_BAR_BYTES];
    const stream_row *of = row;
    const ftr_report_stream *stream = of->stream;
    ftr_row_count(rows, FTR_IN_TEXT, "transactions", stream->count);
    ftr_row_share(rows, FTR_IN_TEXT, "busy", stream->activity.count.busy, of->span);
    ftr_row_text(rows, FTR_IN_TEXT, "over time", bars,
                 stream->bins.bins != NULL ? draw_bins(&stream->bins, bars) : 0);
    put_name(rows, "stream", ftr_link_label(of->links, stream->name));
}

static bool print_streams(ftr_printer *out, const ftr_run_report *report)
{
    const ftr_run_figures figures = ftr_run_figures_of(&report->run);
    const uint64_t first = report->bin_slots.first << report->bin_slots.shift;
    const ftr_report_stream **order =
        malloc((report->stream_count + 1) * sizeof(ftr_report_stream *));
    const uint64_t span = figures.last > first ? figures.last - first : 0;
    size_t count = 0;
    if (order == NULL)
        return false;
    for (size_t i = 0; i < report->stream_count; i++)
        if (report->streams[i].name.data != NULL)
            order[count++] = &report->streams[i];
    qsort(order, count, sizeof(ftr_report_stream *), compare_streams);
    ftr_rows rows;
    ftr_rows_begin(&rows, FTR_ROWS_TEXT, out);
    ftr_rows_put_titles(&rows, describe_stream,
                        &(stream_row){&(ftr_report_stream){.count = 0}, NULL, 0});
    for (size_t i = 0; i < count && i < STREAMS_MAX; i++)
        ftr_rows_put(&rows, describe_stream, &(stream_row){order[i], &report->links, span});
    free(order);
    const bool ok = ftr_rows_end(&rows);
    print_more(out, count, STREAMS_MAX, "streams");
    ftr_print_char(out, '\n');
    return ok;
}

/* ---- generators ------------------------------------------------------------------------------ */

typedef struct shown_generator {
    const ftr_stream_figures *stream;
    ftr_generator_figures *figures;
} shown_generator;

static int compare_generators(const void *a, const void *b)
{
    const shown_generator *x = a;
    const shown_generator *y = b;
    const ftr_wide first = x->figures->latency.sum + x->figures->cut;
    const ftr_wide second = y->figures->latency.sum + y->figures->cut;
    if (first != second)
        return first > second ? -1 : 1;
    /* the pointers show the order, because all streams are in one array, and all generators of a
     * stream are in another one */
    return x->stream != y->stream ? (x->stream > y->stream) - (x->stream < y->stream)
                                  : (x->figures > y->figures) - (x->figures < y->figures);
}

/* Draws a histogram of latencies on a logarithmic axis from @p least to @p greatest, the limits
 * for the whole run. @return number of bytes */
static size_t draw_histogram(ftr_latency_bins *latency, uint64_t least, uint64_t greatest,
                             char *text)
{
    uint64_t counts[HISTOGRAM_COLUMNS] = {0};
    uint64_t highest = 0;
    size_t size = 0;
    const double low = (double)least + 1, high = (double)greatest + 1;
    ftr_latency_bins_sort(latency);
    for (size_t i = 0; i < latency->used; i++) {
        const double value = (double)latency->bins[i].value + 1;
        const double part = high > low ? __builtin_log(value / low) / __builtin_log(high / low) : 0;
        const double column = part * HISTOGRAM_COLUMNS;
        counts[column < 0                        ? 0
               : column >= HISTOGRAM_COLUMNS - 1 ? HISTOGRAM_COLUMNS - 1
                                                 : (size_t)column] += latency->bins[i].count;
    }
    for (size_t i = 0; i < HISTOGRAM_COLUMNS; i++)
        highest = counts[i] > highest ? counts[i] : highest;
    for (size_t i = 0; i < HISTOGRAM_COLUMNS; i++)
        size += ftr_bar_column(text + size, counts[i], highest);
    return size;
}

static shown_generator *list_generators(ftr_run_record *run, size_t *count)
{
    size_t all = 0;
    for (size_t i = 0; i < run->stream_count; i++)
        all += run->streams[i].generator_count;
    shown_generator *order = malloc((all + 1) * sizeof *order);
    *count = 0;
    for (size_t i = 0; order != NULL && i < run->stream_count; i++)
        for (size_t k = 0; k < run->streams[i].generator_count; k++)
            if (ftr_generator_has_transactions(&run->streams[i].generators[k]))
                order[(*count)++] =
                    (shown_generator){&run->streams[i], &run->streams[i].generators[k]};
    if (order != NULL)
        qsort(order, *count, sizeof *order, compare_generators);
    return order;
}

typedef struct generator_row {
    shown_generator shown;
    const ftr_link_names *links;
    int time_scale;
    uint64_t least, greatest; /* latencies of the run */
} generator_row;

static void describe_generator(ftr_rows *rows, const void *row)
{
    char bars[HISTOGRAM_COLUMNS * FTR_BAR_BYTES];
    const generator_row *of = row;
    ftr_latency_bins *latency = &of->shown.figures->latency;
    ftr_row_count(rows, FTR_IN_TEXT, "count", latency->count);
    ftr_row_count(rows, FTR_IN_TEXT, "errors", of->shown.figures->errors);
    ftr_row_time(rows, FTR_IN_TEXT, "p50", ftr_latency_bins_percentile(latency, 50 * FTR_PERCENT),
                 of->time_scale);
    ftr_row_time(rows, FTR_IN_TEXT, "p99", ftr_latency_bins_percentile(latency, 99 * FTR_PERCENT),
                 of->time_scale);
    ftr_row_time(rows, FTR_IN_TEXT, "max", latency->greatest, of->time_scale);
    ftr_row_text(rows, FTR_IN_TEXT, "latency", bars,
                 draw_histogram(latency, of->least, of->greatest, bars));
    put_generator_name(rows, "generator", of->links, of->shown.stream, of->shown.figures);
}

static bool print_generators(ftr_printer *out, ftr_run_report *report)
{
    ftr_run_record *run = &report->run;
    size_t count;
    shown_generator *order = list_generators(run, &count);
    uint64_t least = UINT64_MAX, greatest = 0;
    if (order == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const ftr_latency_bins *latency = &order[i].figures->latency;
        least = latency->least < least ? latency->least : least;
        greatest = latency->greatest > greatest ? latency->greatest : greatest;
    }
    ftr_rows rows;
    ftr_rows_begin(&rows, FTR_ROWS_TEXT, out);
    for (size_t i = 0; i < count && i < GENERATORS_MAX; i++) {
        const generator_row row = {order[i], &report->links, run->time_scale, least, greatest};
        if (i == 0)
            ftr_rows_put_titles(&rows, describe_generator, &row);
        ftr_rows_put(&rows, describe_generator, &row);
    }
    free(order);
    const bool ok = ftr_rows_end(&rows);
    print_more(out, count, GENERATORS_MAX, "generators");
    return ok;
}

/* ---- where the time goes --------------------------------------------------------------------- */

static ftr_generator_figures *figures_of(const ftr_run_report *report, size_t generator,
                                         const ftr_stream_figures **stream)
{
    const ftr_report_generator *of = &report->generators[generator];
    const uint32_t at = ftr_manifest_find_stream(&report->run, report->streams[of->stream].name);
    *stream = &report->run.streams[at];
    for (size_t i = 0; i < (*stream)->generator_count; i++) {
        ftr_generator_figures *figures = &(*stream)->generators[i];
        if (figures->name.size == of->name.size &&
            memcmp(figures->name.bytes, of->name.data, of->name.size) == 0)
            return figures;
    }
    return NULL;
}

/* A part of the time of a generator: its own time, or the time of a descendant, in the target or in
 * a phase. */
typedef struct flow_part {
    const ftr_stream_figures *stream;
    const ftr_generator_figures *figures;
    const char *phase; /* "request", "response"; NULL: between these phases */
    ftr_wide ticks;
} flow_part;

/* A generator, and its greatest part. */
typedef struct flow_row {
    const ftr_link_names *links;
    const ftr_stream_figures *stream;
    const ftr_generator_figures *figures;
    ftr_wide total, own; /* ticks; own: outside of all children */
    flow_part greatest;
} flow_row;

/* Puts the place of a part: the target of a link, or the generator, and the phase. */
static void put_place(ftr_rows *rows, const flow_row *of)
{
    const flow_part *part = &of->greatest;
    const ftr_view stream = {part->stream->name.bytes, part->stream->name.size};
    const ftr_view target = ftr_link_target(of->links, stream);
    const bool is_own = part->figures == of->figures;
    char *text;
    const int length = asprintf(&text, "%.*s%s%.*s%s%s",
                                (int)(target.size > 0 ? target.size
                                      : is_own        ? 6
                                                      : stream.size),
                                target.size > 0 ? target.data
                                : is_own        ? "itself"
                                                : stream.data,
                                target.size > 0 || is_own ? "" : ".",
                                (int)(target.size > 0 || is_own ? 0 : part->figures->name.size),
                                part->figures->name.bytes, part->phase != NULL ? ": " : "",
                                part->phase != NULL ? part->phase : "");
    rows->failed |= length < 0;
    put_name(rows, "greatest part",
             length < 0 ? (ftr_view){"", 0} : (ftr_view){text, (size_t)length});
    if (length >= 0)
        free(text);
}

static void describe_flow(ftr_rows *rows, const void *row)
{
    char bar[SHARE_WIDTH * FTR_BAR_BYTES];
    const flow_row *of = row;
    put_generator_name(rows, "where the time goes", of->links, of->stream, of->figures);
    ftr_row_share(rows, FTR_IN_TEXT, "own time", of->own, of->total);
    ftr_row_text(rows, FTR_IN_TEXT, "", bar, ftr_bar_row(bar, of->own, of->total, SHARE_WIDTH));
    ftr_row_share(rows, FTR_IN_TEXT, "share", of->greatest.ticks, of->total);
    put_place(rows, of);
}

/* Compares the parts of a generator or of its descendant with the greatest one so far. */
static void offer_parts(flow_part *greatest, const ftr_stream_figures *stream,
                        const ftr_generator_figures *figures, ftr_wide ticks, ftr_wide request,
                        ftr_wide response)
{
    const flow_part parts[] = {{stream, figures, NULL, ticks - request - response},
                               {stream, figures, "request", request},
                               {stream, figures, "response", response}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (greatest->figures == NULL || parts[i].ticks > greatest->ticks)
            *greatest = parts[i];
}

/* Fills the row of a generator in the table "where the time goes": total time, own time, and
 * greatest part. @return false if the generator has no figures */
static bool make_flow(ftr_run_report *report, size_t generator, const ftr_child_time *time,
                      flow_row *row)
{
    *row = (flow_row){.links = &report->links};
    row->figures = figures_of(report, generator, &row->stream);
    if (row->figures == NULL)
        return false;
    row->own = row->total = row->figures->latency.sum + row->figures->cut;
    for (size_t i = 0; i < time->part_count; i++) {
        const ftr_child_part *part = &time->parts[i];
        const ftr_stream_figures *stream;
        const ftr_generator_figures *child = figures_of(report, part->generator, &stream);
        row->own -= part->ticks;
        if (child != NULL)
            offer_parts(&row->greatest, stream, child, part->ticks, part->request, part->response);
    }
    offer_parts(&row->greatest, row->stream, row->figures, row->own, time->own_request,
                time->own_response);
    return true;
}

static int compare_flows(const void *a, const void *b)
{
    const flow_row *x = a;
    const flow_row *y = b;
    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return x->stream != y->stream ? (x->stream > y->stream) - (x->stream < y->stream)
                                  : (x->figures > y->figures) - (x->figures < y->figures);
}

static bool print_flows(ftr_printer *out, ftr_run_report *report)
{
    flow_row *flows = malloc((report->generator_count + 1) * sizeof *flows);
    size_t count = 0;
    ftr_rows rows;
    if (flows == NULL)
        return false;
    for (size_t i = 0; i < report->generator_count; i++) {
        const ftr_child_time *time = ftr_family_walk_time(&report->walk, i);
        if (time != NULL)
            count += make_flow(report, i, time, &flows[count]);
    }
    qsort(flows, count, sizeof *flows, compare_flows);
    ftr_rows_begin(&rows, FTR_ROWS_TEXT, out);
    for (size_t i = 0; i < count && i < FLOWS_MAX; i++) {
        if (i == 0)
            ftr_rows_put_titles(&rows, describe_flow, &flows[i]);
        ftr_rows_put(&rows, describe_flow, &flows[i]);
    }
    free(flows);
    if (count > 0)
        ftr_print_char(out, '\n');
    const bool ok = ftr_rows_end(&rows);
    print_more(out, count, FLOWS_MAX, "generators");
    return ok;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool print_all(ftr_printer *out, ftr_run_report *report)
{
    print_run(out, report);
    if (report->run.transactions == 0)
        return true;
    return print_streams(out, report) && print_generators(out, report) && print_flows(out, report);
}

static int print_open(const ftr_report_arguments *arguments, ftr_input *input)
{
    static ftr_printer out;
    static ftr_run_report report;
    ftr_query query;
    if (!ftr_choice_query(&arguments->choice, input, &query))
        return FTR_EXIT_TROUBLE;
    const ftr_report_options options = {TEXT_BUDGET, input->path, &query, input->threads, NULL};
    const ftr_status status = ftr_run_report_make(&report, input->reader, &options);
    bool ok = ftr_input_check_end(input, status);
    if (status != FTR_ERR_MEMORY) {
        ftr_run_record_judge_file(&report.run, ftr_trace_state(input->reader, input->errors));
        ftr_printer_init(&out, STDOUT_FILENO);
        ok = print_all(&out, &report) && ok;
        ok &= ftr_stdout_finish(&out);
    }
    ftr_run_report_release(&report);
    if (!ok)
        return FTR_EXIT_TROUBLE;
    return input->errors > 0 ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}

int ftr_report_text(const ftr_report_arguments *arguments, const char *path)
{
    ftr_input input;
    if (!ftr_input_open(&input, path, &arguments->input))
        return FTR_EXIT_TROUBLE;
    const int status = print_open(arguments, &input);
    ftr_input_close(&input);
    return status;
}
