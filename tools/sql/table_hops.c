/* The table `hop`: one row for each access on each TLM link. An access to a target behind a bus is
 * one transaction for each link on its way (docs/attach.md); the relations PARENT_CHILD between
 * these transactions give the first one, and the distance from it. */
#include "table_cursor.h"

#include "event_names.h"
#include "sql_value.h"
#include "stream_name_rules.h"
#include "text_view.h"

enum {
    COLUMN_RUN,
    COLUMN_ACCESS,
    COLUMN_DEPTH,
    COLUMN_ID,
    COLUMN_PARENT,
    COLUMN_STREAM,
    COLUMN_LINK,
    COLUMN_INITIATOR,
    COLUMN_TARGET,
    COLUMN_GENERATOR,
    COLUMN_BEGIN,
    COLUMN_END,
    COLUMN_DURATION,
    COLUMN_ADDRESS,
    COLUMN_LENGTH,
    COLUMN_RESPONSE,
    COLUMN_IS_ERROR,
    COLUMN_CHUNK,
    COLUMN_WITHIN,
    COLUMN_COUNT
};

static const ftr_sql_column COLUMNS[] = {
    {"run", "INTEGER", FTR_ROLE_RUN},
    {"access", "", FTR_ROLE_NONE},
    {"depth", "INTEGER", FTR_ROLE_NONE},
    {"id", "", FTR_ROLE_ID},
    {"parent", "", FTR_ROLE_NONE},
    {"stream", "TEXT", FTR_ROLE_STREAM},
    {"link", "TEXT", FTR_ROLE_NONE},
    {"initiator", "TEXT", FTR_ROLE_NONE},
    {"target", "TEXT", FTR_ROLE_NONE},
    {"generator", "TEXT", FTR_ROLE_GENERATOR},
    {"begin", "", FTR_ROLE_BEGIN},
    {"end", "", FTR_ROLE_END},
    {"duration", "", FTR_ROLE_NONE},
    {"address", "", FTR_ROLE_NONE},
    {"length", "", FTR_ROLE_NONE},
    {"response", "TEXT", FTR_ROLE_NONE},
    {"is_error", "INTEGER", FTR_ROLE_NONE},
    {"chunk", "INTEGER HIDDEN", FTR_ROLE_NONE},
    {"within", "INTEGER HIDDEN", FTR_ROLE_NONE},
};

/* Chains of accesses are followed up to this depth, so that a damaged file whose relations form a
 * circle cannot stop a query. */
#define DEPTH_MAX 256u

static bool has_accesses(const ftr_stream_info *stream)
{
    return stream->kind.data != NULL && ftr_view_is(stream->kind, FTR_ACCESS_KIND);
}

/* ---- the chain ------------------------------------------------------------------------------- */

/* The search for the hop before an access. */
typedef struct parent_search {
    bool is_found;
    uint64_t parent;
} parent_search;

/* Stores the source of a relation to the access, if the source is an access and none was found
 * before. */
static void take(const ftr_sql_trace *trace, const ftr_relation_info *relation, const char *name,
                 size_t size, parent_search *search)
{
    const ftr_stream_info *stream =
        relation->has_streams ? ftr_reader_find_stream(trace->reader, relation->from_stream) : NULL;
    if (search->is_found || !ftr_text_is(name, size, FTR_PARENT_CHILD) ||
        relation->from_tx == relation->to_tx || (stream != NULL && !has_accesses(stream)))
        return;
    *search = (parent_search){true, relation->from_tx};
}

/* Without an index, reads the relations of the access. */
static int search_file(ftr_sql_cursor *cursor, uint64_t id, parent_search *search)
{
    ftr_sql_trace *trace = cursor->trace;
    ftr_relation_cursor *relations;
    ftr_relation_info relation;
    ftr_status status = ftr_relation_cursor_open(trace->reader, true, id, &relations);
    if (status != FTR_OK)
        return ftr_sql_fail_reading(cursor, status);
    while (!search->is_found && (status = ftr_relation_cursor_next(relations, &relation)) == FTR_OK)
        if (relation.to_tx == id && relation.name.data != NULL)
            take(trace, &relation, relation.name.data, relation.name.size, search);
    ftr_relation_cursor_close(relations);
    trace->moves++;
    return status == FTR_OK || status == FTR_ERR_END ? SQLITE_OK
                                                     : ftr_sql_fail_reading(cursor, status);
}

/* Finds the access of the hop before the access @p id. */
static int find_parent(ftr_sql_cursor *cursor, uint64_t id, parent_search *search)
{
    ftr_sql_trace *trace = cursor->trace;
    bool by_index;
    *search = (parent_search){0};
    const ftr_status status = ftr_relation_index_ask(
        &trace->relations, trace->reader, &trace->context->names,
        trace->context->memory / FTR_SQL_INDEX_SHARE, &trace->moves, &by_index);
    if (status != FTR_OK)
        return ftr_sql_fail_reading(cursor, status);
    if (!by_index)
        return search_file(cursor, id, search);
    size_t count;
    const ftr_relation_key *keys =
        ftr_relation_index_find(&trace->relations, FTR_RELATION_TO, id, &count);
    for (size_t i = 0; i < count; i++) {
        const ftr_indexed_relation *found = &trace->relations.relations[keys[i].relation];
        take(trace, &found->relation, found->name->text, found->name->size, search);
    }
    return SQLITE_OK;
}

static int result_chain(ftr_sql_cursor *cursor, sqlite3_context *result, int number)
{
    uint64_t id = cursor->tx.id;
    parent_search search;
    unsigned depth = 0;
    for (; depth < DEPTH_MAX; depth++) {
        const int outcome = find_parent(cursor, id, &search);
        if (outcome != SQLITE_OK)
            return outcome;
        if (number == COLUMN_PARENT || !search.is_found)
            break;
        id = search.parent;
    }
    if (number == COLUMN_ACCESS)
        ftr_sql_result_number(result, id);
    else if (number == COLUMN_DEPTH)
        sqlite3_result_int(result, (int)depth);
    else if (search.is_found)
        ftr_sql_result_number(result, search.parent);
    return SQLITE_OK;
}

/* ---- attributes ------------------------------------------------------------------------------ */

static bool find_attribute(ftr_sql_cursor *cursor, const char *name, ftr_attribute_value *found)
{
    ftr_transaction_rewind(&cursor->tx);
    while (ftr_reader_next_attribute(cursor->trace->reader, &cursor->tx, found))
        if (found->name.data != NULL && ftr_view_is(found->name, name))
            return true;
    return false;
}

static void result_attribute(ftr_sql_cursor *cursor, sqlite3_context *result, const char *name)
{
    ftr_attribute_value attribute;
    if (find_attribute(cursor, name, &attribute))
        ftr_sql_result_attribute(result, &attribute);
}

/* Sets the result to 1 if the access has an error, by the rule of the figures: the response has one
 * of the five error names, or the access ended without a response. */
static void result_error(ftr_sql_cursor *cursor, sqlite3_context *result)
{
    static const char *const ERRORS[] = {"GENERIC_ERROR", "ADDRESS_ERROR", "COMMAND_ERROR",
                                         "BURST_ERROR", "BYTE_ENABLE_ERROR"};
    ftr_attribute_value attribute, unfinished;
    bool is_error = false;
    if (find_attribute(cursor, "response", &attribute) && attribute.form == FTR_FORM_TEXT &&
        attribute.as.text.data != NULL) {
        const ftr_view text = attribute.as.text;
        is_error = ftr_view_is(text, "INCOMPLETE");
        for (size_t i = 0; i < sizeof ERRORS / sizeof ERRORS[0]; i++)
            is_error |= ftr_view_is(text, ERRORS[i]);
        if (is_error && ftr_view_is(text, "INCOMPLETE"))
            is_error = !(find_attribute(cursor, "unfinished", &unfinished) &&
                         unfinished.form == FTR_FORM_BOOLEAN && unfinished.as.boolean);
    }
    sqlite3_result_int(result, is_error);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Returns true for an access; events of accesses are in the same stream. */
static bool is_access(const ftr_transaction *tx)
{
    const ftr_view name = tx->generator->name;
    return has_accesses(tx->stream) &&
           (name.data == NULL || !ftr_is_events_name(name.data, name.size));
}

static int next(ftr_sql_cursor *cursor)
{
    int result;
    do
        result = ftr_transaction_scan_next(cursor);
    while (result == SQLITE_OK && !is_access(&cursor->tx));
    return result;
}

static int column(ftr_sql_cursor *cursor, sqlite3_context *result, int number)
{
    const ftr_transaction *tx = &cursor->tx;
    switch (number) {
    case COLUMN_ACCESS:
    case COLUMN_DEPTH:
    case COLUMN_PARENT:
        return result_chain(cursor, result, number);
    case COLUMN_LINK:
        return ftr_sql_result_link(cursor->trace, result, FTR_SQL_LABEL, tx->stream);
    case COLUMN_INITIATOR:
        return ftr_sql_result_link(cursor->trace, result, FTR_SQL_INITIATOR, tx->stream);
    case COLUMN_TARGET:
        return ftr_sql_result_link(cursor->trace, result, FTR_SQL_TARGET, tx->stream);
    case COLUMN_DURATION:
        ftr_sql_result_number(result, tx->end > tx->begin ? tx->end - tx->begin : 0);
        return SQLITE_OK;
    case COLUMN_ADDRESS:
        result_attribute(cursor, result, "address");
        return SQLITE_OK;
    case COLUMN_LENGTH:
        result_attribute(cursor, result, "length");
        return SQLITE_OK;
    case COLUMN_RESPONSE:
        result_attribute(cursor, result, "response");
        return SQLITE_OK;
    case COLUMN_IS_ERROR:
        result_error(cursor, result);
        return SQLITE_OK;
    case COLUMN_CHUNK:
        ftr_sql_result_number(result, tx->chunk_offset);
        return SQLITE_OK;
    default:
        ftr_sql_result_number(result, tx->chunk_within);
        return SQLITE_OK;
    }
}

const ftr_sql_kind ftr_sql_hops = {
    .name = "hop",
    .columns = COLUMNS,
    .column_count = COLUMN_COUNT,
    .key = "run, chunk, within",
    .of_transactions = true,
    .part = FTR_PART_TRANSACTIONS,
    .rows_in_kilobyte = 35,
    .ids_in_kilobyte = 35,
    .row_cost = 1,
    .rows_of_id = 1,
    .wants_stream = has_accesses,
    .start = ftr_transaction_scan_start,
    .next = next,
    .column = column,
    .stop = ftr_transaction_scan_stop,
};
