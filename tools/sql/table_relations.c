/* The table `relation`: one row for each relation between two transactions. */
#include "table_cursor.h"

#include "sql_value.h"

enum {
    COLUMN_RUN,
    COLUMN_NAME,
    COLUMN_FROM,
    COLUMN_TO,
    COLUMN_FROM_STREAM,
    COLUMN_TO_STREAM,
    COLUMN_CHUNK,
    COLUMN_WITHIN,
    COLUMN_COUNT
};

static const ftr_sql_column COLUMNS[] = {
    {"run", "INTEGER", FTR_ROLE_RUN},
    {"name", "TEXT", FTR_ROLE_NONE},
    {"from_tx", "", FTR_ROLE_FROM},
    {"to_tx", "", FTR_ROLE_TO},
    {"from_stream", "TEXT", FTR_ROLE_NONE},
    {"to_stream", "TEXT", FTR_ROLE_NONE},
    {"chunk", "INTEGER HIDDEN", FTR_ROLE_NONE},
    {"within", "INTEGER HIDDEN", FTR_ROLE_NONE},
};

static void stop(ftr_sql_cursor *cursor)
{
    cursor->keys_left = 0;
    cursor->by_index = false;
    ftr_relation_cursor_close(cursor->relations);
    cursor->relations = NULL;
}

/* Looks up the relations of a transaction, if there is an index. */
static int look_up(ftr_sql_cursor *cursor)
{
    const ftr_sql_bounds *bounds = &cursor->bounds;
    ftr_sql_trace *trace = cursor->trace;
    const ftr_status status = ftr_relation_index_ask(
        &trace->relations, trace->reader, &trace->context->names,
        trace->context->memory / FTR_SQL_INDEX_SHARE, &trace->moves, &cursor->by_index);
    if (status != FTR_OK)
        return ftr_sql_fail_reading(cursor, status);
    if (cursor->by_index)
        cursor->keys = ftr_relation_index_find(
            &trace->relations, bounds->has_tx_from ? FTR_RELATION_FROM : FTR_RELATION_TO,
            bounds->has_tx_from ? bounds->tx_from : bounds->tx_to, &cursor->keys_left);
    return SQLITE_OK;
}

static int start(ftr_sql_cursor *cursor)
{
    const ftr_sql_bounds *bounds = &cursor->bounds;
    stop(cursor);
    if (bounds->has_tx_from || bounds->has_tx_to) {
        const int result = look_up(cursor);
        if (result != SQLITE_OK || cursor->by_index)
            return result;
    }
    const ftr_status status = ftr_relation_cursor_open(
        cursor->trace->reader, bounds->has_tx_from || bounds->has_tx_to,
        bounds->has_tx_from ? bounds->tx_from : bounds->tx_to, &cursor->relations);
    return status == FTR_OK ? SQLITE_OK : ftr_sql_fail_reading(cursor, status);
}

static bool matches(const ftr_sql_bounds *bounds, const ftr_relation_info *relation)
{
    return (!bounds->has_tx_from || relation->from_tx == bounds->tx_from) &&
           (!bounds->has_tx_to || relation->to_tx == bounds->tx_to);
}

static int next_of_index(ftr_sql_cursor *cursor)
{
    while (cursor->keys_left > 0) {
        cursor->keys_left--;
        const ftr_indexed_relation *found =
            &cursor->trace->relations.relations[cursor->keys++->relation];
        cursor->relation = found->relation;
        cursor->relation_name = found->name;
        if (matches(&cursor->bounds, &cursor->relation))
            return SQLITE_OK;
    }
    return SQLITE_DONE;
}

static int next(ftr_sql_cursor *cursor)
{
    ftr_status status;
    if (cursor->by_index)
        return next_of_index(cursor);
    do {
        cursor->trace->moves++;
        status = ftr_relation_cursor_next(cursor->relations, &cursor->relation);
    } while (status == FTR_OK && !matches(&cursor->bounds, &cursor->relation));
    if (status == FTR_ERR_END)
        return SQLITE_DONE;
    if (status != FTR_OK)
        return ftr_sql_fail_reading(cursor, status);
    /* The name is interned now, because another cursor of the same reader may later invalidate the
     * text of the name. */
    cursor->relation_name = ftr_sql_intern(&cursor->trace->context->names, cursor->relation.name);
    return cursor->relation_name != NULL ? SQLITE_OK : SQLITE_NOMEM;
}

static void result_stream(ftr_sql_cursor *cursor, sqlite3_context *result, uint64_t id)
{
    const ftr_stream_info *stream = ftr_reader_find_stream(cursor->trace->reader, id);
    if (cursor->relation.has_streams && stream != NULL)
        ftr_sql_result_name(result, ftr_sql_stream_name(cursor->trace, stream));
}

static int column(ftr_sql_cursor *cursor, sqlite3_context *result, int number)
{
    const ftr_relation_info *relation = &cursor->relation;
    switch (number) {
    case COLUMN_NAME:
        if (relation->name.data != NULL)
            ftr_sql_result_name(result, cursor->relation_name);
        break;
    case COLUMN_FROM:
        ftr_sql_result_number(result, relation->from_tx);
        break;
    case COLUMN_TO:
        ftr_sql_result_number(result, relation->to_tx);
        break;
    case COLUMN_FROM_STREAM:
        result_stream(cursor, result, relation->from_stream);
        break;
    case COLUMN_TO_STREAM:
        result_stream(cursor, result, relation->to_stream);
        break;
    case COLUMN_CHUNK:
        ftr_sql_result_number(result, relation->chunk_offset);
        break;
    default:
        ftr_sql_result_number(result, relation->chunk_within);
    }
    return SQLITE_OK;
}

const ftr_sql_kind ftr_sql_relations = {
    .name = "relation",
    .columns = COLUMNS,
    .column_count = COLUMN_COUNT,
    .key = "run, chunk, within",
    .part = FTR_PART_RELATIONS,
    .rows_in_kilobyte = 100,
    .ids_in_kilobyte = 100,
    .row_cost = 1,
    .rows_of_id = 4,
    .start = start,
    .next = next,
    .column = column,
    .stop = stop,
};
