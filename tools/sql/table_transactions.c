/* The table `tx`: one row for each transaction. The table of a single generator also has
 * columns for the attributes of the generator. */
#include "table_cursor.h"

#include "sql_value.h"

#include <stdlib.h>
#include <string.h>

enum {
    COLUMN_RUN,
    COLUMN_ID,
    COLUMN_STREAM,
    COLUMN_GENERATOR,
    COLUMN_BEGIN,
    COLUMN_END,
    COLUMN_DURATION,
    COLUMN_BEGIN_SECONDS,
    COLUMN_END_SECONDS,
    COLUMN_DURATION_SECONDS,
    COLUMN_STREAM_ID,
    COLUMN_GENERATOR_ID,
    COLUMN_LINK,
    COLUMN_ATTRIBUTES,
    COLUMN_CHUNK,
    COLUMN_WITHIN,
    COLUMN_COUNT
};

static const ftr_sql_column COLUMNS[] = {
    {"run", "INTEGER", FTR_ROLE_RUN},
    {"id", "", FTR_ROLE_ID},
    {"stream", "TEXT", FTR_ROLE_STREAM},
    {"generator", "TEXT", FTR_ROLE_GENERATOR},
    {"begin", "", FTR_ROLE_BEGIN},
    {"end", "", FTR_ROLE_END},
    {"duration", "", FTR_ROLE_NONE},
    {"begin_s", "REAL", FTR_ROLE_BEGIN_SECONDS},
    {"end_s", "REAL", FTR_ROLE_END_SECONDS},
    {"duration_s", "REAL", FTR_ROLE_NONE},
    {"stream_id", "BLOB HIDDEN", FTR_ROLE_STREAM_ID},
    {"generator_id", "BLOB HIDDEN", FTR_ROLE_GENERATOR_ID},
    {"link", "TEXT HIDDEN", FTR_ROLE_NONE},
    {"attributes", "TEXT HIDDEN", FTR_ROLE_NONE},
    {"chunk", "INTEGER HIDDEN", FTR_ROLE_NONE},
    {"within", "INTEGER HIDDEN", FTR_ROLE_NONE},
};

/* ---- attributes ------------------------------------------------------------------------------ */

static int result_attributes(ftr_sql_cursor *cursor, sqlite3_context *result)
{
    ftr_sql_json json;
    if (!ftr_sql_json_begin(&json))
        return SQLITE_NOMEM;
    ftr_attribute_value attribute;
    ftr_transaction_rewind(&cursor->tx);
    while (ftr_reader_next_attribute(cursor->trace->reader, &cursor->tx, &attribute))
        ftr_sql_json_put(&json, attribute.name, &attribute);
    ftr_sql_json_end(&json, result);
    return SQLITE_OK;
}

/* Decodes the attributes of the current row; index of `values`: number of the column. If an
 * attribute was recorded more than once, the last value is used. */
static void decode(ftr_sql_cursor *cursor)
{
    const ftr_generator_columns *columns = &cursor->table->columns;
    ftr_attribute_value attribute;
    memset(cursor->has_value, 0, columns->count * sizeof *cursor->has_value);
    ftr_transaction_rewind(&cursor->tx);
    size_t expected = 0; /* column to try first: attributes are usually in the order of columns */
    while (ftr_reader_next_attribute(cursor->trace->reader, &cursor->tx, &attribute)) {
        const ftr_generator_column *column = &columns->columns[expected];
        size_t index = expected;
        if (expected >= columns->count || column->class_ != attribute.class_ ||
            column->size != attribute.name.size || attribute.name.data == NULL ||
            memcmp(column->name, attribute.name.data, column->size) != 0)
            index = attribute.name.data != NULL ? ftr_generator_columns_index(columns, &attribute)
                                                : columns->count;
        if (index == columns->count)
            continue;
        cursor->values[index] = attribute;
        cursor->has_value[index] = true;
        expected = index + 1;
    }
    cursor->decoded_at = cursor->trace->moves;
}

static int result_column_of_generator(ftr_sql_cursor *cursor, sqlite3_context *result, size_t index)
{
    if (cursor->values == NULL) {
        const size_t count = cursor->table->columns.count;
        cursor->values = calloc(count, sizeof *cursor->values);
        cursor->has_value = calloc(count, sizeof *cursor->has_value);
        if (cursor->values == NULL || cursor->has_value == NULL)
            return SQLITE_NOMEM;
    }
    if (cursor->decoded_at != cursor->trace->moves)
        decode(cursor);
    if (cursor->has_value[index])
        ftr_sql_result_attribute(result, &cursor->values[index]);
    return SQLITE_OK;
}

/* ---- columns --------------------------------------------------------------------------------- */

static void result_duration(const ftr_transaction *tx, sqlite3_context *result)
{
    if (tx->end >= tx->begin)
        ftr_sql_result_number(result, tx->end - tx->begin);
    else /* damaged file */
        ftr_sql_result_negative(result, tx->begin - tx->end);
}

static double duration_seconds(const ftr_sql_cursor *cursor)
{
    const ftr_transaction *tx = &cursor->tx;
    return tx->end >= tx->begin ? ftr_sql_seconds(cursor->trace, tx->end - tx->begin)
                                : -ftr_sql_seconds(cursor->trace, tx->begin - tx->end);
}

static int column(ftr_sql_cursor *cursor, sqlite3_context *result, int number)
{
    const ftr_transaction *tx = &cursor->tx;
    switch (number) {
    case COLUMN_DURATION:
        result_duration(tx, result);
        return SQLITE_OK;
    case COLUMN_DURATION_SECONDS:
        sqlite3_result_double(result, duration_seconds(cursor));
        return SQLITE_OK;
    case COLUMN_LINK:
        return ftr_sql_result_link(cursor->trace, result, FTR_SQL_LABEL, tx->stream);
    case COLUMN_ATTRIBUTES:
        return result_attributes(cursor, result);
    case COLUMN_CHUNK:
        ftr_sql_result_number(result, tx->chunk_offset);
        return SQLITE_OK;
    case COLUMN_WITHIN:
        ftr_sql_result_number(result, tx->chunk_within);
        return SQLITE_OK;
    default: {
        const size_t index = (size_t)(number - COLUMN_COUNT);
        return index < cursor->table->columns.count
                   ? result_column_of_generator(cursor, result, index)
                   : SQLITE_OK;
    }
    }
}

const ftr_sql_kind ftr_sql_transactions = {
    .name = "tx",
    .columns = COLUMNS,
    .column_count = COLUMN_COUNT,
    .key = "run, chunk, within",
    .of_transactions = true,
    .part = FTR_PART_TRANSACTIONS,
    .rows_in_kilobyte = 35,
    .ids_in_kilobyte = 35,
    .row_cost = 1,
    .rows_of_id = 1,
    .start = ftr_transaction_scan_start,
    .next = ftr_transaction_scan_next,
    .column = column,
    .stop = ftr_transaction_scan_stop,
};
