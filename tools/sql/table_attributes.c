/* The table `attribute`: one row for each attribute of each transaction. */
#include "table_cursor.h"

#include "sql_value.h"
#include "attribute_types.h"

enum {
    COLUMN_RUN,
    COLUMN_TX,
    COLUMN_NUMBER,
    COLUMN_NAME,
    COLUMN_CLASS,
    COLUMN_TYPE,
    COLUMN_VALUE,
    COLUMN_STREAM,
    COLUMN_GENERATOR,
    COLUMN_BEGIN,
    COLUMN_END,
    COLUMN_CHUNK,
    COLUMN_WITHIN,
    COLUMN_COUNT
};

static const ftr_sql_column COLUMNS[] = {
    {"run", "INTEGER", FTR_ROLE_RUN},
    {"tx", "", FTR_ROLE_ID},
    {"number", "INTEGER", FTR_ROLE_NONE},
    {"name", "TEXT", FTR_ROLE_NONE},
    {"class", "TEXT", FTR_ROLE_NONE},
    {"type", "TEXT", FTR_ROLE_NONE},
    {"value", "", FTR_ROLE_NONE},
    {"stream", "TEXT HIDDEN", FTR_ROLE_STREAM},
    {"generator", "TEXT HIDDEN", FTR_ROLE_GENERATOR},
    {"begin", "BLOB HIDDEN", FTR_ROLE_BEGIN},
    {"end", "BLOB HIDDEN", FTR_ROLE_END},
    {"chunk", "INTEGER HIDDEN", FTR_ROLE_NONE},
    {"within", "INTEGER HIDDEN", FTR_ROLE_NONE},
};

static int start(ftr_sql_cursor *cursor)
{
    cursor->row = 0;
    return ftr_transaction_scan_start(cursor);
}

/* Moves to the next attribute of the current transaction, or to the next transaction. `row` - 1 is
 * the number of attributes of the current transaction that were read so far. `row` is 0 before the
 * first transaction. */
static int next(ftr_sql_cursor *cursor)
{
    while (cursor->row == 0 ||
           !ftr_reader_next_attribute(cursor->trace->reader, &cursor->tx, &cursor->attribute)) {
        cursor->row = 0;
        const int result = ftr_transaction_scan_next(cursor);
        if (result != SQLITE_OK)
            return result;
        cursor->row = 1;
    }
    cursor->row++;
    cursor->decoded_at = cursor->trace->moves;
    return SQLITE_OK;
}

/* Decodes the current attribute again if another cursor has invalidated its texts. */
static void refresh(ftr_sql_cursor *cursor)
{
    if (cursor->decoded_at == cursor->trace->moves)
        return;
    ftr_transaction_rewind(&cursor->tx);
    for (size_t i = 1; i < cursor->row; i++)
        (void)ftr_reader_next_attribute(cursor->trace->reader, &cursor->tx, &cursor->attribute);
    cursor->decoded_at = cursor->trace->moves;
}

static int column(ftr_sql_cursor *cursor, sqlite3_context *result, int number)
{
    static const char *const CLASSES[] = {"begin", "record", "end"};
    const ftr_attribute_value *attribute = &cursor->attribute;
    switch (number) {
    case COLUMN_NUMBER:
        sqlite3_result_int64(result, (sqlite3_int64)cursor->row - 1);
        break;
    case COLUMN_NAME:
        refresh(cursor);
        ftr_sql_result_view(result, attribute->name);
        break;
    case COLUMN_CLASS:
        sqlite3_result_text(result, CLASSES[attribute->class_], -1, SQLITE_STATIC);
        break;
    case COLUMN_TYPE:
        sqlite3_result_text(result, ftr_type_name((unsigned)attribute->type), -1, SQLITE_STATIC);
        break;
    case COLUMN_VALUE:
        refresh(cursor);
        ftr_sql_result_attribute(result, attribute);
        break;
    case COLUMN_CHUNK:
        ftr_sql_result_number(result, cursor->tx.chunk_offset);
        break;
    default:
        ftr_sql_result_number(result, cursor->tx.chunk_within);
    }
    return SQLITE_OK;
}

const ftr_sql_kind ftr_sql_attributes = {
    .name = "attribute",
    .columns = COLUMNS,
    .column_count = COLUMN_COUNT,
    .key = "run, chunk, within, number",
    .of_transactions = true,
    .part = FTR_PART_TRANSACTIONS,
    .rows_in_kilobyte = 80,
    .ids_in_kilobyte = 35,
    .row_cost = 1.5,
    .rows_of_id = 4,
    .start = start,
    .next = next,
    .column = column,
    .stop = ftr_transaction_scan_stop,
};
