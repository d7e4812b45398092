/* Owns the interactive prompt: joins lines to statements, and executes commands that begin with a
 * dot. */
#include "sql_prompt.h"

#include "command.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef FTR_HAS_LIBEDIT
#include <editline/readline.h>
#endif

static const char HELP[] =
    "SQL statements end with a semicolon and may span lines. Tables: run, stream, generator, tx,\n"
    "attribute, relation, and one for each generator.\n"
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

static const char *const TABLES[] = {"run", "stream", "generator", "tx", "attribute", "relation"};

static void list_tables(ftr_sql_session *session, const char *pattern)
{
    const char *glob = *pattern != '\0' ? pattern : "*";
    for (size_t i = 0; i < sizeof TABLES / sizeof TABLES[0]; i++)
        if (sqlite3_strglob(glob, TABLES[i]) == 0)
            (void)puts(TABLES[i]);
    const ftr_table_names *tables = &session->context->tables;
    for (size_t i = 0; i < tables->count; i++)
        if (sqlite3_strglob(glob, tables->entries[i].table) == 0)
            (void)puts(tables->entries[i].table);
}

static void show_schema(ftr_sql_session *session, const char *table)
{
    const bool is_all = *table == '\0';
    for (size_t i = 0; i < (is_all ? sizeof TABLES / sizeof TABLES[0] : 1); i++) {
        const char *name = is_all ? TABLES[i] : table;
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

void ftr_sql_prompt(ftr_sql_session *session)
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
