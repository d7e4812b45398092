/* Executes the statements of `ftr sql` in their order: a script, a query, and the statements that
 * are entered at the prompt. The prompt also accepts commands that begin with a dot. */
#include "sql_options.h"

#include "command.h"
#include "sql_session.h"
#include "whole_file.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef FTR_HAS_LIBEDIT
#include <editline/readline.h>
#endif

/* ---- the prompt ------------------------------------------------------------------------------ */

static const char HELP[] = "SQL statements end with a semicolon and may span lines.\n"
                           "  .tables [GLOB]     names of tables\n"
                           "  .schema [TABLE]    columns of tables\n"
                           "  .mode FORMAT       table, csv, tsv or json\n"
                           "  .help              this text\n"
                           "  .quit              end the session, as does the end of the input\n";

/* Reads one line without its line end; the caller must free() it. Returns NULL at the end of
 * input. */
static char *read_line(const char *prompt)
{
#ifdef FTR_HAS_LIBEDIT
    if (isatty(STDIN_FILENO) != 0) {
        char *line = readline(prompt);
        if (line != NULL && *line != '\0')
            add_history(line);
        return line;
    }
#endif
    char *line = NULL;
    size_t capacity = 0;
    if (isatty(STDIN_FILENO) != 0) {
        (void)fputs(prompt, stdout);
        (void)fflush(stdout);
    }
    const ssize_t size = getline(&line, &capacity, stdin);
    if (size < 0) {
        free(line);
        return NULL;
    }
    if (size > 0 && line[size - 1] == '\n')
        line[size - 1] = '\0';
    return line;
}

static void list_tables(ftr_sql_session *session, const char *pattern)
{
    const char *glob = *pattern != '\0' ? pattern : "*";
    size_t count;
    const char *const *names = ftr_sql_table_names(session->context, &count);
    for (size_t i = 0; i < count; i++)
        if (sqlite3_strglob(glob, names[i]) == 0)
            (void)puts(names[i]);
    const ftr_table_names *tables = &session->context->tables;
    for (size_t i = 0; i < tables->count; i++)
        if (sqlite3_strglob(glob, tables->entries[i].table) == 0)
            (void)puts(tables->entries[i].table);
}

static void show_schema(ftr_sql_session *session, const char *table)
{
    const bool is_all = *table == '\0';
    size_t count;
    const char *const *names = ftr_sql_table_names(session->context, &count);
    for (size_t i = 0; i < (is_all ? count : 1); i++) {
        const char *name = is_all ? names[i] : table;
        char *query = sqlite3_mprintf("SELECT '%q' AS \"table\", name AS \"column\", "
                                      "replace(type, 'BLOB', '') AS type, "
                                      "iif(hidden, 'only by name', '') AS \"in SELECT *\" "
                                      "FROM pragma_table_xinfo('%q')",
                                      name, name);
        if (query != NULL)
            (void)ftr_sql_session_run(session, query);
        sqlite3_free(query);
    }
}

/* @return false if the command ends the session */
static bool execute_command(ftr_sql_session *session, const char *line)
{
    char command[16] = "";
    char argument[512] = "";
    (void)sscanf(line, "%15s %511[^\n]", command, argument);
    if (strcmp(command, ".quit") == 0 || strcmp(command, ".exit") == 0)
        return false;
    if (strcmp(command, ".tables") == 0)
        list_tables(session, argument);
    else if (strcmp(command, ".schema") == 0)
        show_schema(session, argument);
    else if (strcmp(command, ".help") == 0)
        (void)fputs(HELP, stdout);
    else if (strcmp(command, ".mode") != 0 ||
             !ftr_sql_format_of_name(argument, &session->output.format))
        ftr_print_error("unknown command '%s'; .help lists the commands", line);
    (void)fflush(stdout);
    return true;
}

/* Appends @p line to @p statement. @return the longer statement; NULL if out of memory, then @p
 * statement is freed */
static char *append(char *statement, const char *line)
{
    const size_t size = statement != NULL ? strlen(statement) : 0;
    char *grown = realloc(statement, size + strlen(line) + 2);
    if (grown == NULL) {
        free(statement);
        return NULL;
    }
    (void)sprintf(grown + size, "%s\n", line);
    return grown;
}

/* Reads and executes statements from the terminal or from stdin, until the end of input or
 * `.quit`. */
static void prompt_for_statements(ftr_sql_session *session)
{
    char *statement = NULL;
    char *line;
    /* Ctrl-C interrupts a statement; between statements, it is ignored. */
    (void)signal(SIGINT, SIG_IGN);
    while ((line = read_line(statement != NULL ? "...> " : "ftr> ")) != NULL) {
        const bool is_command = statement == NULL && line[0] == '.';
        const bool continues = !is_command || execute_command(session, line);
        if (!is_command)
            statement = append(statement, line);
        free(line);
        if (!continues)
            break;
        if (statement != NULL && sqlite3_complete(statement)) {
            (void)ftr_sql_session_run(session, statement);
            free(statement);
            statement = NULL;
        }
    }
    if (statement != NULL) {
        if (strspn(statement, " \t\n") < strlen(statement))
            (void)ftr_sql_session_run(session, statement);
        free(statement);
    }
}

/* ---- all statements -------------------------------------------------------------------------- */

int ftr_sql_execute(const ftr_sql_options *options, char **files, size_t count, const char *query)
{
    static ftr_sql_session session; /* static because its output buffer is large */
    char *script = NULL;
    size_t size;
    if (options->script != NULL) {
        script = ftr_read_whole_file(options->script, SIZE_MAX, &size);
        if (script == NULL) {
            ftr_print_error("%s: %s", options->script, strerror(errno));
            return FTR_EXIT_TROUBLE;
        }
    }
    ftr_sql_output_init(&session.output, options->format);
    session.output.without_header = options->without_header;
    session.output.out.for_spreadsheet = options->for_spreadsheet;
    if (!ftr_sql_session_open(&session, &options->input, files, count, options->may_write)) {
        free(script);
        return FTR_EXIT_TROUBLE;
    }
    bool is_done = true;
    if (script != NULL)
        is_done = ftr_sql_session_run(&session, script);
    if (is_done && query != NULL)
        is_done = ftr_sql_session_run(&session, query);
    if (is_done && options->is_interactive)
        prompt_for_statements(&session);
    free(script);
    ftr_sql_session_close(&session);
    if (!is_done)
        return FTR_EXIT_TROUBLE;
    return session.damages > 0 ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}
