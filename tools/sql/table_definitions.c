/* The tables `stream` and `generator`: the definitions of a trace. Reads only the index of the
 * trace. */
#include "table_cursor.h"

#include "sql_value.h"

static int start(ftr_sql_cursor *cursor)
{
    cursor->row = 0; /* rows are numbered from 1 */
    return SQLITE_OK;
}

static void stop(ftr_sql_cursor *cursor)
{
    cursor->row = 0;
}

/* ---- stream ---------------------------------------------------------------------------------- */

enum {
    STREAM_RUN,
    STREAM_ID,
    STREAM_NAME,
    STREAM_KIND,
    STREAM_CHUNKS,
    STREAM_BYTES,
    STREAM_BYTES_EXPANDED,
    STREAM_FIRST_TIME,
    STREAM_LAST_TIME,
    STREAM_LINK,
    STREAM_INITIATOR,
    STREAM_TARGET,
    STREAM_COLUMN_COUNT
};

static const ftr_sql_column STREAM_COLUMNS[] = {
    {"run", "INTEGER", FTR_ROLE_RUN},
    {"id", "", FTR_ROLE_NONE},
    {"name", "TEXT", FTR_ROLE_NONE},
    {"kind", "TEXT", FTR_ROLE_NONE},
    {"chunks", "INTEGER", FTR_ROLE_NONE},
    {"bytes", "INTEGER", FTR_ROLE_NONE},
    {"bytes_expanded", "INTEGER", FTR_ROLE_NONE},
    {"first_time", "", FTR_ROLE_NONE},
    {"last_time", "", FTR_ROLE_NONE},
    {"link", "TEXT", FTR_ROLE_NONE},
    {"initiator", "TEXT", FTR_ROLE_NONE},
    {"target", "TEXT", FTR_ROLE_NONE},
};

static int next_stream(ftr_sql_cursor *cursor)
{
    return cursor->row++ < ftr_reader_stream_count(cursor->trace->reader) ? SQLITE_OK : SQLITE_DONE;
}

static int stream_column(ftr_sql_cursor *cursor, sqlite3_context *result, int number)
{
    const ftr_stream_info *stream = ftr_reader_get_stream(cursor->trace->reader, cursor->row - 1);
    switch (number) {
    case STREAM_ID:
        ftr_sql_result_number(result, stream->id);
        break;
    case STREAM_NAME:
        ftr_sql_result_view(result, stream->name);
        break;
    case STREAM_KIND:
        ftr_sql_result_view(result, stream->kind);
        break;
    case STREAM_CHUNKS:
        ftr_sql_result_number(result, stream->chunks);
        break;
    case STREAM_BYTES:
        ftr_sql_result_number(result, stream->bytes);
        break;
    case STREAM_BYTES_EXPANDED:
        ftr_sql_result_number(result, stream->bytes_expanded);
        break;
    case STREAM_FIRST_TIME:
        if (stream->chunks > 0)
            ftr_sql_result_number(result, stream->first_time);
        break;
    case STREAM_LAST_TIME:
        if (stream->chunks > 0)
            ftr_sql_result_number(result, stream->last_time);
        break;
    case STREAM_LINK:
        return ftr_sql_result_link(cursor->trace, result, FTR_SQL_LABEL, stream);
    case STREAM_INITIATOR:
        return ftr_sql_result_link(cursor->trace, result, FTR_SQL_INITIATOR, stream);
    default:
        return ftr_sql_result_link(cursor->trace, result, FTR_SQL_TARGET, stream);
    }
    return SQLITE_OK;
}

const ftr_sql_kind ftr_sql_streams = {
    .name = "stream",
    .columns = STREAM_COLUMNS,
    .column_count = STREAM_COLUMN_COUNT,
    .key = "run, id",
    .rows_in_kilobyte = 0.01,
    .row_cost = 1,
    .start = start,
    .next = next_stream,
    .column = stream_column,
    .stop = stop,
};

/* ---- generator ------------------------------------------------------------------------------- */

enum {
    GENERATOR_RUN,
    GENERATOR_ID,
    GENERATOR_NAME,
    GENERATOR_STREAM,
    GENERATOR_STREAM_ID,
    GENERATOR_TABLE,
    GENERATOR_COLUMN_COUNT
};

static const ftr_sql_column GENERATOR_COLUMNS[] = {
    {"run", "INTEGER", FTR_ROLE_RUN}, {"id", "", FTR_ROLE_NONE},
    {"name", "TEXT", FTR_ROLE_NONE},  {"stream", "TEXT", FTR_ROLE_NONE},
    {"stream_id", "", FTR_ROLE_NONE}, {"table_name", "TEXT", FTR_ROLE_NONE},
};

/* Generators that the file uses but does not define have no row. Their ids are visible only in the
 * column generator_id of their transactions. */
static int next_generator(ftr_sql_cursor *cursor)
{
    const ftr_reader *reader = cursor->trace->reader;
    while (cursor->row < ftr_reader_generator_count(reader))
        if (ftr_reader_get_generator(reader, cursor->row++)->defined)
            return SQLITE_OK;
    return SQLITE_DONE;
}

static int generator_column(ftr_sql_cursor *cursor, sqlite3_context *result, int number)
{
    const ftr_generator_info *generator =
        ftr_reader_get_generator(cursor->trace->reader, cursor->row - 1);
    switch (number) {
    case GENERATOR_ID:
        ftr_sql_result_number(result, generator->id);
        break;
    case GENERATOR_NAME:
        ftr_sql_result_view(result, generator->name);
        break;
    case GENERATOR_STREAM:
        ftr_sql_result_view(result, generator->stream->name);
        break;
    case GENERATOR_STREAM_ID:
        ftr_sql_result_number(result, generator->stream->id);
        break;
    default: {
        ftr_sql_trace *trace = cursor->trace;
        const char *table = ftr_table_names_get(&trace->context->tables,
                                                ftr_sql_stream_name(trace, generator->stream),
                                                ftr_sql_generator_name(trace, generator));
        if (table != NULL)
            sqlite3_result_text(result, table, -1, SQLITE_TRANSIENT);
    }
    }
    return SQLITE_OK;
}

const ftr_sql_kind ftr_sql_generators = {
    .name = "generator",
    .columns = GENERATOR_COLUMNS,
    .column_count = GENERATOR_COLUMN_COUNT,
    .key = "run, id",
    .rows_in_kilobyte = 0.02,
    .row_cost = 1,
    .start = start,
    .next = next_generator,
    .column = generator_column,
    .stop = stop,
};
