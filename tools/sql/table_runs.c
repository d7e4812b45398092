/* The table `run`: one row for each trace, with the information about the program in its
 * stream `ftr.run`. */
#include "table_cursor.h"

#include "growing_array.h"
#include "stream_name_rules.h"
#include "sql_value.h"
#include "text_view.h"

#include <stdlib.h>
#include <string.h>

enum {
    COLUMN_RUN,
    COLUMN_FILE,
    COLUMN_STATE,
    COLUMN_TIME_SCALE,
    COLUMN_EPOCH,
    COLUMN_SIZE,
    COLUMN_FIRST_TIME,
    COLUMN_LAST_TIME,
    COLUMN_STREAMS,
    COLUMN_GENERATORS,
    COLUMN_TRANSACTIONS, /* the columns from here to `info` come from ftr.run */
    COLUMN_PROGRAM,
    COLUMN_ARGUMENTS,
    COLUMN_HOST,
    COLUMN_PID,
    COLUMN_STARTED,
    COLUMN_ENDED,
    COLUMN_EXIT_STATUS,
    COLUMN_TAGS,
    COLUMN_INFO,
    COLUMN_COUNT
};

/* The columns of ftr.run have no type: a program may record a value of any type. */
static const ftr_sql_column COLUMNS[] = {
    {"run", "INTEGER", FTR_ROLE_RUN},
    {"file", "TEXT", FTR_ROLE_NONE},
    {"state", "TEXT", FTR_ROLE_NONE},
    {"time_scale", "INTEGER", FTR_ROLE_NONE},
    {"epoch", "INTEGER", FTR_ROLE_NONE},
    {"size", "INTEGER", FTR_ROLE_NONE},
    {"first_time", "", FTR_ROLE_NONE},
    {"last_time", "", FTR_ROLE_NONE},
    {"streams", "INTEGER", FTR_ROLE_NONE},
    {"generators", "INTEGER", FTR_ROLE_NONE},
    {"transactions", "", FTR_ROLE_NONE},
    {"program", "", FTR_ROLE_NONE},
    {"arguments", "", FTR_ROLE_NONE},
    {"host", "", FTR_ROLE_NONE},
    {"pid", "", FTR_ROLE_NONE},
    {"started", "", FTR_ROLE_NONE},
    {"ended", "", FTR_ROLE_NONE},
    {"exit_status", "", FTR_ROLE_NONE},
    {"tags", "", FTR_ROLE_NONE},
    {"info", "TEXT", FTR_ROLE_NONE},
};

/* ---- ftr.run --------------------------------------------------------------------------------- */

/* An attribute of the stream `ftr.run`. If there are several with the same name, the last one is
 * used. */
typedef struct run_attribute {
    char *name;
    char *text; /* the value if it is a text, else NULL */
    ftr_attribute_value value;
} run_attribute;

struct ftr_run_info {
    run_attribute *attributes;
    size_t count, capacity;
};

static void free_info(struct ftr_run_info *info)
{
    if (info == NULL)
        return;
    for (size_t i = 0; i < info->count; i++) {
        free(info->attributes[i].name);
        free(info->attributes[i].text);
    }
    free(info->attributes);
    free(info);
}

static bool keep(struct ftr_run_info *info, const ftr_attribute_value *attribute)
{
    const bool has_text = attribute->form == FTR_FORM_TEXT;
    run_attribute kept = {.name = ftr_text_duplicate(attribute->name.data, attribute->name.size),
                          .value = *attribute};
    if (has_text)
        kept.text = ftr_text_duplicate(attribute->as.text.data, attribute->as.text.size);
    if (!ftr_array_grow(&info->attributes, &info->capacity, info->count,
                        sizeof *info->attributes) ||
        kept.name == NULL || (has_text && kept.text == NULL)) {
        free(kept.name);
        free(kept.text);
        return false;
    }
    if (has_text)
        kept.value.as.text.data = kept.text;
    info->attributes[info->count++] = kept;
    return true;
}

static bool is_run_stream(void *user, const ftr_stream_info *stream)
{
    (void)user;
    return ftr_view_is(stream->name, FTR_RUN_STREAM);
}

static int read_info(ftr_sql_cursor *cursor)
{
    const ftr_query query = {.size = sizeof query, .choose_stream = is_run_stream};
    ftr_reader *reader = cursor->trace->reader;
    ftr_cursor *pass;
    cursor->run_info = calloc(1, sizeof *cursor->run_info);
    if (cursor->run_info == NULL)
        return SQLITE_NOMEM;
    ftr_status status = ftr_cursor_open(reader, &query, &pass);
    if (status != FTR_OK)
        return ftr_sql_fail_reading(cursor, status);
    ftr_transaction tx;
    ftr_attribute_value attribute;
    bool is_kept = true;
    cursor->trace->moves++;
    while (is_kept && (status = ftr_cursor_next(pass, &tx)) == FTR_OK)
        while (is_kept && ftr_reader_next_attribute(reader, &tx, &attribute))
            is_kept = attribute.name.data == NULL ||
                      (attribute.form == FTR_FORM_TEXT && attribute.as.text.data == NULL) ||
                      keep(cursor->run_info, &attribute);
    ftr_cursor_close(pass);
    if (!is_kept)
        return SQLITE_NOMEM;
    return status == FTR_ERR_END ? SQLITE_OK : ftr_sql_fail_reading(cursor, status);
}

static void result_named(const struct ftr_run_info *info, sqlite3_context *result, const char *name)
{
    for (size_t i = info->count; i-- > 0;)
        if (strcmp(info->attributes[i].name, name) == 0) {
            ftr_sql_result_attribute(result, &info->attributes[i].value);
            return;
        }
}

static void result_info(ftr_sql_cursor *cursor, sqlite3_context *result)
{
    const struct ftr_run_info *info = cursor->run_info;
    if (info->count == 0)
        return; /* the trace has no stream ftr.run: the column is NULL */
    ftr_sql_json json;
    if (!ftr_sql_json_begin(&json)) {
        sqlite3_result_error_nomem(result);
        return;
    }
    for (size_t i = 0; i < info->count; i++)
        ftr_sql_json_put(&json,
                         (ftr_view){info->attributes[i].name, strlen(info->attributes[i].name)},
                         &info->attributes[i].value);
    ftr_sql_json_end(&json, result);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void stop(ftr_sql_cursor *cursor)
{
    free_info(cursor->run_info);
    cursor->run_info = NULL;
}

static int start(ftr_sql_cursor *cursor)
{
    stop(cursor);
    cursor->row = 0;
    return SQLITE_OK;
}

static int next(ftr_sql_cursor *cursor)
{
    return cursor->row++ == 0 ? SQLITE_OK : SQLITE_DONE;
}

/* Returns the state of the file, as far as its index and earlier queries have shown it. Only `ftr
 * check` reads the whole file. */
static const char *state_of(const ftr_sql_trace *trace, const ftr_file_info *info)
{
    if (!info->ended && info->sound_size < info->size)
        return "torn";
    if (trace->errors > 0 || info->sound_size < info->size)
        return "damaged";
    return info->ended ? "sound" : "unfinished";
}

/* Generators that the file uses but does not define are found while it is read. They are not
 * counted, and have no row in the table `generator`. */
static uint64_t count_generators(const ftr_reader *reader)
{
    const size_t count = ftr_reader_generator_count(reader);
    uint64_t defined = 0;
    for (size_t i = 0; i < count; i++)
        defined += ftr_reader_get_generator(reader, i)->defined;
    return defined;
}

static void result_of_file(ftr_sql_cursor *cursor, sqlite3_context *result, int number)
{
    ftr_file_info info;
    ftr_reader_get_info(cursor->trace->reader, &info);
    switch (number) {
    case COLUMN_STATE:
        sqlite3_result_text(result, state_of(cursor->trace, &info), -1, SQLITE_STATIC);
        break;
    case COLUMN_TIME_SCALE:
        sqlite3_result_int(result, info.time_scale);
        break;
    case COLUMN_EPOCH:
        sqlite3_result_int64(result, info.epoch_seconds);
        break;
    case COLUMN_SIZE:
        ftr_sql_result_number(result, info.size);
        break;
    case COLUMN_FIRST_TIME:
        if (info.has_times)
            ftr_sql_result_number(result, info.first_time);
        break;
    case COLUMN_LAST_TIME:
        if (info.has_times)
            ftr_sql_result_number(result, info.last_time);
        break;
    case COLUMN_STREAMS:
        ftr_sql_result_number(result, ftr_reader_stream_count(cursor->trace->reader));
        break;
    default:
        ftr_sql_result_number(result, count_generators(cursor->trace->reader));
    }
}

static int column(ftr_sql_cursor *cursor, sqlite3_context *result, int number)
{
    if (number == COLUMN_FILE) {
        sqlite3_result_text(result, cursor->trace->path, -1, SQLITE_TRANSIENT);
        return SQLITE_OK;
    }
    if (number < COLUMN_TRANSACTIONS) {
        result_of_file(cursor, result, number);
        return SQLITE_OK;
    }
    if (cursor->run_info == NULL) {
        const int outcome = read_info(cursor);
        if (outcome != SQLITE_OK)
            return outcome;
    }
    if (number == COLUMN_INFO)
        result_info(cursor, result);
    else
        result_named(cursor->run_info, result, COLUMNS[number].name);
    return SQLITE_OK;
}

const ftr_sql_kind ftr_sql_runs = {
    .name = "run",
    .columns = COLUMNS,
    .column_count = COLUMN_COUNT,
    .key = "run",
    .rows_in_kilobyte = 0.001,
    .row_cost = 100,
    .start = start,
    .next = next,
    .column = column,
    .stop = stop,
};
