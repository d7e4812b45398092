/* Executes other programs, and splits command lines into words. */
#include "command_run.h"

#include "whole_file.h"

#include <ftr/detail/plain_text.h>

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int wait_for(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void show_line(const char *line, size_t size, FILE *to)
{
    char escape[FTR_PLAIN_ESCAPE_SIZE];
    for (size_t i = 0; i < size;) {
        const unsigned char *at = (const unsigned char *)line + i;
        const size_t step = ftr_plain_step(at, size - i);
        const bool acts = *at != '\n' && *at != '\t' && ftr_plain_is_acting(at, step);
        for (size_t k = 0; acts && k < step; k++) {
            ftr_plain_escape(at[k], escape);
            fwrite(escape, 1, sizeof escape, to);
        }
        if (!acts)
            fwrite(at, 1, step, to);
        i += step;
    }
}

void ftr_command_show(FILE *text, FILE *to)
{
    const bool is_terminal = isatty(fileno(to)) != 0;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t size;
    while ((size = getline(&line, &capacity, text)) > 0) {
        if (is_terminal)
            show_line(line, (size_t)size, to);
        else
            fwrite(line, 1, (size_t)size, to);
    }
    free(line);
}

/* Starts the command. @p output replaces those of stdout and stderr that are terminals; -1:
 * replaces neither.
 * @return 0, or an errno value */
static int start(pid_t *child, const char *const *command, int output)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int fd = STDOUT_FILENO; output >= 0 && fd <= STDERR_FILENO; fd++)
        if (isatty(fd))
            posix_spawn_file_actions_adddup2(&actions, output, fd);
    int failed = posix_spawnp(child, command[0], &actions, NULL, (char *const *)command, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

int ftr_command_run(ftr_link_report *report, const char *const *command)
{
    pid_t child;
    int ends[2] = {-1, -1};
    /* The output passes through a pipe only if it goes to a terminal, so that ftr_command_show()
     * can replace control characters in it. */
    FILE *to = isatty(STDERR_FILENO) ? stderr : isatty(STDOUT_FILENO) ? stdout : NULL;
    fflush(NULL);
    int failed = to != NULL && pipe2(ends, O_CLOEXEC) != 0 ? errno : 0;
    if (!failed)
        failed = start(&child, command, ends[1]);
    if (ends[1] >= 0)
        close(ends[1]);
    FILE *output = !failed && to != NULL ? fdopen(ends[0], "r") : NULL;
    if (output != NULL) {
        ftr_command_show(output, to);
        fclose(output);
    } else if (ends[0] >= 0) {
        close(ends[0]);
    }
    if (failed) {
        ftr_report_error(report, command[0], "%s", strerror(failed));
        return -1;
    }
    return wait_for(child);
}

const char *ftr_command_output(ftr_link_arena *arena, const char *const *command)
{
    int ends[2];
    pid_t child;
    posix_spawn_file_actions_t actions;
    if (pipe(ends) != 0)
        return NULL;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
    int failed = posix_spawnp(&child, command[0], &actions, NULL, (char *const *)command, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char line[4096];
    FILE *out = fdopen(ends[0], "r");
    const char *got = out != NULL && !failed ? fgets(line, sizeof line, out) : NULL;
    if (out != NULL)
        fclose(out);
    else
        close(ends[0]);
    if (failed || wait_for(child) != 0 || got == NULL)
        return NULL;
    line[strcspn(line, "\n")] = 0;
    return ftr_arena_text(arena, line);
}

/* Copies the next word of a text with quotes and backslashes to @p word. Returns the position after
 * it. */
static const char *split_word(const char *text, char *word)
{
    char quote = 0;
    while (*text && (quote || !isspace((unsigned char)*text))) {
        if (quote && *text == quote)
            quote = 0;
        else if (!quote && (*text == '"' || *text == '\''))
            quote = *text;
        else if (*text == '\\' && quote != '\'' && text[1])
            *word++ = *++text;
        else
            *word++ = *text;
        text++;
    }
    *word = 0;
    return text;
}

void ftr_command_split(ftr_link_arena *arena, const char *text, ftr_name_list *words)
{
    for (;;) {
        while (isspace((unsigned char)*text))
            text++;
        if (!*text)
            return;
        char *word = ftr_link_arena_allocate(arena, strlen(text) + 1, 1);
        text = split_word(text, word);
        ftr_name_list_add(arena, words, word);
    }
}

bool ftr_command_response(ftr_link_arena *arena, const char *path, ftr_name_list *words)
{
    size_t size;
    char *text = ftr_read_whole_file(path, SIZE_MAX, &size);
    if (text == NULL)
        return false;
    ftr_command_split(arena, text, words);
    free(text);
    return true;
}

/* Returns @p word in single quotes. A single quote within becomes '\'': the only character that a
 * shell interprets there. */
static const char *quoted(ftr_link_arena *arena, const char *word)
{
    const char *text = "'";
    for (const char *quote; (quote = strchr(word, '\'')) != NULL; word = quote + 1)
        text = ftr_arena_print(arena, "%s%.*s'\\''", text, (int)(quote - word), word);
    return ftr_arena_print(arena, "%s%s'", text, word);
}

const char *ftr_command_text(ftr_link_arena *arena, const char *const *command)
{
    const char *text = "";
    for (size_t i = 0; command[i] != NULL; i++) {
        bool plain = *command[i] && strpbrk(command[i], " \t\n\"'\\$&|;<>()*?[]#~`!{}") == NULL;
        const char *shown = plain ? command[i] : quoted(arena, command[i]);
        text = ftr_arena_print(arena, "%s%s%s", text, i ? " " : "", shown);
    }
    return text;
}
