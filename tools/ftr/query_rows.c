/* Executes queries in the program ftr-sql, a process of its own, and reads the rows that it prints:
 * one line for each row, values separated by tabs, and the names of the columns in the first line.
 * The messages of the program are kept, to print them with the place of the query. */
#include "query_rows.h"

#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef FTR_HAS_SQL

#define PROGRAM "ftr-sql"
/* Longer messages are cut. */
#define MESSAGE_MAX 4000u

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct row_reader {
    char *names; /* the first line */
    bool has_message;
    ftr_take_row *take;
    void *user;
} row_reader;

/* Returns the field at *@p rest, and moves *@p rest behind it; NULL if there is no further one. */
static char *next_field(char **rest)
{
    char *field = *rest;
    if (field == NULL)
        return NULL;
    char *tab = strchr(field, '\t');
    *rest = tab != NULL ? tab + 1 : NULL;
    if (tab != NULL)
        *tab = '\0';
    return field;
}

/* Replaces the escapes of tabs, line ends and backslashes. A tab or line end becomes a blank,
 * because a row is one line of a message. */
static void unescape(char *field)
{
    char *to = field;
    for (; *field != '\0'; field++)
        if (*field != '\\' || field[1] == '\0')
            *to++ = *field;
        else
            *to++ = *++field == '\\' ? '\\' : ' ';
    *to = '\0';
}

static bool has_column(const char *names, const char *wanted)
{
    const size_t size = strlen(wanted);
    for (const char *at = names; *at != '\0'; at += *at == '\t') {
        const size_t length = strcspn(at, "\t");
        if (length == size && strncasecmp(at, wanted, size) == 0)
            return true;
        at += length;
    }
    return false;
}

/* Appends a value to @p text: after its name, unless the query has a message of its own. */
static void append(const row_reader *reader, char *text, const char *name, const char *value)
{
    char *end = text + strlen(text);
    if (!reader->has_message)
        (void)sprintf(end, "%s%s = %s", end > text ? ", " : "", name, value);
    else if (strcasecmp(name, "message") == 0)
        (void)sprintf(end, "%s", value);
}

static bool take_row(const row_reader *reader, char *line)
{
    char *names = strdup(reader->names);
    /* room for the separators ", " and " = " of each value */
    char *text = names != NULL ? malloc(5 * (strlen(names) + strlen(line) + 8)) : NULL;
    size_t run = 0;
    char *name;
    char *rest_of_names = names;
    char *rest = line;
    bool ok = text != NULL;
    if (ok)
        text[0] = '\0';
    else
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
    while (ok && (name = next_field(&rest_of_names)) != NULL) {
        char *value = next_field(&rest);
        if (value == NULL)
            break;
        unescape(name);
        unescape(value);
        if (strcasecmp(name, "run") == 0)
            run = strtoul(value, NULL, 10);
        else
            append(reader, text, name, value);
    }
    if (ok)
        ok = reader->take(reader->user, run, text[0] != '\0' ? text : "the query returns this run");
    free(names);
    free(text);
    return ok;
}

static bool take_line(row_reader *reader, char *line)
{
    if (reader->names != NULL)
        return take_row(reader, line);
    reader->names = strdup(line);
    if (reader->names == NULL) {
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
        return false;
    }
    reader->has_message = has_column(line, "message");
    return true;
}

static bool read_rows(int fd, row_reader *reader)
{
    FILE *rows = fdopen(fd, "re");
    char *line = NULL;
    size_t capacity = 0;
    ssize_t size;
    bool ok = rows != NULL;
    while (ok && (size = getline(&line, &capacity, rows)) > 0) {
        if (line[size - 1] == '\n')
            line[size - 1] = '\0';
        ok = take_line(reader, line);
    }
    free(line);
    if (rows != NULL)
        (void)fclose(rows);
    else
        (void)close(fd);
    return ok;
}

/* ---- the program ----------------------------------------------------------------------------- */

/* Prints the messages of the program behind the place of the query. */
static void print_messages(int messages, const char *place)
{
    static const char prefix[] = "ftr: ";
    char text[MESSAGE_MAX + 1];
    const ssize_t got = pread(messages, text, MESSAGE_MAX, 0);
    if (got <= 0)
        return;
    text[got] = '\0';
    const char *start =
        strncmp(text, prefix, sizeof prefix - 1) == 0 ? text + sizeof prefix - 1 : text;
    const size_t size = strcspn(start, "\n");
    ftr_print_error("%s: %.*s", place, (int)size, start);
    if (start[size] == '\n') /* the line of the query, and a mark below the error */
        (void)fputs(start + size + 1, stderr);
}

static bool start(const char *path, const char *query, const char *place, int rows, int messages,
                  pid_t *child)
{
    char program[PATH_MAX + NAME_MAX];
    char *const arguments[] = {"sql", "--tsv", "--", (char *)path, (char *)query, NULL};
    posix_spawn_file_actions_t actions;
    if (!ftr_installed_path(PROGRAM, program, sizeof program))
        return false;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) {
        ftr_print_error("%s: %s", place, strerror(error));
        return false;
    }
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, rows, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
    if (error == 0)
        error = posix_spawn(child, program, &actions, NULL, arguments, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        ftr_print_error("%s: the query needs the program of 'ftr sql': %s: %s", place, program,
                        strerror(error));
    return error == 0;
}

/* @return false after an error message */
static bool finish(pid_t child, int messages, const char *place, bool is_read)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) {
            ftr_print_error("%s: %s", place, strerror(errno));
            return false;
        }
    if (is_read)
        print_messages(messages, place);
    if (is_read && (!WIFEXITED(status) || WEXITSTATUS(status) == FTR_EXIT_TROUBLE)) {
        if (WIFSIGNALED(status))
            ftr_print_error("%s: %s was ended by signal %d", place, PROGRAM, WTERMSIG(status));
        return false;
    }
    return is_read;
}

bool ftr_query_rows(const char *path, const char *query, const char *place, ftr_take_row *take,
                    void *user)
{
    row_reader reader = {.take = take, .user = user};
    int ends[2];
    pid_t child;
    const int messages = memfd_create("messages", MFD_CLOEXEC);
    if (messages < 0 || pipe2(ends, O_CLOEXEC) != 0) {
        ftr_print_error("%s: %s", place, strerror(errno));
        if (messages >= 0)
            (void)close(messages);
        return false;
    }
    const bool is_started = start(path, query, place, ends[1], messages, &child);
    (void)close(ends[1]);
    bool ok = is_started && read_rows(ends[0], &reader);
    if (is_started)
        ok = finish(child, messages, place, ok);
    else
        (void)close(ends[0]);
    (void)close(messages);
    if (ok && reader.names == NULL) {
        ftr_print_error("%s: the statement has no columns; SELECT is expected", place);
        ok = false;
    }
    free(reader.names);
    return ok;
}

#else

bool ftr_query_rows(const char *path, const char *query, const char *place, ftr_take_row *take,
                    void *user)
{
    (void)path;
    (void)query;
    (void)take;
    (void)user;
    ftr_print_error("%s: this ftr was built without SQLite and cannot execute queries; remove the "
                    "rule, or build ftr with libsqlite3-dev",
                    place);
    return false;
}

#endif
