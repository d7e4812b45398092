/* The connection of `ftr sql`, and the statements that it allows. */
#include "sql_session.h"

#include "command.h"
#include "exchange_report.h"
#include "plain_message.h"

#include <ftr/detail/plain_text.h>

#include <ctype.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { STEPS_BETWEEN_PROGRESS = 200000 };

/* ---- allowed statements ---------------------------------------------------------------------- */

/* Statements may change the tables of a session, because these tables are temporary and in memory.
 * Only files and code outside of the connection are protected. */

static bool is_in(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Returns true for pragmas that only return information, or that only change comparisons. A pragma
 * without an argument only returns a setting. */
static bool is_harmless_pragma(const char *name, const char *argument)
{
    static const char *const NAMES[] = {
        "case_sensitive_like", "foreign_key_check", "foreign_key_list",
        "index_info",          "index_list",        "index_xinfo",
        "integrity_check",     "quick_check",       "reverse_unordered_selects",
        "table_info",          "table_list",        "table_xinfo",
    };
    return argument == NULL || is_in(name, NAMES, sizeof NAMES / sizeof NAMES[0]);
}

/* Returns false for the functions of the SQLite library that load code. readfile(), writefile(),
 * edit(), fsdir and zipfile are not in this list: they are parts of the program sqlite3 and of
 * extensions, and do not exist in the library. */
static bool is_harmless_function(const char *name)
{
    static const char *const NAMES[] = {"fts3_tokenizer", "load_extension"};
    return !is_in(name, NAMES, sizeof NAMES / sizeof NAMES[0]);
}

/* Returns true for a database in memory, or in a temporary file that SQLite deletes. @p path is
 * NULL if the statement computes it. */
static bool is_without_file(const char *path)
{
    return path != NULL && (*path == '\0' || strcmp(path, ":memory:") == 0);
}

static int deny(ftr_sql_session *session, const char *what, const char *name)
{
    (void)sqlite3_snprintf(sizeof session->denied, session->denied, "%s%s", what, name);
    return SQLITE_DENY;
}

static int authorize(void *user, int action, const char *first, const char *second,
                     const char *database, const char *trigger)
{
    (void)database;
    (void)trigger;
    ftr_sql_session *session = user;
    switch (action) {
    case SQLITE_ATTACH: /* VACUUM INTO also asks for this permission */
        return is_without_file(first) ? SQLITE_OK
                                      : deny(session, "ATTACH or VACUUM INTO a file", "");
    case SQLITE_PRAGMA:
        return is_harmless_pragma(first, second) ? SQLITE_OK
                                                 : deny(session, "setting the pragma ", first);
    case SQLITE_FUNCTION:
        return is_harmless_function(second) ? SQLITE_OK : deny(session, "the function ", second);
    default:
        return SQLITE_OK;
    }
}

/* Protects the connection: afterwards, its statements cannot use any file except the traces. */
static void protect(ftr_sql_session *session)
{
    sqlite3 *db = session->db;
    session->denied[0] = '\0';
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, NULL);
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    (void)sqlite3_set_authorizer(db, authorize, session);
}

/* ---- opening --------------------------------------------------------------------------------- */

static void report(void *user, const char *path, const ftr_finding *finding)
{
    ftr_sql_session *session = user;
    if (finding->severity == FTR_SEVERITY_ERROR)
        session->damages++;
    ftr_print_error("%s: byte %" PRIu64 ": %s [%s]", path, finding->offset, finding->message,
                    finding->rule);
}

static bool fail(ftr_sql_session *session, const char *error)
{
    ftr_print_error("%s", error != NULL ? error : sqlite3_errmsg(session->db));
    ftr_sql_session_close(session);
    return false;
}

/* Returns the message without `ftr: `. The messages of the tables begin with this prefix, and
 * ftr_print_error() prints it, too. */
static const char *without_prefix(const char *message)
{
    return strncmp(message, "ftr: ", 5) == 0 ? message + 5 : message;
}

bool ftr_sql_session_open(ftr_sql_session *session, const ftr_input_options *options, char **files,
                          size_t count, bool may_write)
{
    char *error = NULL;
    session->damages = 0;
    /* Only one thread uses the connection, so no mutex is needed. Without a mutex, a signal handler
     * may interrupt a query. */
    if (sqlite3_open_v2(":memory:", &session->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK ||
        ftr_sql_register(session->db, &session->context) != SQLITE_OK)
        return fail(session, NULL);
    /* A misspelt column in double quotes must be an error, not a string. */
    (void)sqlite3_db_config(session->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    session->context->finding = report;
    session->context->finding_user = session;
    session->context->numbering = options->numbering;
    session->context->has_no_outer_join = true;
    if (options->memory > 0)
        session->context->memory = options->memory;
    bool is_open = true;
    for (size_t i = 0; i < count && is_open; i++) {
        if (!ftr_is_summary(files[i]))
            ftr_input_report_crash(files[i]);
        is_open = ftr_sql_open(session->context, files[i], &error) == SQLITE_OK;
    }
    if (is_open)
        is_open = ftr_sql_create_tables(session->context, &error) == SQLITE_OK;
    if (!is_open)
        (void)fail(session, error != NULL ? without_prefix(error) : "out of memory");
    sqlite3_free(error);
    const ftr_sql_set *opened = &session->context->opened;
    for (size_t i = 0; is_open && i < opened->count; i++)
        if (opened->traces[i]->reader != NULL)
            ftr_input_report_calls(opened->traces[i]->path, opened->traces[i]->reader);
    if (is_open && !may_write)
        protect(session);
    return is_open;
}

void ftr_sql_session_close(ftr_sql_session *session)
{
    sqlite3_close(session->db);
    session->db = NULL;
}

/* ---- tables of generators -------------------------------------------------------------------- */

static bool is_word(char byte)
{
    return isalnum((unsigned char)byte) != 0 || byte == '_' || byte == '$';
}

static bool create_named(ftr_sql_session *session, const char *word, size_t size)
{
    const ftr_table_name *name = ftr_table_names_find(&session->context->tables, word, size);
    if (name == NULL)
        return true;
    char *error = NULL;
    const bool is_created =
        ftr_sql_create_generator_table(session->context, name, &error) == SQLITE_OK;
    if (!is_created)
        ftr_print_error("%s", error != NULL ? without_prefix(error) : "out of memory");
    sqlite3_free(error);
    return is_created;
}

static bool is_outer_join(const char *word, size_t size)
{
    static const char *const WORDS[] = {"LEFT", "RIGHT", "FULL"};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (strlen(WORDS[i]) == size && strncasecmp(WORDS[i], word, size) == 0)
            return true;
    return false;
}

/* Examines the words of the text: notes outer joins, and creates the generator tables with names
 * that occur in the text. Tables for all generators would be too many, because a trace may have a
 * hundred thousand generators. */
static bool examine_words(ftr_sql_session *session, const char *text)
{
    ftr_sql_context *context = session->context;
    while (*text != '\0') {
        size_t size = 0;
        while (is_word(text[size]))
            size++;
        if (is_outer_join(text, size)) /* stays false for later statements, because they may use a
                                          view with this join */
            context->has_no_outer_join = false;
        if (size > 0 && !create_named(session, text, size))
            return false;
        text += size > 0 ? size : 1;
    }
    return true;
}

/* ---- execution ------------------------------------------------------------------------------- */

static sqlite3 *volatile interrupted;

static void interrupt(int signal)
{
    (void)signal;
    sqlite3 *db = interrupted;
    if (db != NULL)
        sqlite3_interrupt(db);
}

typedef struct scan_progress {
    ftr_progress bar;
    const ftr_sql_context *context;
} scan_progress;

static int show_progress(void *user)
{
    scan_progress *progress = user;
    const ftr_sql_summaries *summaries = progress->context->summaries;
    uint64_t moves = summaries != NULL ? summaries->reads : 0;
    for (size_t i = 0; i < progress->context->count; i++)
        moves += progress->context->traces[i]->moves;
    ftr_progress_show(&progress->bar, moves);
    return 0;
}

/* Prints the error of the statement. */
static void print_sql_error(ftr_sql_session *session)
{
    if (session->denied[0] == '\0') {
        ftr_print_error("%s", without_prefix(sqlite3_errmsg(session->db)));
        return;
    }
    ftr_print_error("%s is not allowed, because it could write a file or load code; --write allows "
                    "it",
                    session->denied);
    session->denied[0] = '\0';
}

/* Prints the line of @p text that contains the error, and a mark below the position of the
 * error. */
static void report_error(ftr_sql_session *session, const char *text)
{
    print_sql_error(session);
    const int offset = sqlite3_error_offset(session->db);
    if (offset < 0)
        return;
    const char *position = text + offset;
    const char *line = position;
    while (line > text && line[-1] != '\n')
        line--;
    const int size = (int)strcspn(line, "\n");
    const int before = (int)(position - line);
    ftr_print_message(stderr, "  ", "%.*s", size, line);
    char *plain = malloc(FTR_PLAIN_ESCAPE_SIZE * (size_t)before + 1);
    if (plain == NULL)
        return;
    const size_t width = ftr_text_width(plain, ftr_plain_text(line, (size_t)before, plain));
    free(plain);
    (void)fprintf(stderr, "  %*s^\n", (int)width, "");
}

static int print_rows(ftr_sql_session *session, sqlite3_stmt *statement)
{
    scan_progress progress = {.context = session->context};
    ftr_progress_begin(&progress.bar, 0,
                       session->context->summaries != NULL ? "runs read" : "transactions read");
    sqlite3_progress_handler(session->db, STEPS_BETWEEN_PROGRESS, show_progress, &progress);
    int result = sqlite3_step(statement);
    const bool has_rows =
        sqlite3_column_count(statement) > 0 && (result == SQLITE_ROW || result == SQLITE_DONE);
    if (has_rows && !ftr_sql_output_begin(&session->output, statement))
        result = SQLITE_NOMEM;
    while (result == SQLITE_ROW) {
        ftr_progress_end(&progress.bar); /* remove the progress bar before rows are printed */
        result = ftr_sql_output_row(&session->output, statement) ? sqlite3_step(statement)
                                                                 : SQLITE_NOMEM;
    }
    ftr_progress_end(&progress.bar);
    sqlite3_progress_handler(session->db, 0, NULL, NULL);
    if (has_rows && !ftr_sql_output_end(&session->output)) {
        ftr_print_error("stdout could not be written");
        return SQLITE_IOERR;
    }
    if (result == SQLITE_NOMEM)
        ftr_print_error("out of memory");
    return result;
}

static void print_failure(ftr_sql_session *session, int result)
{
    if (result == SQLITE_INTERRUPT)
        ftr_print_error("interrupted");
    else
        print_sql_error(session);
}

static bool run_statements(ftr_sql_session *session, const char *text)
{
    while (*text != '\0') {
        sqlite3_stmt *statement = NULL;
        const char *rest;
        if (sqlite3_prepare_v2(session->db, text, -1, &statement, &rest) != SQLITE_OK) {
            report_error(session, text);
            return false;
        }
        text = rest;
        if (statement == NULL)
            continue; /* blanks, or a comment */
        const int result = print_rows(session, statement);
        if (result != SQLITE_DONE && result != SQLITE_NOMEM && result != SQLITE_IOERR)
            print_failure(session, result);
        else if (result == SQLITE_IOERR && sqlite3_errcode(session->db) != SQLITE_OK)
            print_sql_error(session);
        (void)sqlite3_finalize(statement);
        if (result != SQLITE_DONE)
            return false;
    }
    return true;
}

bool ftr_sql_session_run(ftr_sql_session *session, const char *text)
{
    if (!examine_words(session, text))
        return false;
    struct sigaction old;
    const struct sigaction action = {.sa_handler = interrupt};
    interrupted = session->db;
    (void)sigaction(SIGINT, &action, &old);
    const bool is_done = run_statements(session, text);
    (void)sigaction(SIGINT, &old, NULL);
    interrupted = NULL;
    return is_done;
}
