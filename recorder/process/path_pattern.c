/* Replaces the placeholders in path patterns by properties of the process and the current time.
 * Independent of recorders. */
#define _GNU_SOURCE
#include "path_pattern.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define EXPANSION_SIZE 1024

typedef struct path_writer {
    char *path;
    size_t size;
    size_t length;
} path_writer;

static bool put(path_writer *writer, char c)
{
    if (writer->length + 1 >= writer->size)
        return false;
    writer->path[writer->length++] = c;
    return true;
}

static bool put_expansion(path_writer *writer, const char *text)
{
    for (; *text; text++) {
        if (!put(writer, (char)(*text == '.' || *text == '/' ? '-' : *text)))
            return false;
    }
    return true;
}

/* Sets @p text to the text for "%q{VAR}"; @p at is the position after the q. Returns the position
 * after the closing brace, or NULL if a brace is missing. */
static const char *expand_variable(const char *at, const char **text)
{
    const char *end = *at == '{' ? strchr(at, '}') : NULL;
    char name[EXPANSION_SIZE];
    if (end == NULL || (size_t)(end - at) > sizeof name)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)(end - at - 1), at + 1);
    const char *value = secure_getenv(name);
    *text = value != NULL ? value : "";
    return end + 1;
}

/* Sets @p text to the text for the placeholder at @p at (after the %); @p room provides memory for
 * this text. Returns the position after the placeholder, or NULL if the placeholder is unknown. */
static const char *expand(const char *at, char room[EXPANSION_SIZE], const char **text)
{
    *text = room;
    time_t now = time(NULL);
    struct tm utc;
    switch (*at) {
    case 'p':
        snprintf(room, EXPANSION_SIZE, "%ld", (long)getpid());
        return at + 1;
    case 'h':
        if (gethostname(room, EXPANSION_SIZE) != 0)
            snprintf(room, EXPANSION_SIZE, "localhost");
        room[EXPANSION_SIZE - 1] = '\0';
        return at + 1;
    case 'e':
        snprintf(room, EXPANSION_SIZE, "%s", program_invocation_short_name);
        return at + 1;
    case 't':
        strftime(room, EXPANSION_SIZE, "%Y%m%dT%H%M%S", gmtime_r(&now, &utc));
        return at + 1;
    case 'q':
        return expand_variable(at + 1, text);
    default:
        return NULL;
    }
}

ftr_status ftr_path_pattern_expand(const char *pattern, char *path, size_t size)
{
    path_writer writer = {path, size, 0};
    bool fits = true;
    while (*pattern && fits) {
        if (*pattern != '%' || pattern[1] == '%') {
            fits = put(&writer, *pattern);
            pattern += *pattern == '%' ? 2 : 1;
            continue;
        }
        char room[EXPANSION_SIZE];
        const char *text;
        const char *next = expand(pattern + 1, room, &text);
        if (next == NULL) {
            snprintf(path, size, "%.20s is not a placeholder (%%p %%h %%e %%t %%q{VAR} %%%%)",
                     pattern);
            return FTR_ERR_ARGUMENT;
        }
        fits = put_expansion(&writer, text);
        pattern = next;
    }
    if (!fits) {
        snprintf(path, size, "it is longer than %zu bytes", size - 1);
        return FTR_ERR_ARGUMENT;
    }
    path[writer.length] = '\0';
    return FTR_OK;
}
