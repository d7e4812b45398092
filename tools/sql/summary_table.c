/* The modules of SQLite for tables over summaries: plans of scans, and cursors that move from run
 * to run, stream to stream and generator to generator. */
#include "summary_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Estimated cost to read a run, compared with the cost to deliver a row. */
#define RUN_COST 100.0
/* Estimated part of the rows that have a given stream or generator. */
#define NAME_SHARE 0.1

typedef struct module {
    ftr_sql_context *context;
    const ftr_summary_kind *kind;
} module;

typedef struct table {
    sqlite3_vtab base;
    const ftr_summary_kind *kind;
    ftr_sql_summaries *set;
} table;

/* A name that the rows must have. */
typedef struct wanted_name {
    char *text; /* NULL: any name */
    size_t size;
} wanted_name;

typedef struct cursor {
    sqlite3_vtab_cursor base;
    const ftr_summary_kind *kind;
    ftr_sql_summaries *set;
    size_t run, end; /* number of the current run, and of the first run that is not wanted */
    wanted_name stream, generator;
    /* The stream and generator of the row. `generator_at` is 0 for the stream itself, and 1 for its
     * first generator. */
    size_t stream_at, generator_at;
    uint64_t rows; /* number of rows of the run, stream or generator */
    /* number of rows of the run before those, including rows that are not wanted: the number of a
     * row does not depend on the conditions */
    uint64_t before;
    ftr_summary_row row;
} cursor;

/* The conditions of a plan, in the order of their values. */
enum { WANTS_RUN = 1, WANTS_STREAM = 2, WANTS_GENERATOR = 4 };

/* ---- tables ---------------------------------------------------------------------------------- */

/* The tables have rowids and no primary key: SQLite assumes that the columns of a primary key are
 * never NULL, and would find no row with `attribute IS NULL`. */
static int declare(sqlite3 *db, const ftr_summary_kind *kind)
{
    sqlite3_str *text = sqlite3_str_new(db);
    for (int i = 0; i < kind->column_count; i++)
        sqlite3_str_appendf(text, "%s\"%w\" %s", i > 0 ? ", " : "CREATE TABLE x(",
                            kind->columns[i].name, kind->columns[i].type);
    sqlite3_str_appendall(text, ")");
    char *statement = sqlite3_str_finish(text);
    if (statement == NULL)
        return SQLITE_NOMEM;
    const int result = sqlite3_declare_vtab(db, statement);
    sqlite3_free(statement);
    return result;
}

static int disconnect(sqlite3_vtab *released)
{
    table *of = (table *)released;
    ftr_sql_summaries_release(of->set);
    sqlite3_free(of->base.zErrMsg);
    sqlite3_free(of);
    return SQLITE_OK;
}

/* Opens the summaries in the arguments of CREATE VIRTUAL TABLE. */
static int open_arguments(ftr_sql_summaries **opened, int argc, const char *const *argv,
                          char **error)
{
    ftr_sql_summaries *set = ftr_sql_summaries_create();
    int result = set != NULL ? SQLITE_OK : SQLITE_NOMEM;
    for (int i = 0; i < argc && result == SQLITE_OK; i++) {
        char *path = ftr_sql_unquote(argv[i]);
        result = path != NULL ? ftr_sql_summaries_add(set, path, error) : SQLITE_NOMEM;
        sqlite3_free(path);
    }
    if (result == SQLITE_OK) {
        ftr_sql_summaries_settle(set);
        *opened = set;
    } else {
        ftr_sql_summaries_release(set);
    }
    return result;
}

/* The arguments of the module begin at argv[3]. */
static int find_runs(const module *of, int argc, const char *const *argv, ftr_sql_summaries **set,
                     char **error)
{
    if (argc > 3)
        return open_arguments(set, argc - 3, argv + 3, error);
    if (of->context->summaries == NULL) {
        *error = sqlite3_mprintf("ftr: name the summaries: CREATE VIRTUAL TABLE t USING "
                                 "ftr_summary_%s('night.fts')",
                                 of->kind->name);
        return SQLITE_ERROR;
    }
    *set = of->context->summaries;
    (*set)->references++;
    return SQLITE_OK;
}

static int connect_table(sqlite3 *db, void *auxiliary, int argc, const char *const *argv,
                         sqlite3_vtab **connected, char **error)
{
    const module *of = auxiliary;
    ftr_sql_summaries *set = NULL;
    int result = find_runs(of, argc, argv, &set, error);
    if (result == SQLITE_OK)
        result = declare(db, of->kind);
    table *made = result == SQLITE_OK ? sqlite3_malloc(sizeof *made) : NULL;
    if (made == NULL) {
        ftr_sql_summaries_release(set);
        return result == SQLITE_OK ? SQLITE_NOMEM : result;
    }
    *made = (table){.kind = of->kind, .set = set};
    (void)sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
    *connected = &made->base;
    return SQLITE_OK;
}

/* xCreate must differ from xConnect; if they were the same function, SQLite would allow queries
 * that use the module itself as a table. */
static int create_table(sqlite3 *db, void *auxiliary, int argc, const char *const *argv,
                        sqlite3_vtab **connected, char **error)
{
    return connect_table(db, auxiliary, argc, argv, connected, error);
}

/* ---- plans ----------------------------------------------------------------------------------- */

/* Returns the bit of a condition that a scan can use; 0 for any other condition. */
static int use_of(const ftr_summary_kind *kind, sqlite3_index_info *info, int at)
{
    const struct sqlite3_index_constraint *condition = &info->aConstraint[at];
    if (!condition->usable || condition->op != SQLITE_INDEX_CONSTRAINT_EQ || condition->iColumn < 0)
        return 0;
    const ftr_sql_role role = kind->columns[condition->iColumn].role;
    if (role == FTR_ROLE_RUN)
        return WANTS_RUN;
    /* One scan of all rows is cheaper than one scan for each value of IN. */
    if ((role != FTR_ROLE_STREAM && role != FTR_ROLE_GENERATOR) || sqlite3_vtab_in(info, at, -1) ||
        sqlite3_stricmp(sqlite3_vtab_collation(info, at), "BINARY") != 0)
        return 0;
    return role == FTR_ROLE_STREAM ? WANTS_STREAM : WANTS_GENERATOR;
}

/* Returns true if the rows are sorted as the query wants them. */
static bool is_sorted(const ftr_summary_kind *kind, const sqlite3_index_info *info)
{
    const char *order = kind->order;
    for (int i = 0; i < info->nOrderBy; i++) {
        const size_t size = strcspn(order, ",");
        const int column = info->aOrderBy[i].iColumn;
        if (info->aOrderBy[i].desc || column < 0 || size == 0 ||
            strlen(kind->columns[column].name) != size ||
            memcmp(kind->columns[column].name, order, size) != 0)
            return false;
        order += size + (order[size] == ',');
    }
    return info->nOrderBy > 0;
}

static int plan(sqlite3_vtab *planned, sqlite3_index_info *info)
{
    const table *of = (const table *)planned;
    int uses = 0;
    int arguments = 0;
    /* The values are passed in the order of the bits. */
    for (int wanted = WANTS_RUN; wanted <= WANTS_GENERATOR; wanted <<= 1)
        for (int i = 0; i < info->nConstraint; i++)
            if ((uses & wanted) == 0 && use_of(of->kind, info, i) == wanted) {
                uses |= wanted;
                info->aConstraintUsage[i].argvIndex = ++arguments;
            }
    const double runs = (uses & WANTS_RUN) != 0 ? 1 : (double)of->set->count + 1;
    double rows = runs * of->kind->rows;
    rows *= (uses & WANTS_STREAM) != 0 ? NAME_SHARE : 1;
    rows *= (uses & WANTS_GENERATOR) != 0 ? NAME_SHARE : 1;
    info->idxNum = uses;
    info->estimatedRows = rows < 1 ? 1 : (sqlite3_int64)rows;
    info->estimatedCost = runs * RUN_COST + rows;
    info->orderByConsumed = is_sorted(of->kind, info);
    if (of->kind->of_runs && (uses & WANTS_RUN) != 0)
        info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
    return SQLITE_OK;
}

/* ---- cursors --------------------------------------------------------------------------------- */

static int open_cursor(sqlite3_vtab *opened, sqlite3_vtab_cursor **made)
{
    const table *of = (const table *)opened;
    cursor *at = sqlite3_malloc(sizeof *at);
    if (at == NULL)
        return SQLITE_NOMEM;
    *at = (cursor){.kind = of->kind, .set = of->set};
    *made = &at->base;
    return SQLITE_OK;
}

static void leave_run(cursor *at)
{
    if (at->row.run != NULL)
        ftr_sql_run_release(at->set, at->row.run);
    at->row = (ftr_summary_row){0};
}

static void reset(cursor *at)
{
    leave_run(at);
    free(at->stream.text);
    free(at->generator.text);
    at->stream = at->generator = (wanted_name){0};
}

static int close_cursor(sqlite3_vtab_cursor *closed)
{
    reset((cursor *)closed);
    sqlite3_free(closed);
    return SQLITE_OK;
}

static bool is_wanted(const wanted_name *wanted, const ftr_figure_text *name)
{
    return wanted->text == NULL ||
           (wanted->size == name->size && memcmp(wanted->text, name->bytes, name->size) == 0);
}

/* Returns whether the rows of the stream or generator at the position of the cursor are wanted. */
static bool is_part_wanted(const cursor *at)
{
    const ftr_generator_figures *generator = at->row.generator;
    return is_wanted(&at->stream, &at->row.stream->name) &&
           (generator != NULL ? is_wanted(&at->generator, &generator->name)
                              : at->generator.text == NULL);
}

/* Moves to the first row of the next stream or generator with rows. @return false if the run has no
 * further one */
static bool next_part(cursor *at)
{
    const ftr_run_record *record = &at->row.run->record;
    for (; at->stream_at < record->stream_count && !at->kind->of_runs;
         at->stream_at++, at->generator_at = 0) {
        const ftr_stream_figures *stream = at->row.stream = &record->streams[at->stream_at];
        while (at->generator_at <= stream->generator_count) {
            const size_t number = at->generator_at++;
            at->row.generator = number > 0 ? &stream->generators[number - 1] : NULL;
            at->row.number = 0;
            at->before += at->rows;
            at->rows = at->kind->count(stream, at->row.generator);
            if (at->rows > 0 && is_part_wanted(at))
                return true;
        }
    }
    return false;
}

/* Sets the error message of the table. @return @p result */
static int fail(cursor *at, int result, char *message)
{
    sqlite3_free(at->base.pVtab->zErrMsg);
    at->base.pVtab->zErrMsg = message;
    return result;
}

/* Moves to the first row of the first run with rows, from the run with the number at->run on. */
static int enter_run(cursor *at)
{
    for (; at->run < at->end; at->run++) {
        char *error = NULL;
        leave_run(at);
        const int result = ftr_sql_run_acquire(at->set, at->run, &at->row.run, &error);
        if (result != SQLITE_OK)
            return fail(at, result, error);
        at->stream_at = at->generator_at = 0;
        at->before = 0;
        at->rows = at->kind->of_runs;
        if (at->kind->of_runs || next_part(at))
            return SQLITE_OK;
    }
    leave_run(at);
    return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *moved)
{
    cursor *at = (cursor *)moved;
    at->row.number++;
    if (at->row.number < at->rows || next_part(at))
        return SQLITE_OK;
    at->run++;
    return enter_run(at);
}

/* Restricts the scan to the run with this number. A value that may equal a number by conversion
 * sets no bound: SQLite tests each row again. */
static void want_run(cursor *at, sqlite3_value *value)
{
    const int type = sqlite3_value_numeric_type(value);
    const double real = sqlite3_value_double(value);
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT && type != SQLITE_NULL)
        return;
    const bool has_run =
        type != SQLITE_NULL && real >= 1 && real <= (double)at->end && real == floor(real);
    at->run = has_run ? (size_t)real - 1 : at->end;
    at->end = has_run ? at->run + 1 : at->end;
}

static int want_name(cursor *at, wanted_name *wanted, sqlite3_value *value)
{
    if (sqlite3_value_type(value) == SQLITE_NULL) {
        at->run = at->end;
        return SQLITE_OK;
    }
    if (sqlite3_value_type(value) != SQLITE_TEXT)
        return SQLITE_OK;
    const char *text = (const char *)sqlite3_value_text(value);
    const size_t size = (size_t)sqlite3_value_bytes(value);
    wanted->text = text != NULL ? ftr_text_duplicate(text, size) : NULL;
    wanted->size = size;
    return wanted->text != NULL ? SQLITE_OK : SQLITE_NOMEM;
}

static int filter(sqlite3_vtab_cursor *filtered, int uses, const char *text, int argc,
                  sqlite3_value **argv)
{
    cursor *at = (cursor *)filtered;
    (void)text;
    (void)argc;
    reset(at);
    at->run = 0;
    at->end = at->set->count;
    int result = SQLITE_OK;
    if ((uses & WANTS_RUN) != 0)
        want_run(at, *argv++);
    if ((uses & WANTS_STREAM) != 0)
        result = want_name(at, &at->stream, *argv++);
    if ((uses & WANTS_GENERATOR) != 0 && result == SQLITE_OK)
        result = want_name(at, &at->generator, *argv);
    return result == SQLITE_OK ? enter_run(at) : result;
}

static int is_at_end(sqlite3_vtab_cursor *tested)
{
    return ((const cursor *)tested)->row.run == NULL;
}

static int get_column(sqlite3_vtab_cursor *read, sqlite3_context *result, int column)
{
    const cursor *at = (const cursor *)read;
    const ftr_summary_row *row = &at->row;
    switch (at->kind->columns[column].role) {
    case FTR_ROLE_RUN:
        sqlite3_result_int64(result, (sqlite3_int64)row->run->number + 1);
        return SQLITE_OK;
    case FTR_ROLE_STREAM:
        ftr_sql_result_view(result, (ftr_view){row->stream->name.bytes, row->stream->name.size});
        return SQLITE_OK;
    case FTR_ROLE_GENERATOR:
        if (row->generator != NULL)
            ftr_sql_result_view(result,
                                (ftr_view){row->generator->name.bytes, row->generator->name.size});
        return SQLITE_OK;
    default:
        return at->kind->column(row, result, column);
    }
}

/* The lower 32 bits are the number of the row in the run: 2^32 rows would need 64 GiB of memory. */
static int get_rowid(sqlite3_vtab_cursor *read, sqlite3_int64 *rowid)
{
    const cursor *at = (const cursor *)read;
    *rowid = (sqlite3_int64)((uint64_t)at->row.run->number << 32 | (at->before + at->row.number));
    return SQLITE_OK;
}

/* ---- values of several kinds ----------------------------------------------------------------- */

void ftr_summary_result_seconds(const ftr_summary_row *row, sqlite3_context *result,
                                long double ticks)
{
    const int scale = row->run->record.time_scale;
    /* Positive powers of ten are exact, so the division is rounded only once. */
    sqlite3_result_double(result, scale < 0 ? (double)(ticks / powl(10, -scale))
                                            : (double)(ticks * powl(10, scale)));
}

void ftr_summary_result_text(sqlite3_context *result, const ftr_figure_text *text)
{
    if (text->size > 0)
        ftr_sql_result_view(result, (ftr_view){text->bytes, text->size});
}

/* ---- registration ---------------------------------------------------------------------------- */

static const sqlite3_module MODULE = {.iVersion = 1,
                                      .xCreate = create_table,
                                      .xConnect = connect_table,
                                      .xBestIndex = plan,
                                      .xDisconnect = disconnect,
                                      .xDestroy = disconnect,
                                      .xOpen = open_cursor,
                                      .xClose = close_cursor,
                                      .xFilter = filter,
                                      .xNext = next_row,
                                      .xEof = is_at_end,
                                      .xColumn = get_column,
                                      .xRowid = get_rowid};

static void release_module(void *released)
{
    module *of = released;
    ftr_sql_context_release(of->context);
    free(of);
}

int ftr_summary_register(ftr_sql_context *context, const ftr_summary_kind *kind)
{
    char name[32];
    module *of = malloc(sizeof *of);
    if (of == NULL)
        return SQLITE_NOMEM;
    *of = (module){context, kind};
    context->references++;
    sqlite3_snprintf(sizeof name, name, "ftr_summary_%s", kind->name);
    /* If this call fails, SQLite releases `of`. */
    return sqlite3_create_module_v2(context->db, name, &MODULE, of, release_module);
}
