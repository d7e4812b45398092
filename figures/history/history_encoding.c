/* The bytes of a night. docs/history-format.md describes them. */
#include "history_night.h"

#include "cbor_reader.h"
#include "cbor_writer.h"
#include "growing_array.h"

#include <stdlib.h>
#include <string.h>

/* Number of items of a night, a test, a stream and a run; number of items of a series before its
 * samples; number of items of a sample before its values. */
#define NIGHT_ITEMS 7u
#define TEST_ITEMS 6u
#define STREAM_ITEMS 3u
#define RUN_ITEMS 4u
#define SERIES_ITEMS 3u
#define SAMPLE_ITEMS 2u

/* Values that are no integers are stored with this number of decimal digits. */
#define DIGITS 10
/* Greatest exponent of a stored number, in both directions. */
#define EXPONENT_MAX 40
/* Greatest number of values of a night that is read, so that damaged bytes cannot require more
 * memory: 1 GiB. */
#define VALUES_MAX ((uint64_t)1 << 27)

/* ---- writing --------------------------------------------------------------------------------- */

static int compare_values(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool is_integer(ftr_figure_metric metric)
{
    return metric.kind != FTR_METRIC_MEAN && metric.kind != FTR_METRIC_THROUGHPUT &&
           metric.kind != FTR_METRIC_BANDWIDTH && metric.kind != FTR_METRIC_BUSY;
}

/* Returns the exponent with which the values of a metric are stored. @param greatest the greatest
 * value */
static int exponent_of(ftr_figure_metric metric, int time_scale, double greatest)
{
    if (is_integer(metric))
        return ftr_figure_metric_is_time(metric) ? time_scale : 0;
    if (greatest <= 0)
        return 0;
    const int exponent = (int)floor(log10(greatest)) + 1 - DIGITS;
    return exponent < -EXPONENT_MAX ? -EXPONENT_MAX : exponent;
}

/* Returns the multiple of @p unit that is nearest to a value. */
static uint64_t number_of(double value, long double unit)
{
    const long double number = roundl((long double)value / unit);
    return number >= 0x1p64L ? UINT64_MAX : (uint64_t)number;
}

/* Writes the values of one metric in all runs, in ascending order. @param sorted room for a value
 * of each run */
static void put_sample(const ftr_history_night *night, const ftr_night_series *series,
                       size_t metric, double *sorted, ftr_cbor_writer *w)
{
    size_t count = 0;
    uint64_t too_short = 0;
    for (size_t i = 0; i < series->runs; i++) {
        const double value = series->values[i * night->metric_count + metric];
        if (isfinite(value))
            sorted[count++] = value;
        too_short += isinf(value) != 0;
    }
    if (count == 0 && too_short == 0) {
        ftr_cbor_put_null(w);
        return;
    }
    qsort(sorted, count, sizeof *sorted, compare_values);
    const int exponent =
        exponent_of(night->metrics[metric], series->time_scale, count > 0 ? sorted[count - 1] : 0);
    const long double unit = powl(10, exponent);
    uint64_t before = 0;
    ftr_cbor_put_array(w, SAMPLE_ITEMS + count);
    ftr_cbor_put_int(w, exponent);
    ftr_cbor_put_uint(w, too_short);
    for (size_t i = 0; i < count; i++) {
        const uint64_t number = number_of(sorted[i], unit);
        ftr_cbor_put_uint(w, number - before);
        before = number;
    }
}

static void put_name(ftr_cbor_writer *w, const ftr_name *name)
{
    ftr_cbor_put_text(w, name->text, name->size);
}

static void put_names(ftr_cbor_writer *w, const ftr_names *names)
{
    ftr_cbor_put_array(w, names->count);
    for (size_t i = 0; i < names->count; i++)
        put_name(w, names->names[i]);
}

static void put_tests(const ftr_history_night *night, ftr_cbor_writer *w)
{
    ftr_cbor_put_array(w, night->test_names.count);
    for (size_t i = 0; i < night->test_names.count; i++) {
        const ftr_night_test *test = &night->tests[i];
        ftr_cbor_put_array(w, TEST_ITEMS);
        put_name(w, night->test_names.names[i]);
        ftr_cbor_put_uint(w, test->runs);
        ftr_cbor_put_uint(w, test->complete);
        if (test->complete > 0 && !test->has_spread)
            ftr_cbor_put_bytes(w, test->figures, sizeof test->figures);
        else
            ftr_cbor_put_null(w);
        uint8_t *p = ftr_cbor_reserve(w, (size_t)2 * FTR_CBOR_HEAD_MAX);
        if (p != NULL)
            ftr_cbor_advance(
                w, ftr_cbor_double_at(ftr_cbor_double_at(p, test->shortest), test->longest));
    }
}

static void put_streams(const ftr_history_night *night, ftr_cbor_writer *w)
{
    ftr_cbor_put_array(w, night->stream_names.count);
    for (size_t i = 0; i < night->stream_names.count; i++) {
        ftr_cbor_put_array(w, STREAM_ITEMS);
        put_name(w, night->stream_names.names[i]);
        ftr_cbor_put_bool(w, night->streams[i].has_calls);
        ftr_cbor_put_uint(w, night->streams[i].runs);
    }
}

static void put_runs(const ftr_history_night *night, ftr_cbor_writer *w)
{
    ftr_cbor_put_array(w, night->run_count);
    for (size_t i = 0; i < night->run_count; i++) {
        const ftr_night_run *run = &night->runs[i];
        ftr_cbor_put_array(w, RUN_ITEMS);
        ftr_cbor_put_text(w, run->name, strlen(run->name));
        ftr_cbor_put_uint(w, run->test);
        ftr_cbor_put_uint(w, run->state);
        ftr_cbor_put_array(w, run->busy_count);
        for (size_t k = 0; k < run->busy_count; k++)
            ftr_cbor_put_uint(w, run->busy[k]);
    }
}

static void put_metrics(const ftr_history_night *night, ftr_cbor_writer *w)
{
    char name[FTR_METRIC_NAME_SIZE];
    ftr_cbor_put_array(w, night->metric_count);
    for (size_t i = 0; i < night->metric_count; i++) {
        (void)ftr_figure_metric_name(night->metrics[i], name);
        ftr_cbor_put_text(w, name, strlen(name));
    }
}

static void put_series(ftr_history_night *night, ftr_cbor_writer *w)
{
    size_t runs = 1;
    for (size_t i = 0; i < night->series_count; i++)
        runs = night->series[i]->runs > runs ? night->series[i]->runs : runs;
    double *sorted = malloc(runs * sizeof *sorted);
    if (sorted == NULL) {
        ftr_cbor_writer_fail(w, FTR_ERR_MEMORY);
        return;
    }
    ftr_cbor_put_array(w, night->series_count);
    for (size_t i = 0; i < night->series_count; i++) {
        const ftr_night_series *series = night->series[i];
        ftr_cbor_put_array(w, SERIES_ITEMS + night->metric_count);
        ftr_cbor_put_uint(w, series->key.test);
        ftr_cbor_put_uint(w, series->key.generator);
        if (series->key.attribute > 0)
            put_name(w, night->attribute_names.names[series->key.attribute - 1]);
        else
            ftr_cbor_put_null(w);
        for (size_t k = 0; k < night->metric_count; k++)
            put_sample(night, series, k, sorted, w);
    }
    free(sorted);
}

void ftr_history_encode(ftr_history_night *night, ftr_cbor_writer *w)
{
    ftr_cbor_put_array(w, NIGHT_ITEMS);
    if (night->key != NULL)
        ftr_cbor_put_text(w, night->key, strlen(night->key));
    else
        ftr_cbor_put_null(w);
    put_tests(night, w);
    put_streams(night, w);
    put_runs(night, w);
    put_names(w, &night->generator_names);
    put_metrics(night, w);
    put_series(night, w);
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct decoder {
    ftr_cbor_reader r;
    ftr_history_night *night;
    uint64_t values; /* number of values of all series so far, with rows that have none */
} decoder;

static bool is_ok(const decoder *d)
{
    return d->r.status == FTR_OK;
}

static void fail(decoder *d, ftr_status status)
{
    (void)ftr_cbor_reader_fail(&d->r, status);
}

/* Enters an array of any definite length. */
static uint64_t enter(decoder *d)
{
    uint64_t count = 0;
    if (ftr_cbor_get_array(&d->r, &count) == FTR_OK && count == FTR_CBOR_INDEFINITE)
        fail(d, FTR_ERR_FORMAT);
    return is_ok(d) ? count : 0;
}

/* Enters an array of a known length. */
static void enter_fixed(decoder *d, uint64_t count)
{
    if (enter(d) != count)
        fail(d, FTR_ERR_FORMAT);
}

static uint64_t get_uint(decoder *d)
{
    uint64_t value = 0;
    (void)ftr_cbor_get_uint(&d->r, &value);
    return value;
}

/* Reads a number below a limit. */
static size_t get_index(decoder *d, size_t limit)
{
    const uint64_t value = get_uint(d);
    if (value >= limit)
        fail(d, FTR_ERR_FORMAT);
    return is_ok(d) ? (size_t)value : 0;
}

static bool get_null(decoder *d)
{
    uint8_t value;
    return is_ok(d) && ftr_cbor_peek(&d->r) == FTR_CBOR_NULL &&
           ftr_cbor_get_simple(&d->r, &value) == FTR_OK;
}

/* Reads a text and adds it to names. @return its number */
static size_t get_name(decoder *d, ftr_names *names)
{
    const char *text = NULL;
    size_t size = 0;
    if (ftr_cbor_get_text(&d->r, &text, &size) != FTR_OK)
        return 0;
    const ftr_name *name = ftr_names_intern(names, text, size);
    if (name == NULL)
        fail(d, FTR_ERR_MEMORY);
    return name != NULL ? name->number : 0;
}

/* Reads the name of the next item of a list, which must be new. */
static void get_new_name(decoder *d, ftr_names *names)
{
    const size_t count = names->count;
    if (get_name(d, names) != count)
        fail(d, FTR_ERR_FORMAT);
}

static void get_key(decoder *d)
{
    const char *text = NULL;
    size_t size = 0;
    if (get_null(d) || ftr_cbor_get_text(&d->r, &text, &size) != FTR_OK)
        return;
    d->night->key = strndup(text, size);
    if (d->night->key == NULL)
        fail(d, FTR_ERR_MEMORY);
}

static void get_test(decoder *d, ftr_night_test *test)
{
    const uint8_t *figures = NULL;
    size_t size = 0;
    test->runs = get_uint(d);
    test->complete = get_uint(d);
    if (get_null(d)) {
        test->has_spread = true;
    } else if (ftr_cbor_get_bytes(&d->r, &figures, &size) == FTR_OK) {
        if (size == sizeof test->figures)
            memcpy(test->figures, figures, sizeof test->figures);
        else
            fail(d, FTR_ERR_FORMAT);
    }
    (void)ftr_cbor_get_double(&d->r, &test->shortest);
    (void)ftr_cbor_get_double(&d->r, &test->longest);
    if (!isfinite(test->shortest) || !isfinite(test->longest))
        fail(d, FTR_ERR_FORMAT);
}

static void get_tests(decoder *d)
{
    ftr_history_night *night = d->night;
    const uint64_t count = enter(d);
    for (uint64_t i = 0; i < count && is_ok(d); i++) {
        enter_fixed(d, TEST_ITEMS);
        get_new_name(d, &night->test_names);
        if (!ftr_array_reach(&night->tests, &night->test_capacity, i, sizeof *night->tests))
            fail(d, FTR_ERR_MEMORY);
        else
            get_test(d, &night->tests[i]);
        night->complete += is_ok(d) ? night->tests[i].complete : 0;
    }
}

static void get_streams(decoder *d)
{
    ftr_history_night *night = d->night;
    const uint64_t count = enter(d);
    for (uint64_t i = 0; i < count && is_ok(d); i++) {
        enter_fixed(d, STREAM_ITEMS);
        get_new_name(d, &night->stream_names);
        if (!ftr_array_reach(&night->streams, &night->stream_capacity, i, sizeof *night->streams)) {
            fail(d, FTR_ERR_MEMORY);
            return;
        }
        (void)ftr_cbor_get_bool(&d->r, &night->streams[i].has_calls);
        night->streams[i].runs = get_uint(d);
    }
}

static void get_run(decoder *d, ftr_night_run *run)
{
    const char *text = NULL;
    size_t size = 0;
    enter_fixed(d, RUN_ITEMS);
    if (ftr_cbor_get_text(&d->r, &text, &size) == FTR_OK) {
        run->name = strndup(text, size);
        if (run->name == NULL)
            fail(d, FTR_ERR_MEMORY);
    }
    run->test = get_index(d, d->night->test_names.count);
    run->state = (ftr_run_state)get_index(d, FTR_RUN_STATES);
    const uint64_t count = enter(d);
    if (!is_ok(d))
        return;
    run->busy = calloc(count > 0 ? count : 1, sizeof *run->busy);
    if (run->busy == NULL) {
        fail(d, FTR_ERR_MEMORY);
        return;
    }
    for (uint64_t i = 0; i < count && is_ok(d); i++)
        run->busy[run->busy_count++] = (uint32_t)get_index(d, d->night->stream_names.count);
}

/* Checks the numbers of runs of the tests. They bound the memory for the values. */
static void check_numbers_of_runs(decoder *d)
{
    const ftr_history_night *night = d->night;
    size_t *counts = calloc(night->test_names.count + 1, sizeof *counts);
    if (counts == NULL) {
        fail(d, FTR_ERR_MEMORY);
        return;
    }
    for (size_t i = 0; i < night->run_count && is_ok(d); i++)
        counts[night->runs[i].test]++;
    for (size_t i = 0; i < night->test_names.count && is_ok(d); i++)
        if (night->tests[i].runs != counts[i] || night->tests[i].complete > counts[i])
            fail(d, FTR_ERR_FORMAT);
    free(counts);
}

static void get_runs(decoder *d)
{
    ftr_history_night *night = d->night;
    const uint64_t count = enter(d);
    for (uint64_t i = 0; i < count && is_ok(d); i++) {
        if (!ftr_array_grow(&night->runs, &night->run_capacity, night->run_count,
                            sizeof *night->runs)) {
            fail(d, FTR_ERR_MEMORY);
            return;
        }
        ftr_night_run *run = &night->runs[night->run_count++];
        *run = (ftr_night_run){0};
        get_run(d, run);
    }
    if (is_ok(d))
        check_numbers_of_runs(d);
}

static void get_generators(decoder *d)
{
    const uint64_t count = enter(d);
    for (uint64_t i = 0; i < count && is_ok(d); i++)
        get_new_name(d, &d->night->generator_names);
}

static void get_metrics(decoder *d)
{
    const uint64_t count = enter(d);
    for (uint64_t i = 0; i < count && is_ok(d); i++) {
        const char *text = NULL;
        size_t size = 0;
        ftr_figure_metric metric = {0};
        if (ftr_cbor_get_text(&d->r, &text, &size) == FTR_OK &&
            (!ftr_figure_metric_parse(text, size, &metric) ||
             ftr_history_night_metric(d->night, metric) != FTR_NAME_UNKNOWN ||
             !ftr_history_night_measure(d->night, metric)))
            fail(d, FTR_ERR_FORMAT);
    }
}

/* Makes the series have at least @p runs rows. @return its values; NULL after an error */
static double *reach_rows(decoder *d, ftr_night_series *series, size_t runs)
{
    const size_t columns = d->night->metric_count;
    if (runs <= series->runs)
        return series->values;
    d->values += (runs - series->runs) * columns;
    if (d->values > VALUES_MAX) {
        fail(d, FTR_ERR_LIMIT);
        return NULL;
    }
    double *values = realloc(series->values, runs * columns * sizeof *values);
    if (values == NULL) {
        fail(d, FTR_ERR_MEMORY);
        return NULL;
    }
    for (size_t i = series->runs * columns; i < runs * columns; i++)
        values[i] = FTR_VALUE_MISSING;
    series->values = values;
    series->runs = series->capacity = runs;
    return values;
}

static void get_sample(decoder *d, ftr_night_series *series, size_t metric, size_t runs_max)
{
    if (get_null(d))
        return;
    int64_t exponent = 0;
    const ftr_figure_metric of = d->night->metrics[metric];
    const size_t columns = d->night->metric_count;
    const uint64_t items = enter(d);
    (void)ftr_cbor_get_int(&d->r, &exponent);
    const uint64_t too_short = get_uint(d);
    const uint64_t count = items - SAMPLE_ITEMS;
    if (items < SAMPLE_ITEMS || exponent < -EXPONENT_MAX || exponent > EXPONENT_MAX ||
        too_short > runs_max || count > runs_max - too_short)
        fail(d, FTR_ERR_FORMAT);
    double *values = is_ok(d) ? reach_rows(d, series, count + too_short) : NULL;
    if (values == NULL)
        return;
    const long double unit = powl(10, (int)exponent);
    uint64_t number = 0;
    for (uint64_t i = 0; i < count && is_ok(d); i++) {
        number += get_uint(d);
        values[i * columns + metric] = (double)((long double)number * unit);
    }
    for (uint64_t i = 0; i < too_short; i++)
        values[(count + i) * columns + metric] = FTR_VALUE_UNSURE;
    if (is_integer(of) && ftr_figure_metric_is_time(of) && exponent < series->time_scale)
        series->time_scale = (int)exponent;
}

static void get_series(decoder *d)
{
    ftr_history_night *night = d->night;
    const uint64_t count = enter(d);
    for (uint64_t i = 0; i < count && is_ok(d); i++) {
        ftr_night_series *series = calloc(1, sizeof *series);
        if (series == NULL || !ftr_array_grow(&night->series, &night->series_capacity,
                                              night->series_count, sizeof(ftr_night_series *))) {
            free(series);
            fail(d, FTR_ERR_MEMORY);
            return;
        }
        night->series[night->series_count++] = series;
        enter_fixed(d, SERIES_ITEMS + night->metric_count);
        series->key.test = get_index(d, night->test_names.count);
        series->key.generator = get_index(d, night->generator_names.count);
        if (!get_null(d))
            series->key.attribute = get_name(d, &night->attribute_names) + 1;
        for (size_t k = 0; k < night->metric_count && is_ok(d); k++)
            get_sample(d, series, k, night->tests[series->key.test].complete);
    }
}

ftr_status ftr_history_decode(const uint8_t *bytes, size_t size, ftr_history_night *night)
{
    decoder d = {.night = night};
    ftr_history_night_init(night);
    ftr_cbor_reader_init(&d.r, bytes, size);
    enter_fixed(&d, NIGHT_ITEMS);
    get_key(&d);
    get_tests(&d);
    get_streams(&d);
    get_runs(&d);
    get_generators(&d);
    get_metrics(&d);
    get_series(&d);
    if (is_ok(&d) && ftr_cbor_reader_left(&d.r) > 0)
        return FTR_ERR_FORMAT;
    return is_ok(&d) && !ftr_history_night_count_generators(night) ? FTR_ERR_MEMORY : d.r.status;
}
