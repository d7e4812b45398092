/* Collects the figures of a night. */
#include "history_night.h"

#include "growing_array.h"
#include "stream_name_rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- values ---------------------------------------------------------------------------------- */

uint64_t ftr_least_count(ftr_figure_metric metric)
{
    const uint32_t whole = 100 * FTR_PERCENT;
    if (metric.kind != FTR_METRIC_PERCENTILE)
        return ftr_figure_metric_is_time(metric) ? 1 : 0;
    const uint32_t above = whole - metric.percent;
    const uint32_t rarer = above < metric.percent ? above : metric.percent;
    return rarer > 0 ? (whole + rarer - 1) / rarer : 1;
}

double ftr_simulated_time(const ftr_run_record *run)
{
    return (double)((long double)ftr_run_figures_of(run).last * powl(10, run->time_scale));
}

double ftr_run_value(ftr_figure_metric metric, ftr_total_row *row, int time_scale)
{
    const bool is_time = ftr_figure_metric_is_time(metric);
    if (!ftr_figure_metric_is_known(metric, row))
        return FTR_VALUE_MISSING;
    if (is_time && ftr_total_row_bins(row, metric.attribute)->count < ftr_least_count(metric))
        return FTR_VALUE_UNSURE;
    const long double value = ftr_figure_metric_value(metric, row, time_scale);
    return (double)(is_time ? value * powl(10, time_scale) : value);
}

/* ---- life ------------------------------------------------------------------------------------ */

void ftr_history_night_init(ftr_history_night *night)
{
    *night = (ftr_history_night){0};
    ftr_content_hash_init(&night->hash);
}

size_t ftr_history_night_metric(const ftr_history_night *night, ftr_figure_metric metric)
{
    for (size_t i = 0; i < night->metric_count; i++)
        if (night->metrics[i].kind == metric.kind &&
            (metric.kind != FTR_METRIC_PERCENTILE || night->metrics[i].percent == metric.percent))
            return i;
    return FTR_NAME_UNKNOWN;
}

bool ftr_history_night_measure(ftr_history_night *night, ftr_figure_metric metric)
{
    if (ftr_history_night_metric(night, metric) != FTR_NAME_UNKNOWN)
        return true;
    if (night->metric_count == FTR_NIGHT_METRICS_MAX)
        return false;
    metric.attribute = NULL;
    night->metrics[night->metric_count++] = metric;
    return true;
}

void ftr_history_night_release(ftr_history_night *night)
{
    for (size_t i = 0; i < night->run_count; i++) {
        free(night->runs[i].name);
        free(night->runs[i].busy);
    }
    for (size_t i = 0; i < night->series_count; i++) {
        free(night->series[i]->values);
        free(night->series[i]);
    }
    free(night->key);
    free(night->tests);
    free(night->streams);
    free(night->generator_runs);
    free(night->runs);
    free(night->series);
    free(night->starts);
    ftr_names_release(&night->test_names);
    ftr_names_release(&night->generator_names);
    ftr_names_release(&night->attribute_names);
    ftr_names_release(&night->stream_names);
    ftr_name_table_release(&night->series_keys);
    *night = (ftr_history_night){0};
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void hash_row(ftr_content_hash *hash, ftr_total_row *row)
{
    const uint64_t numbers[] = {row->errors,      row->unfinished,    row->bytes,
                                row->first,       row->last,          (uint64_t)row->busy,
                                row->outstanding, row->latency.count, row->latency.used};
    ftr_content_hash_add(hash, row->name, row->name_size + 1);
    ftr_content_hash_add(hash, numbers, sizeof numbers);
    ftr_latency_bins_sort(&row->latency);
    ftr_content_hash_add(hash, row->latency.bins, row->latency.used * sizeof *row->latency.bins);
}

/* Adds a complete run to its test: whether its figures differ from those of the runs before, and
 * how long it is. */
static void add_to_test(ftr_night_test *test, const ftr_run_record *run, ftr_run_totals *totals)
{
    const double simulated = ftr_simulated_time(run);
    const bool is_first = test->complete++ == 0;
    ftr_content_hash hash;
    uint8_t figures[FTR_CONTENT_HASH_SIZE];
    ftr_content_hash_init(&hash);
    for (size_t i = 0; i < totals->row_count; i++)
        hash_row(&hash, &totals->rows[i]);
    ftr_content_hash_get(&hash, figures);
    if (is_first)
        memcpy(test->figures, figures, sizeof figures);
    test->has_spread |= memcmp(test->figures, figures, sizeof figures) != 0;
    test->shortest = is_first ? simulated : fmin(test->shortest, simulated);
    test->longest = is_first ? simulated : fmax(test->longest, simulated);
}

/* ---- runs and streams ------------------------------------------------------------------------ */

static uint64_t transactions_of(const ftr_stream_figures *stream)
{
    uint64_t count = 0;
    for (size_t i = 0; i < stream->generator_count; i++)
        count += stream->generators[i].latency.count + stream->generators[i].unfinished;
    return count;
}

static bool add_streams(ftr_history_night *night, ftr_night_run *to, const ftr_run_record *run)
{
    to->busy = malloc((run->stream_count + 1) * sizeof *to->busy);
    if (to->busy == NULL)
        return false;
    for (size_t i = 0; i < run->stream_count; i++) {
        const ftr_stream_figures *stream = &run->streams[i];
        const uint64_t count = transactions_of(stream);
        const ftr_name *name =
            ftr_names_intern(&night->stream_names, stream->name.bytes, stream->name.size);
        if (name == NULL || !ftr_array_reach(&night->streams, &night->stream_capacity, name->number,
                                             sizeof *night->streams))
            return false;
        night->streams[name->number].has_calls |=
            ftr_text_begins(stream->kind.bytes, stream->kind.size, FTR_CALL_KIND_PREFIX);
        night->streams[name->number].runs += count > 0;
        if (count >= FTR_NIGHT_STREAM_COUNT)
            to->busy[to->busy_count++] = (uint32_t)name->number;
    }
    return true;
}

/* Adds a run of any state. @return NULL if memory is exhausted */
static ftr_night_run *add_run(ftr_history_night *night, const ftr_run_record *run, const char *name)
{
    const ftr_name *test = ftr_names_intern(&night->test_names, run->test.bytes, run->test.size);
    if (test == NULL ||
        !ftr_array_reach(&night->tests, &night->test_capacity, test->number,
                         sizeof *night->tests) ||
        !ftr_array_grow(&night->runs, &night->run_capacity, night->run_count, sizeof *night->runs))
        return NULL;
    ftr_night_run *added = &night->runs[night->run_count];
    *added = (ftr_night_run){.name = strdup(name), .test = test->number, .state = run->state};
    if (added->name == NULL)
        return NULL;
    night->run_count++;
    night->tests[test->number].runs++;
    return added;
}

static bool add_start(ftr_history_night *night, const ftr_run_record *run)
{
    const char *started = ftr_run_attribute_value(run, "started");
    struct tm fields = {0};
    if (started == NULL || strptime(started, "%Y-%m-%dT%H:%M:%S", &fields) == NULL)
        return true;
    if (!ftr_array_grow(&night->starts, &night->start_capacity, night->start_count,
                        sizeof *night->starts))
        return false;
    night->starts[night->start_count++] = timegm(&fields);
    return true;
}

/* ---- series ---------------------------------------------------------------------------------- */

static ftr_night_series *series_of(ftr_history_night *night, ftr_night_key key)
{
    const size_t known =
        ftr_name_table_find(&night->series_keys, (const char *)&key, sizeof key, 0);
    if (known != FTR_NAME_UNKNOWN)
        return night->series[known];
    ftr_night_series *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->key = key;
    if (!ftr_array_grow(&night->series, &night->series_capacity, night->series_count,
                        sizeof(ftr_night_series *)) ||
        !ftr_name_table_add(&night->series_keys, (const char *)&made->key, sizeof made->key, 0,
                            night->series_count)) {
        free(made);
        return NULL;
    }
    return night->series[night->series_count++] = made;
}

/* Adds the values of a run to a series. */
static bool add_values(ftr_history_night *night, ftr_night_series *series, ftr_total_row *row,
                       const char *attribute, int time_scale)
{
    if (series->runs == series->capacity) {
        /* From 1 on: many nights have one run of each test. */
        const size_t larger = series->capacity > 0 ? 2 * series->capacity : 1;
        double *values =
            realloc(series->values, (larger * night->metric_count + 1) * sizeof *values);
        if (values == NULL)
            return false;
        series->values = values;
        series->capacity = larger;
    }
    double *to = &series->values[series->runs * night->metric_count];
    for (size_t i = 0; i < night->metric_count; i++) {
        ftr_figure_metric metric = night->metrics[i];
        metric.attribute = attribute;
        to[i] = attribute == NULL || ftr_figure_metric_is_time(metric)
                    ? ftr_run_value(metric, row, time_scale)
                    : FTR_VALUE_MISSING;
    }
    series->time_scale =
        series->runs == 0 || time_scale < series->time_scale ? time_scale : series->time_scale;
    series->runs++;
    return true;
}

static bool add_row(ftr_history_night *night, size_t test, ftr_total_row *row, int time_scale)
{
    const ftr_name *generator =
        ftr_names_intern(&night->generator_names, row->name, row->name_size);
    ftr_night_series *series =
        generator != NULL ? series_of(night, (ftr_night_key){test, generator->number, 0}) : NULL;
    if (series == NULL || !add_values(night, series, row, NULL, time_scale))
        return false;
    for (size_t i = 0; i < row->time_count; i++) {
        const ftr_figure_text *text = &row->times[i].name;
        const ftr_name *name = ftr_names_intern(&night->attribute_names, text->bytes, text->size);
        series = name != NULL
                     ? series_of(night, (ftr_night_key){test, generator->number, name->number + 1})
                     : NULL;
        if (series == NULL || !add_values(night, series, row, name->text, time_scale))
            return false;
    }
    return true;
}

/* ---- generators ------------------------------------------------------------------------------ */

static bool count_generator(ftr_history_night *night, const ftr_name *generator, uint64_t runs)
{
    if (generator == NULL || !ftr_array_reach(&night->generator_runs, &night->generator_capacity,
                                              generator->number, sizeof *night->generator_runs))
        return false;
    night->generator_runs[generator->number] += runs;
    return true;
}

bool ftr_history_night_count_generators(ftr_history_night *night)
{
    const ftr_figure_metric count = {.kind = FTR_METRIC_COUNT};
    const size_t metric = ftr_history_night_metric(night, count);
    for (size_t i = 0; i < night->series_count; i++) {
        const ftr_night_series *series = night->series[i];
        uint64_t runs = 0;
        if (series->key.attribute > 0)
            continue;
        for (size_t k = 0; k < series->runs; k++)
            runs +=
                metric == FTR_NAME_UNKNOWN || series->values[k * night->metric_count + metric] > 0;
        if (!count_generator(night, night->generator_names.names[series->key.generator], runs))
            return false;
    }
    return true;
}

/* ---- a run ----------------------------------------------------------------------------------- */

static ftr_status add_figures(ftr_history_night *night, const ftr_run_record *run, size_t test,
                              ftr_night_wants *wants, void *user)
{
    ftr_run_totals totals = {.time_scale = run->time_scale};
    ftr_status status = ftr_run_totals_add(&totals, run, false);
    ftr_run_totals_settle(&totals);
    if (status == FTR_OK)
        add_to_test(&night->tests[test], run, &totals);
    for (size_t i = 0; i < totals.row_count && status == FTR_OK; i++) {
        ftr_total_row *row = &totals.rows[i];
        if (ftr_total_row_has_transactions(row) &&
            !count_generator(
                night, ftr_names_intern(&night->generator_names, row->name, row->name_size), 1))
            status = FTR_ERR_MEMORY;
        if (status == FTR_OK && (wants == NULL || wants(user, row->name, row->name_size)) &&
            !add_row(night, test, row, totals.time_scale))
            status = FTR_ERR_MEMORY;
    }
    ftr_run_totals_release(&totals);
    return status;
}

void ftr_night_hash_run(ftr_content_hash *hash, const ftr_run_record *run)
{
    const uint8_t state = (uint8_t)run->state;
    ftr_content_hash_add(hash, run->identity, sizeof run->identity);
    ftr_content_hash_add(hash, &state, 1);
}

ftr_status ftr_history_night_add(ftr_history_night *night, const ftr_run_record *run,
                                 const char *name, ftr_night_wants *wants, void *user)
{
    ftr_night_run *added = add_run(night, run, name);
    if (added == NULL || !add_start(night, run))
        return FTR_ERR_MEMORY;
    ftr_night_hash_run(&night->hash, run);
    if (!ftr_run_state_is_complete(run->state))
        return FTR_OK;
    night->complete++;
    return add_streams(night, added, run) ? add_figures(night, run, added->test, wants, user)
                                          : FTR_ERR_MEMORY;
}

/* ---- the night ------------------------------------------------------------------------------- */

static int compare_starts(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a;
    const int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

const char *ftr_night_time_text(int64_t time, char name[FTR_NIGHT_NAME_SIZE])
{
    struct tm fields;
    const time_t seconds = (time_t)time;
    if (gmtime_r(&seconds, &fields) == NULL ||
        strftime(name, FTR_NIGHT_NAME_SIZE, "%Y-%m-%d %H:%M", &fields) == 0)
        (void)snprintf(name, FTR_NIGHT_NAME_SIZE, "%lld", (long long)time);
    return name;
}

void ftr_history_night_finish(ftr_history_night *night)
{
    ftr_content_hash_get(&night->hash, night->identity);
    if (night->start_count > 0) {
        qsort(night->starts, night->start_count, sizeof *night->starts, compare_starts);
        night->time = night->starts[night->start_count / 2];
    }
    if (night->name[0] == '\0')
        (void)ftr_night_time_text(night->time, night->name);
}
