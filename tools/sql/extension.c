/* Registers modules and functions with a connection, and creates the tables of opened traces. */
#include "extension.h"

#include "event_names.h"
#include "stream_name_rules.h"
#include "summary_table.h"

enum { GENERATOR_TABLES_MAX = 1000 };

/* Chooses a table name for each generator of the trace. @return false if out of memory */
static bool name_tables(ftr_sql_context *context, ftr_sql_trace *trace)
{
    const size_t count = ftr_reader_generator_count(trace->reader);
    for (size_t i = 0; i < count; i++) {
        const ftr_generator_info *generator = ftr_reader_get_generator(trace->reader, i);
        if (!generator->defined)
            continue;
        const ftr_name *stream = ftr_sql_stream_name(trace, generator->stream);
        const ftr_name *name = ftr_sql_generator_name(trace, generator);
        if (stream == NULL || name == NULL || !ftr_table_names_add(&context->tables, stream, name))
            return false;
    }
    return true;
}

/* Opens the traces in context->opened from number @p first on. */
static int open_traces_from(ftr_sql_context *context, size_t first, char **error)
{
    int result = SQLITE_OK;
    for (size_t i = first; i < context->opened.count && result == SQLITE_OK; i++) {
        ftr_sql_trace *trace = context->opened.traces[i];
        result = ftr_sql_trace_acquire(trace, error);
        if (result != SQLITE_OK)
            break;
        if (!name_tables(context, trace))
            result = SQLITE_NOMEM;
        ftr_sql_trace_release(trace);
    }
    return result;
}

static int add_summary(ftr_sql_context *context, const char *path, char **error)
{
    if (context->summaries == NULL)
        context->summaries = ftr_sql_summaries_create();
    return context->summaries != NULL ? ftr_sql_summaries_add(context->summaries, path, error)
                                      : SQLITE_NOMEM;
}

static int add_input(void *user, const char *path, char **error)
{
    ftr_sql_context *context = user;
    const bool is_summary = ftr_is_summary(path);
    if (is_summary ? context->opened.count > 0 : context->summaries != NULL) {
        *error = sqlite3_mprintf(
            "ftr: %s: it is a %s; summaries and traces cannot be queried together; 'ftr summary "
            "FILE... -o FILE' makes a summary of all of them",
            path, is_summary ? "summary" : "trace");
        return SQLITE_CANTOPEN;
    }
    return is_summary ? add_summary(context, path, error)
                      : ftr_sql_set_add_file(context, &context->opened, path);
}

int ftr_sql_open(ftr_sql_context *context, const char *pattern, char **error)
{
    const size_t first = context->opened.count;
    int result = ftr_sql_expand(pattern, add_input, context, error);
    if (result == SQLITE_OK)
        result = open_traces_from(context, first, error);
    if (result != SQLITE_OK)
        context->opened.count = first;
    if (context->summaries != NULL)
        ftr_sql_summaries_settle(context->summaries);
    return result;
}

static int execute(ftr_sql_context *context, char *statement, char **error)
{
    if (statement == NULL)
        return SQLITE_NOMEM;
    const int result = sqlite3_exec(context->db, statement, NULL, NULL, error);
    sqlite3_free(statement);
    return result;
}

/* Creates the view `event`: a row for each event, with the id of its parent. */
static int create_events(ftr_sql_context *context, char **error)
{
    return execute(
        context,
        sqlite3_mprintf(
            "DROP VIEW IF EXISTS temp.event;"
            "CREATE TEMP VIEW event AS SELECT e.run AS run, e.id AS id, r.from_tx AS parent, "
            "e.attributes ->> '$.%s' AS name, e.stream AS stream, e.generator AS generator, "
            "e.begin AS begin, e.end AS end, e.duration AS duration, e.begin_s AS begin_s, "
            "e.end_s AS end_s, e.duration_s AS duration_s, e.attributes AS attributes "
            "FROM temp.tx AS e LEFT JOIN temp.relation AS r "
            "ON r.run = e.run AND r.to_tx = e.id AND r.name = '%s' "
            "WHERE e.generator GLOB '?*%s'",
            FTR_EVENT_NAME, FTR_PARENT_OF, FTR_EVENTS_SUFFIX),
        error);
}

/* The view `error`: a row for each error of an access, at the hop where the error arose: the next
 * hop has no error. `passed_on` counts the hops before it that have an error. */
static const char ERROR_VIEW[] =
    "DROP VIEW IF EXISTS temp.error; CREATE TEMP VIEW error AS SELECT run, access, id, depth, "
    "stream, link, "
    "initiator, target, generator, begin, end, address, length, response, (WITH RECURSIVE up(id) "
    "AS (SELECT hop.parent UNION SELECT p.parent FROM up JOIN hop AS p ON p.run = hop.run AND p.id "
    "= up.id) SELECT count(*) FROM up JOIN hop AS e ON e.run = hop.run AND e.id = up.id WHERE "
    "e.is_error) AS passed_on FROM hop WHERE is_error AND NOT EXISTS (SELECT 1 FROM relation AS r "
    "JOIN hop AS c ON c.run = r.run AND c.id = r.to_tx WHERE r.run = hop.run AND r.from_tx = "
    "hop.id AND r.name = '" FTR_PARENT_CHILD "' AND c.is_error)";

/* Creates a table. An earlier table is replaced, because files may have been added. */
static int create_table(ftr_sql_context *context, const char *name, bool of_summaries, char **error)
{
    int result = execute(context, sqlite3_mprintf("DROP TABLE IF EXISTS temp.\"%w\"", name), error);
    if (result != SQLITE_OK)
        return result;
    return execute(context,
                   of_summaries ? sqlite3_mprintf("CREATE VIRTUAL TABLE temp.\"%w\" USING "
                                                  "\"ftr_summary_%w\"",
                                                  name, name)
                                : sqlite3_mprintf("CREATE VIRTUAL TABLE temp.\"%w\" USING "
                                                  "ftr(table = \"%w\")",
                                                  name, name),
                   error);
}

const char *const *ftr_sql_table_names(const ftr_sql_context *context, size_t *count)
{
    /* The last two names are views. */
    static const char *const OF_TRACES[] = {"run",      "stream", "generator", "tx",   "attribute",
                                            "relation", "hop",    "event",     "error"};
    static const char *const OF_SUMMARIES[] = {"run",         "stream",  "figures",
                                               "latency_bin", "slowest", "series"};
    *count = context->summaries != NULL ? sizeof OF_SUMMARIES / sizeof OF_SUMMARIES[0]
                                        : sizeof OF_TRACES / sizeof OF_TRACES[0];
    return context->summaries != NULL ? OF_SUMMARIES : OF_TRACES;
}

int ftr_sql_create_tables(ftr_sql_context *context, char **error)
{
    const bool of_summaries = context->summaries != NULL;
    size_t count;
    const char *const *names = ftr_sql_table_names(context, &count);
    int result = SQLITE_OK;
    for (size_t i = 0; i < count - (of_summaries ? 0 : 2) && result == SQLITE_OK; i++)
        result = create_table(context, names[i], of_summaries, error);
    if (of_summaries || result != SQLITE_OK)
        return result;
    result = create_events(context, error);
    return result == SQLITE_OK ? execute(context, sqlite3_mprintf("%s", ERROR_VIEW), error)
                               : result;
}

int ftr_sql_create_generator_table(ftr_sql_context *context, const ftr_table_name *name,
                                   char **error)
{
    return execute(context,
                   sqlite3_mprintf("CREATE VIRTUAL TABLE IF NOT EXISTS temp.\"%w\" USING "
                                   "ftr(stream = '%q', generator = '%q')",
                                   name->table, name->stream->text, name->generator->text),
                   error);
}

/* ftr_open(PATTERN, ...): opens traces or summaries. Creates the tables over all opened files,
 * including tables for at most 1000 generators of traces. The result in SQL is the number of opened
 * traces, or the number of runs in the opened summaries. */
static void open_files(sqlite3_context *result, int argc, sqlite3_value **argv)
{
    ftr_sql_context *context = sqlite3_user_data(result);
    char *error = NULL;
    int outcome = argc > 0 ? SQLITE_OK : SQLITE_MISUSE;
    for (int i = 0; i < argc && outcome == SQLITE_OK; i++) {
        const char *pattern = (const char *)sqlite3_value_text(argv[i]);
        outcome = pattern != NULL ? ftr_sql_open(context, pattern, &error) : SQLITE_MISUSE;
    }
    if (outcome == SQLITE_OK)
        outcome = ftr_sql_create_tables(context, &error);
    const size_t count = context->tables.count;
    for (size_t i = 0; i < count && i < GENERATOR_TABLES_MAX && outcome == SQLITE_OK; i++)
        outcome = ftr_sql_create_generator_table(context, &context->tables.entries[i], &error);
    if (outcome == SQLITE_OK)
        sqlite3_result_int64(result,
                             (sqlite3_int64)(context->summaries != NULL ? context->summaries->count
                                                                        : context->opened.count));
    else if (outcome == SQLITE_MISUSE)
        sqlite3_result_error(
            result, "ftr_open: names of traces or summaries are expected: ftr_open('run.ftr')", -1);
    else
        sqlite3_result_error(result, error != NULL ? error : sqlite3_errstr(outcome), -1);
    sqlite3_free(error);
}

static int register_summaries(ftr_sql_context *context)
{
    static const ftr_summary_kind *const KINDS[] = {&ftr_summary_runs,    &ftr_summary_streams,
                                                    &ftr_summary_figures, &ftr_summary_bins,
                                                    &ftr_summary_slowest, &ftr_summary_series};
    int result = SQLITE_OK;
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0] && result == SQLITE_OK; i++)
        result = ftr_summary_register(context, KINDS[i]);
    return result;
}

int ftr_sql_register(sqlite3 *db, ftr_sql_context **registered)
{
    ftr_sql_context *context = ftr_sql_context_create(db);
    if (context == NULL)
        return SQLITE_NOMEM;
    int result = ftr_sql_register_tables(context);
    if (result == SQLITE_OK)
        result = register_summaries(context);
    if (result == SQLITE_OK)
        result = ftr_sql_register_functions(context);
    if (result == SQLITE_OK)
        result = ftr_sql_register_percentiles(context);
    if (result == SQLITE_OK) {
        context->references++;
        result =
            sqlite3_create_function_v2(db, "ftr_open", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, context,
                                       open_files, NULL, NULL, ftr_sql_context_release);
    }
    ftr_sql_context_release(context); /* modules and functions hold references to the context */
    *registered = result == SQLITE_OK ? context : NULL;
    return result;
}

#ifndef SQLITE_CORE
/* The entry point of the extension. SQLite derives its name from the file name ftr_sqlite.so. */
__attribute__((visibility("default"))) int sqlite3_ftrsqlite_init(sqlite3 *db, char **error,
                                                                  const sqlite3_api_routines *api);

int sqlite3_ftrsqlite_init(sqlite3 *db, char **error, const sqlite3_api_routines *api)
{
    SQLITE_EXTENSION_INIT2(api);
    if (sqlite3_libversion_number() < 3038000) {
        *error = sqlite3_mprintf("ftr_sqlite needs SQLite 3.38 or later; this is %s",
                                 sqlite3_libversion());
        return SQLITE_ERROR;
    }
    ftr_sql_context *context;
    return ftr_sql_register(db, &context);
}
#endif
