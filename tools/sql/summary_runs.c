/* The tables `run` and `stream` of summaries. */
#include "summary_table.h"

#include <stdlib.h>
#include <string.h>

static void result_attribute(sqlite3_context *result, const ftr_run_record *run, const char *name)
{
    const char *value = ftr_run_attribute_value(run, name);
    if (value != NULL)
        ftr_sql_result_view(result, (ftr_view){value, strlen(value)});
}

/* ---- run ------------------------------------------------------------------------------------- */

enum {
    RUN_NUMBER,
    RUN_FILE,
    RUN_STATE,
    RUN_TEST,
    RUN_TIME_SCALE,
    RUN_FIRST_TIME,
    RUN_LAST_TIME,
    RUN_STREAMS,
    RUN_GENERATORS,
    RUN_TRANSACTIONS,
    RUN_ERRORS,
    RUN_UNFINISHED,
    RUN_BYTES,
    RUN_LOSSES,
    RUN_SIGNAL,
    RUN_PROBLEM,
    RUN_PROGRAM,
    RUN_ARGUMENTS,
    RUN_HOST,
    RUN_PID,
    RUN_STARTED,
    RUN_ENDED,
    RUN_EXIT_STATUS,
    RUN_TAGS,
    RUN_INFO,
    RUN_SUMMARY,
    RUN_IDENTITY,
    RUN_FIRST_SECONDS,
    RUN_LAST_SECONDS,
    RUN_COLUMN_COUNT
};

static const ftr_sql_column RUN_COLUMNS[] = {
    {"run", "INTEGER", FTR_ROLE_RUN},
    {"file", "TEXT", FTR_ROLE_NONE},
    {"state", "TEXT", FTR_ROLE_NONE},
    {"test", "TEXT", FTR_ROLE_NONE},
    {"time_scale", "INTEGER", FTR_ROLE_NONE},
    {"first_time", "", FTR_ROLE_NONE},
    {"last_time", "", FTR_ROLE_NONE},
    {"streams", "INTEGER", FTR_ROLE_NONE},
    {"generators", "INTEGER", FTR_ROLE_NONE},
    {"transactions", "", FTR_ROLE_NONE},
    {"errors", "", FTR_ROLE_NONE},
    {"unfinished", "", FTR_ROLE_NONE},
    {"bytes", "", FTR_ROLE_NONE},
    {"losses", "", FTR_ROLE_NONE},
    {"signal", "INTEGER", FTR_ROLE_NONE},
    {"problem", "TEXT", FTR_ROLE_NONE},
    {"program", "TEXT", FTR_ROLE_NONE},
    {"arguments", "TEXT", FTR_ROLE_NONE},
    {"host", "TEXT", FTR_ROLE_NONE},
    {"pid", "", FTR_ROLE_NONE},
    {"started", "TEXT", FTR_ROLE_NONE},
    {"ended", "TEXT", FTR_ROLE_NONE},
    {"exit_status", "", FTR_ROLE_NONE},
    {"tags", "TEXT", FTR_ROLE_NONE},
    {"info", "TEXT", FTR_ROLE_NONE},
    {"summary", "TEXT", FTR_ROLE_NONE},
    {"identity", "TEXT", FTR_ROLE_NONE},
    {"first_time_s", "REAL HIDDEN", FTR_ROLE_NONE},
    {"last_time_s", "REAL HIDDEN", FTR_ROLE_NONE},
};

/* Gets the first begin and the latest end of all transactions. @return false if there is none */
static bool get_times(const ftr_run_record *run, uint64_t *first, uint64_t *last)
{
    bool has_times = false;
    *first = UINT64_MAX;
    *last = 0;
    for (size_t i = 0; i < run->stream_count; i++)
        for (size_t k = 0; k < run->streams[i].generator_count; k++) {
            const ftr_generator_figures *generator = &run->streams[i].generators[k];
            if (!ftr_generator_has_transactions(generator))
                continue;
            has_times = true;
            *first = generator->first < *first ? generator->first : *first;
            *last = generator->last > *last ? generator->last : *last;
        }
    return has_times;
}

static void result_time(const ftr_summary_row *row, sqlite3_context *result, int number)
{
    uint64_t first;
    uint64_t last;
    if (!get_times(&row->run->record, &first, &last))
        return;
    const uint64_t ticks = number == RUN_FIRST_TIME || number == RUN_FIRST_SECONDS ? first : last;
    if (number == RUN_FIRST_TIME || number == RUN_LAST_TIME)
        ftr_sql_result_number(result, ticks);
    else
        ftr_summary_result_seconds(row, result, (long double)ticks);
}

static uint64_t count_generators(const ftr_run_record *run)
{
    uint64_t count = 0;
    for (size_t i = 0; i < run->stream_count; i++)
        count += run->streams[i].generator_count;
    return count;
}

/* All attributes of the stream `ftr.run` as a JSON object. A summary stores them as texts. */
static void result_info(const ftr_run_record *run, sqlite3_context *result)
{
    if (run->attribute_count == 0)
        return; /* the run has no stream ftr.run: the column is NULL */
    ftr_sql_json json;
    if (!ftr_sql_json_begin(&json)) {
        sqlite3_result_error_nomem(result);
        return;
    }
    for (size_t i = 0; i < run->attribute_count; i++) {
        const ftr_run_attribute *of = &run->attributes[i];
        const ftr_attribute_value value = {.form = FTR_FORM_TEXT,
                                           .as.text = {of->value.bytes, of->value.size}};
        ftr_sql_json_put(&json, (ftr_view){of->name.bytes, of->name.size}, &value);
    }
    ftr_sql_json_end(&json, result);
}

static void result_identity(const ftr_run_record *run, sqlite3_context *result)
{
    char text[2 * FTR_RUN_IDENTITY_SIZE + 1];
    for (size_t i = 0; i < FTR_RUN_IDENTITY_SIZE; i++)
        sqlite3_snprintf(3, text + 2 * i, "%02x", run->identity[i]);
    sqlite3_result_text(result, text, -1, SQLITE_TRANSIENT);
}

/* The columns that come from the stream `ftr.run`. */
static void result_of_program(const ftr_run_record *run, sqlite3_context *result, int number)
{
    const char *value = ftr_run_attribute_value(run, RUN_COLUMNS[number].name);
    if (value == NULL)
        return;
    if (number == RUN_PID || number == RUN_EXIT_STATUS)
        ftr_sql_result_decimal(result, (ftr_view){value, strlen(value)});
    else
        result_attribute(result, run, RUN_COLUMNS[number].name);
}

static void result_of_figures(const ftr_run_record *run, sqlite3_context *result, int number)
{
    const ftr_run_figures sums = ftr_run_figures_of(run);
    switch (number) {
    case RUN_STREAMS:
        ftr_sql_result_number(result, run->stream_count);
        break;
    case RUN_GENERATORS:
        ftr_sql_result_number(result, count_generators(run));
        break;
    case RUN_TRANSACTIONS:
        ftr_sql_result_number(result, run->transactions);
        break;
    case RUN_ERRORS:
        ftr_sql_result_number(result, sums.errors);
        break;
    case RUN_UNFINISHED:
        ftr_sql_result_number(result, sums.unfinished);
        break;
    case RUN_BYTES:
        ftr_sql_result_number(result, sums.bytes);
        break;
    default:
        ftr_sql_result_number(result, run->losses);
    }
}

static int run_column(const ftr_summary_row *row, sqlite3_context *result, int number)
{
    const ftr_run_record *run = &row->run->record;
    switch (number) {
    case RUN_FILE:
        ftr_summary_result_text(result, &run->file);
        break;
    case RUN_STATE:
        sqlite3_result_text(result, ftr_run_state_name(run->state), -1, SQLITE_STATIC);
        break;
    case RUN_TEST:
        ftr_summary_result_text(result, &run->test);
        break;
    case RUN_TIME_SCALE:
        if (run->stream_count > 0)
            sqlite3_result_int(result, run->time_scale);
        break;
    case RUN_FIRST_TIME:
    case RUN_LAST_TIME:
    case RUN_FIRST_SECONDS:
    case RUN_LAST_SECONDS:
        result_time(row, result, number);
        break;
    case RUN_SIGNAL:
        if (run->signal > 0)
            sqlite3_result_int64(result, run->signal);
        break;
    case RUN_PROBLEM:
        ftr_summary_result_text(result, &run->problem);
        break;
    case RUN_INFO:
        result_info(run, result);
        break;
    case RUN_SUMMARY:
        sqlite3_result_text(result, row->run->summary, -1, SQLITE_TRANSIENT);
        break;
    case RUN_IDENTITY:
        result_identity(run, result);
        break;
    default:
        if (number >= RUN_PROGRAM)
            result_of_program(run, result, number);
        else
            result_of_figures(run, result, number);
    }
    return SQLITE_OK;
}

const ftr_summary_kind ftr_summary_runs = {
    .name = "run",
    .columns = RUN_COLUMNS,
    .column_count = RUN_COLUMN_COUNT,
    .order = "run",
    .of_runs = true,
    .rows = 1,
    .column = run_column,
};

/* ---- stream ---------------------------------------------------------------------------------- */

enum {
    STREAM_RUN,
    STREAM_NAME,
    STREAM_KIND,
    STREAM_GENERATORS,
    STREAM_TRANSACTIONS,
    STREAM_BUSY,
    STREAM_OUTSTANDING,
    STREAM_LINK,
    STREAM_INITIATOR,
    STREAM_TARGET,
    STREAM_BUSY_SECONDS,
    STREAM_COLUMN_COUNT
};

static const ftr_sql_column STREAM_COLUMNS[] = {
    {"run", "INTEGER", FTR_ROLE_RUN},        {"name", "TEXT", FTR_ROLE_STREAM},
    {"kind", "TEXT", FTR_ROLE_NONE},         {"generators", "INTEGER", FTR_ROLE_NONE},
    {"transactions", "", FTR_ROLE_NONE},     {"busy", "", FTR_ROLE_NONE},
    {"outstanding", "", FTR_ROLE_NONE},      {"link", "TEXT", FTR_ROLE_NONE},
    {"initiator", "TEXT", FTR_ROLE_NONE},    {"target", "TEXT", FTR_ROLE_NONE},
    {"busy_s", "REAL HIDDEN", FTR_ROLE_NONE}};

static uint64_t count_streams(const ftr_stream_figures *stream,
                              const ftr_generator_figures *generator)
{
    (void)stream;
    return generator == NULL;
}

static void result_link(sqlite3_context *result, ftr_view text)
{
    if (text.size > 0)
        ftr_sql_result_view(result, text);
}

static int stream_column(const ftr_summary_row *row, sqlite3_context *result, int number)
{
    const ftr_stream_figures *stream = row->stream;
    const ftr_link_names *links = &row->run->links;
    const ftr_view name = {stream->name.bytes, stream->name.size};
    uint64_t transactions = 0;
    switch (number) {
    case STREAM_KIND:
        ftr_sql_result_view(result, (ftr_view){stream->kind.bytes, stream->kind.size});
        break;
    case STREAM_GENERATORS:
        ftr_sql_result_number(result, stream->generator_count);
        break;
    case STREAM_TRANSACTIONS:
        for (size_t i = 0; i < stream->generator_count; i++)
            transactions += stream->generators[i].latency.count;
        ftr_sql_result_number(result, transactions);
        break;
    case STREAM_BUSY:
        ftr_sql_result_number(result, stream->busy);
        break;
    case STREAM_BUSY_SECONDS:
        ftr_summary_result_seconds(row, result, (long double)stream->busy);
        break;
    case STREAM_OUTSTANDING:
        ftr_sql_result_number(result, stream->outstanding);
        break;
    case STREAM_LINK:
        result_link(result, ftr_link_label(links, name));
        break;
    case STREAM_INITIATOR:
        result_link(result, ftr_link_initiator(links, name));
        break;
    default:
        result_link(result, ftr_link_target(links, name));
    }
    return SQLITE_OK;
}

const ftr_summary_kind ftr_summary_streams = {
    .name = "stream",
    .columns = STREAM_COLUMNS,
    .column_count = STREAM_COLUMN_COUNT,
    .order = "run,name",
    .rows = 10,
    .count = count_streams,
    .column = stream_column,
};
