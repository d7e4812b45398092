/* The tables of generators of summaries: `figures`, `latency_bin`, `slowest` and `series`. */
#include "summary_table.h"

#include "json_writer.h"

#include <stdlib.h>
#include <string.h>

/* The first columns of each table here. */
enum { COLUMN_RUN, COLUMN_STREAM, COLUMN_GENERATOR, FIRST_COLUMN };

/* ---- figures --------------------------------------------------------------------------------- */

enum {
    FIGURES_COUNT = FIRST_COLUMN,
    FIGURES_ERRORS,
    FIGURES_UNFINISHED,
    FIGURES_BYTES,
    FIGURES_OUTSTANDING,
    /* The columns from here to FIGURES_P99_9 are in ticks. Each has a column in seconds. */
    FIGURES_FIRST,
    FIGURES_LAST,
    FIGURES_BUSY,
    FIGURES_MIN,
    FIGURES_MEAN,
    FIGURES_MAX,
    FIGURES_P50,
    FIGURES_P90,
    FIGURES_P99,
    FIGURES_P99_9,
    FIGURES_TIMES,
    FIGURES_FIRST_SECONDS,
    FIGURES_COLUMN_COUNT = FIGURES_FIRST_SECONDS + FIGURES_P99_9 - FIGURES_FIRST + 1
};

static const ftr_sql_column FIGURES_COLUMNS[] = {
    {"run", "INTEGER", FTR_ROLE_RUN},
    {"stream", "TEXT", FTR_ROLE_STREAM},
    {"generator", "TEXT", FTR_ROLE_GENERATOR},
    {"count", "", FTR_ROLE_NONE},
    {"errors", "", FTR_ROLE_NONE},
    {"unfinished", "", FTR_ROLE_NONE},
    {"bytes", "", FTR_ROLE_NONE},
    {"outstanding", "", FTR_ROLE_NONE},
    {"first", "", FTR_ROLE_NONE},
    {"last", "", FTR_ROLE_NONE},
    {"busy", "", FTR_ROLE_NONE},
    {"min", "", FTR_ROLE_NONE},
    {"mean", "REAL", FTR_ROLE_NONE},
    {"max", "", FTR_ROLE_NONE},
    {"p50", "", FTR_ROLE_NONE},
    {"p90", "", FTR_ROLE_NONE},
    {"p99", "", FTR_ROLE_NONE},
    {"p99_9", "", FTR_ROLE_NONE},
    {"times", "TEXT", FTR_ROLE_NONE},
    {"first_s", "REAL HIDDEN", FTR_ROLE_NONE},
    {"last_s", "REAL HIDDEN", FTR_ROLE_NONE},
    {"busy_s", "REAL HIDDEN", FTR_ROLE_NONE},
    {"min_s", "REAL HIDDEN", FTR_ROLE_NONE},
    {"mean_s", "REAL HIDDEN", FTR_ROLE_NONE},
    {"max_s", "REAL HIDDEN", FTR_ROLE_NONE},
    {"p50_s", "REAL HIDDEN", FTR_ROLE_NONE},
    {"p90_s", "REAL HIDDEN", FTR_ROLE_NONE},
    {"p99_s", "REAL HIDDEN", FTR_ROLE_NONE},
    {"p99_9_s", "REAL HIDDEN", FTR_ROLE_NONE},
};

static uint64_t count_figures(const ftr_stream_figures *stream,
                              const ftr_generator_figures *generator)
{
    (void)stream;
    return generator != NULL;
}

static long double mean_of(const ftr_latency_bins *bins)
{
    return (long double)bins->sum / (long double)bins->count;
}

/* The bins of a record are sorted: the function does not change them. */
static uint64_t percentile_of(const ftr_latency_bins *bins, unsigned percent_of_10)
{
    return ftr_latency_bins_percentile((ftr_latency_bins *)bins,
                                       percent_of_10 * (FTR_PERCENT / 10));
}

/* Gets a figure in ticks. @return false if the generator has no transaction with this figure */
static bool get_ticks(const ftr_generator_figures *generator, int number, uint64_t *ticks)
{
    const ftr_latency_bins *latency = &generator->latency;
    switch (number) {
    case FIGURES_FIRST:
        *ticks = generator->first;
        return ftr_generator_has_transactions(generator);
    case FIGURES_LAST:
        *ticks = generator->last;
        return ftr_generator_has_transactions(generator);
    case FIGURES_BUSY:
        *ticks = generator->busy;
        return true;
    case FIGURES_MIN:
        *ticks = latency->least;
        break;
    case FIGURES_MAX:
        *ticks = latency->greatest;
        break;
    case FIGURES_P50:
        *ticks = percentile_of(latency, 500);
        break;
    case FIGURES_P90:
        *ticks = percentile_of(latency, 900);
        break;
    case FIGURES_P99:
        *ticks = percentile_of(latency, 990);
        break;
    default:
        *ticks = percentile_of(latency, 999);
    }
    return latency->count > 0;
}

/* The distributions of attributes of type TIME, as a JSON object of objects. */
static void result_times(const ftr_generator_figures *generator, sqlite3_context *result)
{
    ftr_text_buffer text = {0};
    ftr_printer *out = generator->time_count > 0 ? malloc(sizeof *out) : NULL;
    if (generator->time_count == 0)
        return;
    if (out == NULL) {
        sqlite3_result_error_nomem(result);
        return;
    }
    ftr_text_buffer_connect(&text, out);
    for (unsigned i = 0; i < generator->time_count; i++) {
        const ftr_named_times *times = &generator->times[i];
        const ftr_latency_bins *bins = &times->bins;
        ftr_print_char(out, i > 0 ? ',' : '{');
        ftr_print_json(out, times->name.bytes, times->name.size);
        ftr_print_string(out, ":{\"count\":");
        ftr_print_uint(out, bins->count);
        ftr_print_string(out, ",\"min\":");
        ftr_print_uint(out, bins->least);
        ftr_print_string(out, ",\"mean\":");
        ftr_print_real(out, bins->count > 0 ? (double)mean_of(bins) : 0, 8);
        ftr_print_string(out, ",\"max\":");
        ftr_print_uint(out, bins->greatest);
        ftr_print_char(out, '}');
    }
    ftr_print_char(out, '}');
    const bool printed = ftr_printer_flush(out);
    free(out);
    if (printed) {
        sqlite3_result_text64(result, text.bytes, text.size, free, SQLITE_UTF8);
    } else {
        ftr_text_buffer_release(&text);
        sqlite3_result_error_nomem(result);
    }
}

static int figures_column(const ftr_summary_row *row, sqlite3_context *result, int number)
{
    const ftr_generator_figures *generator = row->generator;
    const bool in_seconds = number >= FIGURES_FIRST_SECONDS;
    const int figure = in_seconds ? number - FIGURES_FIRST_SECONDS + FIGURES_FIRST : number;
    uint64_t ticks;
    switch (figure) {
    case FIGURES_COUNT:
        ftr_sql_result_number(result, generator->latency.count);
        break;
    case FIGURES_ERRORS:
        ftr_sql_result_number(result, generator->errors);
        break;
    case FIGURES_UNFINISHED:
        ftr_sql_result_number(result, generator->unfinished);
        break;
    case FIGURES_BYTES:
        ftr_sql_result_number(result, generator->bytes);
        break;
    case FIGURES_OUTSTANDING:
        ftr_sql_result_number(result, generator->outstanding);
        break;
    case FIGURES_TIMES:
        result_times(generator, result);
        break;
    case FIGURES_MEAN:
        if (generator->latency.count > 0 && in_seconds)
            ftr_summary_result_seconds(row, result, mean_of(&generator->latency));
        else if (generator->latency.count > 0)
            sqlite3_result_double(result, (double)mean_of(&generator->latency));
        break;
    default:
        if (get_ticks(generator, figure, &ticks) && in_seconds)
            ftr_summary_result_seconds(row, result, (long double)ticks);
        else if (get_ticks(generator, figure, &ticks))
            ftr_sql_result_number(result, ticks);
    }
    return SQLITE_OK;
}

const ftr_summary_kind ftr_summary_figures = {
    .name = "figures",
    .columns = FIGURES_COLUMNS,
    .column_count = FIGURES_COLUMN_COUNT,
    .order = "run,stream,generator",
    .rows = 20,
    .count = count_figures,
    .column = figures_column,
};

/* ---- latency_bin ----------------------------------------------------------------------------- */

enum {
    BIN_ATTRIBUTE = FIRST_COLUMN,
    BIN_LATENCY,
    BIN_COUNT,
    BIN_ROUNDED,
    BIN_SECONDS,
    BIN_COLUMN_COUNT
};

static const ftr_sql_column BIN_COLUMNS[] = {
    {"run", "INTEGER", FTR_ROLE_RUN},
    {"stream", "TEXT", FTR_ROLE_STREAM},
    {"generator", "TEXT", FTR_ROLE_GENERATOR},
    {"attribute", "TEXT", FTR_ROLE_NONE},
    {"latency", "", FTR_ROLE_NONE},
    {"count", "", FTR_ROLE_NONE},
    {"rounded", "INTEGER", FTR_ROLE_NONE},
    {"latency_s", "REAL HIDDEN", FTR_ROLE_NONE},
};

static uint64_t count_bins(const ftr_stream_figures *stream, const ftr_generator_figures *generator)
{
    (void)stream;
    if (generator == NULL)
        return 0;
    uint64_t count = generator->latency.used;
    for (unsigned i = 0; i < generator->time_count; i++)
        count += generator->times[i].bins.used;
    return count;
}

static int bin_column(const ftr_summary_row *row, sqlite3_context *result, int number)
{
    const ftr_generator_figures *generator = row->generator;
    const ftr_figure_text *attribute = NULL; /* NULL: the latency */
    const ftr_latency_bins *bins = &generator->latency;
    uint64_t at = row->number;
    for (unsigned i = 0; at >= bins->used; i++) {
        at -= bins->used;
        attribute = &generator->times[i].name;
        bins = &generator->times[i].bins;
    }
    switch (number) {
    case BIN_ATTRIBUTE:
        if (attribute != NULL)
            ftr_sql_result_view(result, (ftr_view){attribute->bytes, attribute->size});
        break;
    case BIN_LATENCY:
        ftr_sql_result_number(result, bins->bins[at].value);
        break;
    case BIN_COUNT:
        ftr_sql_result_number(result, bins->bins[at].count);
        break;
    case BIN_ROUNDED:
        sqlite3_result_int(result, bins->rounded);
        break;
    default:
        ftr_summary_result_seconds(row, result, (long double)bins->bins[at].value);
    }
    return SQLITE_OK;
}

const ftr_summary_kind ftr_summary_bins = {
    .name = "latency_bin",
    .columns = BIN_COLUMNS,
    .column_count = BIN_COLUMN_COUNT,
    .order = "run,stream,generator,attribute",
    .rows = 2000,
    .count = count_bins,
    .column = bin_column,
};

/* ---- slowest --------------------------------------------------------------------------------- */

enum {
    SLOWEST_NUMBER = FIRST_COLUMN,
    SLOWEST_ID,
    SLOWEST_BEGIN,
    SLOWEST_END,
    SLOWEST_DURATION,
    SLOWEST_BEGIN_SECONDS,
    SLOWEST_END_SECONDS,
    SLOWEST_DURATION_SECONDS,
    SLOWEST_COLUMN_COUNT
};

static const ftr_sql_column SLOWEST_COLUMNS[] = {
    {"run", "INTEGER", FTR_ROLE_RUN},
    {"stream", "TEXT", FTR_ROLE_STREAM},
    {"generator", "TEXT", FTR_ROLE_GENERATOR},
    {"number", "INTEGER", FTR_ROLE_NONE},
    {"id", "", FTR_ROLE_NONE},
    {"begin", "", FTR_ROLE_NONE},
    {"end", "", FTR_ROLE_NONE},
    {"duration", "", FTR_ROLE_NONE},
    {"begin_s", "REAL HIDDEN", FTR_ROLE_NONE},
    {"end_s", "REAL HIDDEN", FTR_ROLE_NONE},
    {"duration_s", "REAL HIDDEN", FTR_ROLE_NONE},
};

static uint64_t count_slowest(const ftr_stream_figures *stream,
                              const ftr_generator_figures *generator)
{
    (void)stream;
    return generator != NULL ? generator->slowest.count : 0;
}

static int slowest_column(const ftr_summary_row *row, sqlite3_context *result, int number)
{
    const ftr_slow_tx *tx = &row->generator->slowest.of[row->number];
    switch (number) {
    case SLOWEST_NUMBER:
        ftr_sql_result_number(result, row->number + 1);
        break;
    case SLOWEST_ID:
        ftr_sql_result_number(result, tx->id);
        break;
    case SLOWEST_BEGIN:
        ftr_sql_result_number(result, tx->begin);
        break;
    case SLOWEST_END:
        ftr_sql_result_number(result, tx->begin + tx->latency);
        break;
    case SLOWEST_DURATION:
        ftr_sql_result_number(result, tx->latency);
        break;
    case SLOWEST_BEGIN_SECONDS:
        ftr_summary_result_seconds(row, result, (long double)tx->begin);
        break;
    case SLOWEST_END_SECONDS:
        ftr_summary_result_seconds(row, result, (long double)(tx->begin + tx->latency));
        break;
    default:
        ftr_summary_result_seconds(row, result, (long double)tx->latency);
    }
    return SQLITE_OK;
}

const ftr_summary_kind ftr_summary_slowest = {
    .name = "slowest",
    .columns = SLOWEST_COLUMNS,
    .column_count = SLOWEST_COLUMN_COUNT,
    .order = "run,stream,generator,number",
    .rows = 200,
    .count = count_slowest,
    .column = slowest_column,
};

/* ---- series ---------------------------------------------------------------------------------- */

enum {
    SERIES_BEGIN = FIRST_COLUMN,
    SERIES_LENGTH,
    SERIES_COUNT,
    SERIES_BYTES,
    SERIES_BUSY,
    SERIES_LATENCY_SUM,
    SERIES_LATENCY_MAX,
    SERIES_BEGIN_SECONDS,
    SERIES_LENGTH_SECONDS,
    SERIES_COLUMN_COUNT
};

static const ftr_sql_column SERIES_COLUMNS[] = {
    {"run", "INTEGER", FTR_ROLE_RUN},
    {"stream", "TEXT", FTR_ROLE_STREAM},
    {"generator", "TEXT", FTR_ROLE_GENERATOR},
    {"begin", "", FTR_ROLE_NONE},
    {"length", "", FTR_ROLE_NONE},
    {"count", "", FTR_ROLE_NONE},
    {"bytes", "", FTR_ROLE_NONE},
    {"busy", "", FTR_ROLE_NONE},
    {"latency_sum", "", FTR_ROLE_NONE},
    {"latency_max", "", FTR_ROLE_NONE},
    {"begin_s", "REAL HIDDEN", FTR_ROLE_NONE},
    {"length_s", "REAL HIDDEN", FTR_ROLE_NONE},
};

static uint64_t count_slots(const ftr_stream_figures *stream,
                            const ftr_generator_figures *generator)
{
    return generator != NULL ? generator->series.count : stream->series.count;
}

/* Sets the result to a cell of the time slot of a row, if its series has the column: the series of
 * a stream has only FTR_SERIES_BUSY. */
static void result_cell(const ftr_summary_row *row, sqlite3_context *result,
                        const ftr_time_series *series, ftr_series_column column)
{
    if ((unsigned)column < series->columns)
        ftr_sql_result_number(result, ftr_series_cells(series, row->number)[column]);
}

static int series_column(const ftr_summary_row *row, sqlite3_context *result, int number)
{
    const ftr_time_series *series =
        row->generator != NULL ? &row->generator->series : &row->stream->series;
    const unsigned shift = row->run->record.slot_shift;
    const uint64_t begin = (series->first + row->number) << shift;
    const uint64_t length = UINT64_C(1) << shift;
    switch (number) {
    case SERIES_BEGIN:
        ftr_sql_result_number(result, begin);
        break;
    case SERIES_LENGTH:
        ftr_sql_result_number(result, length);
        break;
    case SERIES_COUNT:
        result_cell(row, result, series, FTR_SERIES_TRANSACTIONS);
        break;
    case SERIES_BYTES:
        result_cell(row, result, series, FTR_SERIES_BYTES);
        break;
    case SERIES_BUSY:
        result_cell(row, result, series, FTR_SERIES_BUSY);
        break;
    case SERIES_LATENCY_SUM:
        result_cell(row, result, series, FTR_SERIES_LATENCY_SUM);
        break;
    case SERIES_LATENCY_MAX:
        result_cell(row, result, series, FTR_SERIES_LATENCY_MAX);
        break;
    case SERIES_BEGIN_SECONDS:
        ftr_summary_result_seconds(row, result, (long double)begin);
        break;
    default:
        ftr_summary_result_seconds(row, result, (long double)length);
    }
    return SQLITE_OK;
}

const ftr_summary_kind ftr_summary_series = {
    .name = "series",
    .columns = SERIES_COLUMNS,
    .column_count = SERIES_COLUMN_COUNT,
    .order = "run,stream,generator",
    .rows = 500,
    .count = count_slots,
    .column = series_column,
};
