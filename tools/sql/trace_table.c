/* The virtual tables over sets of traces, as modules of SQLite: creates tables and cursors, and
 * moves cursors from run to run. The kind of a table delivers the rows of a run. */
#include "table_cursor.h"

#include <stdlib.h>
#include <string.h>

static const ftr_sql_kind *const KINDS[] = {
    &ftr_sql_runs,       &ftr_sql_streams,   &ftr_sql_generators, &ftr_sql_transactions,
    &ftr_sql_attributes, &ftr_sql_relations, &ftr_sql_hops};
#define KIND_COUNT (sizeof KINDS / sizeof KINDS[0])

/* ---- tables ---------------------------------------------------------------------------------- */

/* Declares the columns to SQLite: the argument of a function, the columns of the kind, and the
 * attributes of a generator. The primary key identifies rows, so that SQLite does not deliver a row
 * twice if conditions are combined with OR. */
static int declare(sqlite3 *db, const ftr_sql_table *table)
{
    const ftr_sql_kind *kind = table->kind;
    sqlite3_str *text = sqlite3_str_new(db);
    /* SQLite passes the arguments of a function as values of the hidden columns, in order. */
    sqlite3_str_appendall(text, "CREATE TABLE x(files TEXT HIDDEN");
    for (int i = 0; i < kind->column_count; i++)
        sqlite3_str_appendf(text, ", \"%w\" %s", kind->columns[i].name, kind->columns[i].type);
    for (size_t i = 0; i < table->columns.count; i++)
        sqlite3_str_appendf(text, ", \"%w\"", table->columns.columns[i].column);
    sqlite3_str_appendf(text, ", PRIMARY KEY(%s)) WITHOUT ROWID", kind->key);
    char *statement = sqlite3_str_finish(text);
    if (statement == NULL)
        return SQLITE_NOMEM;
    const int result = sqlite3_declare_vtab(db, statement);
    sqlite3_free(statement);
    return result;
}

static void free_table(ftr_sql_table *table)
{
    ftr_generator_columns_release(&table->columns);
    ftr_sql_set_release(&table->set);
    free(table->stream);
    free(table->generator);
    sqlite3_free(table->base.zErrMsg);
    sqlite3_free(table);
}

static int disconnect(sqlite3_vtab *table)
{
    free_table((ftr_sql_table *)table);
    return SQLITE_OK;
}

static ftr_sql_table *new_table(ftr_sql_context *context, const ftr_sql_kind *kind)
{
    ftr_sql_table *table = sqlite3_malloc(sizeof *table);
    if (table != NULL)
        *table = (ftr_sql_table){.kind = kind, .context = context};
    return table;
}

/* If @p result is SQLITE_OK, passes @p table to SQLite; otherwise frees @p table. */
static int connect(sqlite3 *db, ftr_sql_table *table, int result, sqlite3_vtab **connected)
{
    if (result == SQLITE_OK)
        result = declare(db, table);
    if (result != SQLITE_OK) {
        free_table(table);
        return result;
    }
    (void)sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
    *connected = &table->base;
    return SQLITE_OK;
}

/* Data that SQLite stores with the module of a table-valued function. */
typedef struct function_module {
    ftr_sql_context *context;
    const ftr_sql_kind *kind;
} function_module;

static int connect_function(sqlite3 *db, void *auxiliary, int argc, const char *const *argv,
                            sqlite3_vtab **connected, char **error)
{
    (void)argc;
    (void)argv;
    (void)error;
    const function_module *module = auxiliary;
    ftr_sql_table *table = new_table(module->context, module->kind);
    if (table == NULL)
        return SQLITE_NOMEM;
    table->is_function = true;
    return connect(db, table, SQLITE_OK, connected);
}

/* ---- CREATE VIRTUAL TABLE t USING ftr('run.ftr', ..., table = tx) ---------------------------- */

static int choose_kind(ftr_sql_table *table, const char *name, char **error)
{
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (strcmp(KINDS[i]->name, name) == 0) {
            table->kind = KINDS[i];
            return SQLITE_OK;
        }
    *error = sqlite3_mprintf("ftr: there is no table '%s': run, stream, generator, tx, attribute, "
                             "relation, hop",
                             name);
    return SQLITE_ERROR;
}

/* Returns the value in `option = value`; NULL if the argument is not of this form or names another
 * option. */
static const char *value_of(const char *argument, const char *option)
{
    const size_t size = strlen(option);
    if (strncmp(argument, option, size) != 0)
        return NULL;
    argument += size;
    argument += strspn(argument, " \t");
    if (*argument++ != '=')
        return NULL;
    return argument + strspn(argument, " \t");
}

static int copy_text(char **kept, const char *quoted)
{
    char *text = ftr_sql_unquote(quoted);
    if (text == NULL)
        return SQLITE_NOMEM;
    free(*kept);
    *kept = strdup(text);
    sqlite3_free(text);
    return *kept != NULL ? SQLITE_OK : SQLITE_NOMEM;
}

static int parse_argument(ftr_sql_table *table, const char *argument, char **error)
{
    const char *value;
    argument += strspn(argument, " \t\n");
    if ((value = value_of(argument, "stream")) != NULL)
        return copy_text(&table->stream, value);
    if ((value = value_of(argument, "generator")) != NULL)
        return copy_text(&table->generator, value);
    const bool is_table = (value = value_of(argument, "table")) != NULL;
    char *text = ftr_sql_unquote(is_table ? value : argument);
    if (text == NULL)
        return SQLITE_NOMEM;
    const int result = is_table ? choose_kind(table, text, error)
                                : ftr_sql_set_add(table->context, &table->set, text, error);
    sqlite3_free(text);
    return result;
}

static int fill_table(ftr_sql_table *table, int argc, const char *const *argv, char **error)
{
    for (int i = 3; i < argc; i++) {
        const int result = parse_argument(table, argv[i], error);
        if (result != SQLITE_OK)
            return result;
    }
    if (table->set.count == 0) {
        const int result = ftr_sql_set_copy(&table->set, &table->context->opened);
        if (result != SQLITE_OK)
            return result;
    }
    if (table->set.count == 0) {
        *error = sqlite3_mprintf("ftr: name the traces: CREATE VIRTUAL TABLE t USING "
                                 "ftr('run.ftr')");
        return SQLITE_ERROR;
    }
    if ((table->stream == NULL) != (table->generator == NULL)) {
        *error = sqlite3_mprintf("ftr: stream and generator must be given together");
        return SQLITE_ERROR;
    }
    if (table->generator != NULL && table->kind != &ftr_sql_transactions) {
        *error = sqlite3_mprintf(
            "ftr: a table of one generator contains transactions; it has no argument table");
        return SQLITE_ERROR;
    }
    if (table->generator == NULL) { /* opening one file is sufficient to verify that traces exist */
        const int result = ftr_sql_trace_acquire(table->set.traces[0], error);
        if (result == SQLITE_OK)
            ftr_sql_trace_release(table->set.traces[0]);
        return result;
    }
    return ftr_generator_columns_find(&table->columns, &table->set, table->stream, table->generator,
                                      table->kind->columns, table->kind->column_count, error);
}

static int connect_table(sqlite3 *db, void *context, int argc, const char *const *argv,
                         sqlite3_vtab **connected, char **error)
{
    ftr_sql_table *table = new_table(context, &ftr_sql_transactions);
    if (table == NULL)
        return SQLITE_NOMEM;
    return connect(db, table, fill_table(table, argc, argv, error), connected);
}

/* xCreate must differ from xConnect; if they were the same function, SQLite would allow queries
 * that use the module itself as a table. */
static int create_table(sqlite3 *db, void *context, int argc, const char *const *argv,
                        sqlite3_vtab **connected, char **error)
{
    return connect_table(db, context, argc, argv, connected, error);
}

/* ---- cursors --------------------------------------------------------------------------------- */

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **opened)
{
    ftr_sql_cursor *cursor = sqlite3_malloc(sizeof *cursor);
    if (cursor == NULL)
        return SQLITE_NOMEM;
    *cursor = (ftr_sql_cursor){.table = (ftr_sql_table *)table};
    *opened = &cursor->base;
    return SQLITE_OK;
}

static void leave_run(ftr_sql_cursor *cursor)
{
    if (cursor->trace == NULL)
        return;
    cursor->table->kind->stop(cursor);
    ftr_sql_trace_release(cursor->trace);
    cursor->trace = NULL;
}

static void reset(ftr_sql_cursor *cursor)
{
    ftr_sql_bounds_release(&cursor->bounds);
    if (cursor->table->is_function)
        ftr_sql_set_release(&cursor->set);
}

static int close_cursor(sqlite3_vtab_cursor *closed)
{
    ftr_sql_cursor *cursor = (ftr_sql_cursor *)closed;
    leave_run(cursor);
    reset(cursor);
    free(cursor->values);
    free(cursor->has_value);
    sqlite3_free(cursor);
    return SQLITE_OK;
}

static int enter_run(ftr_sql_cursor *cursor)
{
    ftr_sql_trace *trace = cursor->set.traces[cursor->run];
    if (cursor->trace != trace) {
        leave_run(cursor);
        char *error = NULL;
        const int result = ftr_sql_trace_acquire(trace, &error);
        if (result != SQLITE_OK)
            return ftr_sql_fail(cursor, result, error);
        cursor->trace = trace;
    }
    cursor->decoded_at = FTR_NOT_DECODED; /* `moves` of another trace may have the same value */
    cursor->row = 0;
    return cursor->table->kind->start(cursor);
}

static int next_row(sqlite3_vtab_cursor *moved)
{
    ftr_sql_cursor *cursor = (ftr_sql_cursor *)moved;
    for (;;) {
        int result = cursor->table->kind->next(cursor);
        if (result != SQLITE_DONE)
            return result;
        cursor->run = cursor->bounds.has_run ? cursor->set.count : cursor->run + 1;
        if (cursor->run >= cursor->set.count)
            return SQLITE_OK;
        result = enter_run(cursor);
        if (result != SQLITE_OK)
            return result;
    }
}

/* Sets the traces of the cursor to the files in the argument of a table-valued function. */
static int select_files(ftr_sql_cursor *cursor, sqlite3_value *files)
{
    const char *pattern = (const char *)sqlite3_value_text(files);
    char *error = NULL;
    if (pattern == NULL)
        return ftr_sql_fail(cursor, SQLITE_ERROR,
                            sqlite3_mprintf("ftr: the name of a trace is expected, not NULL"));
    const int result = ftr_sql_set_add(cursor->table->context, &cursor->set, pattern, &error);
    return result == SQLITE_OK ? result : ftr_sql_fail(cursor, result, error);
}

static int filter(sqlite3_vtab_cursor *filtered, int number, const char *plan, int argc,
                  sqlite3_value **argv)
{
    ftr_sql_cursor *cursor = (ftr_sql_cursor *)filtered;
    reset(cursor);
    int result = SQLITE_OK;
    if (!cursor->table->is_function) {
        cursor->set = cursor->table->set;
    } else if ((number & FTR_SQL_PLAN_FILES) != 0) {
        result = select_files(cursor, *argv++);
        argc--;
    } else {
        result = ftr_sql_set_copy(&cursor->set, &cursor->table->context->opened);
    }
    if (result == SQLITE_OK)
        result = ftr_sql_plan_read(cursor->table->kind, plan, argc, argv, &cursor->bounds);
    cursor->bounds.stream = cursor->table->stream;
    cursor->bounds.generator = cursor->table->generator;
    if (result != SQLITE_OK)
        return result;
    const ftr_sql_bounds *bounds = &cursor->bounds;
    cursor->run = 0;
    if (bounds->has_run)
        cursor->run = bounds->run > 0 && (uint64_t)bounds->run <= cursor->set.count
                          ? (size_t)bounds->run - 1
                          : cursor->set.count;
    if (bounds->is_empty || cursor->run >= cursor->set.count) {
        cursor->run = cursor->set.count;
        return SQLITE_OK;
    }
    result = enter_run(cursor);
    return result == SQLITE_OK ? next_row(filtered) : result;
}

static int is_at_end(sqlite3_vtab_cursor *cursor)
{
    const ftr_sql_cursor *at = (const ftr_sql_cursor *)cursor;
    return at->run >= at->set.count;
}

/* Sets the result to the number of the run, or to a property of the row's transaction. @return
 * false if the role is another one */
static bool put_common(ftr_sql_cursor *cursor, sqlite3_context *result, ftr_sql_role role)
{
    ftr_sql_trace *trace = cursor->trace;
    const ftr_transaction *tx = &cursor->tx;
    switch (role) {
    case FTR_ROLE_RUN:
        sqlite3_result_int64(result, (sqlite3_int64)cursor->run + 1);
        return true;
    case FTR_ROLE_ID:
        ftr_sql_result_number(result, tx->id);
        return true;
    case FTR_ROLE_STREAM:
        ftr_sql_result_name(result, ftr_sql_stream_name(trace, tx->stream));
        return true;
    case FTR_ROLE_STREAM_ID:
        ftr_sql_result_number(result, tx->stream->id);
        return true;
    case FTR_ROLE_GENERATOR:
        if (tx->generator->defined)
            ftr_sql_result_name(result, ftr_sql_generator_name(trace, tx->generator));
        return true;
    case FTR_ROLE_GENERATOR_ID:
        ftr_sql_result_number(result, tx->generator_id);
        return true;
    case FTR_ROLE_BEGIN:
        ftr_sql_result_number(result, tx->begin);
        return true;
    case FTR_ROLE_END:
        ftr_sql_result_number(result, tx->end);
        return true;
    case FTR_ROLE_BEGIN_SECONDS:
        sqlite3_result_double(result, ftr_sql_seconds(trace, tx->begin));
        return true;
    case FTR_ROLE_END_SECONDS:
        sqlite3_result_double(result, ftr_sql_seconds(trace, tx->end));
        return true;
    default:
        return false;
    }
}

static int get_column(sqlite3_vtab_cursor *cursor, sqlite3_context *result, int column)
{
    ftr_sql_cursor *at = (ftr_sql_cursor *)cursor;
    const ftr_sql_kind *kind = at->table->kind;
    const int number = column - 1;
    if (column == 0)
        sqlite3_result_text(result, at->trace->path, -1, SQLITE_TRANSIENT);
    else if (number >= kind->column_count || !put_common(at, result, kind->columns[number].role))
        return kind->column(at, result, number);
    return SQLITE_OK;
}

/* SQLite requires this function, but does not use the rowid, because the tables are WITHOUT
 * ROWID. */
static int get_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
    (void)cursor;
    *rowid = 0;
    return SQLITE_OK;
}

/* ---- registration ---------------------------------------------------------------------------- */

/* The methods that tables and table-valued functions share. */
#define METHODS                                                                                 \
    .iVersion = 1, .xBestIndex = ftr_sql_plan, .xDisconnect = disconnect, .xOpen = open_cursor, \
    .xClose = close_cursor, .xFilter = filter, .xNext = next_row, .xEof = is_at_end,            \
    .xColumn = get_column, .xRowid = get_rowid

static const sqlite3_module FUNCTION_MODULE = {METHODS, .xConnect = connect_function};
static const sqlite3_module TABLE_MODULE = {METHODS, .xConnect = connect_table,
                                            .xCreate = create_table, .xDestroy = disconnect};

static void release_function_module(void *released)
{
    function_module *module = released;
    ftr_sql_context_release(module->context);
    free(module);
}

/* Prepares a query that is never executed. SQLite should not pass its condition to the table `a`;
 * if it does, plan_without_patterns() sets found_misplaced_pattern. */
static void seek_misplaced_pattern(ftr_sql_context *context)
{
    sqlite3_stmt *statement = NULL;
    context->seeks_misplaced_pattern = true;
    (void)sqlite3_prepare_v2(context->db,
                             "SELECT 1 FROM ftr_stream AS a LEFT JOIN ftr_stream AS b "
                             "ON a.name GLOB 'x'",
                             -1, &statement, NULL);
    (void)sqlite3_finalize(statement);
    context->seeks_misplaced_pattern = false;
}

int ftr_sql_register_tables(ftr_sql_context *context)
{
    context->references++;
    int result = sqlite3_create_module_v2(context->db, "ftr", &TABLE_MODULE, context,
                                          ftr_sql_context_release);
    for (size_t i = 0; i < KIND_COUNT && result == SQLITE_OK; i++) {
        char name[32];
        function_module *module = malloc(sizeof *module);
        if (module == NULL)
            return SQLITE_NOMEM;
        *module = (function_module){context, KINDS[i]};
        context->references++;
        sqlite3_snprintf(sizeof name, name, "ftr_%s", KINDS[i]->name);
        /* If this call fails, SQLite releases `module`. */
        result = sqlite3_create_module_v2(context->db, name, &FUNCTION_MODULE, module,
                                          release_function_module);
    }
    if (result == SQLITE_OK)
        seek_misplaced_pattern(context);
    return result;
}
