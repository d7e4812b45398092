/* Reads buffers from the text of FTR_BUFFERS. Checks only the syntax; ftr_buffer_define() checks
 * the values. */
#define _GNU_SOURCE
#include <ftr/detail/size_text.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "misuse.h"
#include "trace_path.h"

/* Maximum length of the description of a syntax error. */
#define WHY_SIZE 512

/* One buffer of a text. All pointers point into a copy of the text. */
typedef struct described_buffer {
    const char *name;
    ftr_buffer_kind kind;
    uint64_t memory;
    const char *sink; /* NULL: the buffer's data goes to the recorder's trace */
    const char *streams;
} described_buffer;

__attribute__((format(printf, 3, 4))) static ftr_status wrong(char *why, size_t size,
                                                              const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, size, format, arguments);
    va_end(arguments);
    return FTR_ERR_ARGUMENT;
}

/* Returns the text before the next @p separator, which is replaced by a NUL, and advances @p text.
 * NULL: there is no text left. */
static char *cut(char **text, char separator)
{
    char *start = *text;
    char *end = start != NULL ? strchr(start, separator) : NULL;
    if (end != NULL)
        *end = '\0';
    *text = end != NULL ? end + 1 : NULL;
    return start;
}

/* Reads NAME=KIND,MEMORY[,>SINK],GLOBS. */
static ftr_status read_buffer(char *text, described_buffer *buffer, char *why, size_t size)
{
    char *rest = text + strspn(text, " ");
    buffer->name = cut(&rest, '=');
    if (rest == NULL)
        return wrong(why, size, "'%s' has no '='; expected NAME=KIND,MEMORY,GLOBS", buffer->name);
    const char *kind = cut(&rest, ',');
    if (strcmp(kind, "ring") != 0 && strcmp(kind, "linear") != 0)
        return wrong(why, size, "buffer %s: its kind is '%s'; expected ring or linear",
                     buffer->name, kind);
    buffer->kind = strcmp(kind, "ring") == 0 ? FTR_BUFFER_RING : FTR_BUFFER_LINEAR;
    const char *memory = cut(&rest, ',');
    if (memory == NULL || !ftr_size_parse(memory, &buffer->memory) || buffer->memory == 0)
        return wrong(why, size,
                     "buffer %s: its memory is '%s'; expected bytes, 128K to 2G; K, M, G and T may "
                     "follow",
                     buffer->name, memory != NULL ? memory : "");
    buffer->sink = rest != NULL && *rest == '>' ? cut(&rest, ',') + 1 : NULL;
    if (buffer->sink != NULL && strcmp(buffer->sink, "file") != 0)
        return wrong(why, size, "buffer %s: its sink is '%s'; expected file", buffer->name,
                     buffer->sink);
    buffer->streams = rest;
    if (rest == NULL || !*rest)
        return wrong(why, size, "buffer %s: it has no streams; expected patterns of stream names",
                     buffer->name);
    return FTR_OK;
}

static ftr_status define(ftr_recorder *rec, const described_buffer *described, char *why,
                         size_t size)
{
    const char *trace = rec->output.path;
    ftr_buffer_options options = {.name = described->name,
                                  .kind = described->kind,
                                  .memory = described->memory,
                                  .streams = described->streams};
    char *path = NULL;
    if (described->sink != NULL) {
        path = trace != NULL ? ftr_trace_path_add(trace, "-%s", described->name) : NULL;
        if (path == NULL)
            return wrong(why, size,
                         "buffer %s: a file of its own needs a trace that is written to a file",
                         described->name);
        options.path = path;
    }
    ftr_buffer ignored;
    ftr_status status = ftr_buffer_define(rec, &options, &ignored);
    free(path);
    return status;
}

/* Reads the whole text. Also defines the buffers, unless @p rec is NULL. */
static ftr_status read_text(ftr_recorder *rec, const char *text, char *why, size_t size)
{
    why[0] = '\0';
    char *copy = strdup(text);
    ftr_status status = copy != NULL ? FTR_OK : FTR_ERR_MEMORY;
    char *rest = copy;
    while (status == FTR_OK && rest != NULL) {
        described_buffer buffer = {0};
        char *one = cut(&rest, ';');
        if (!one[strspn(one, " ")])
            continue; /* a separator at the end is allowed */
        status = read_buffer(one, &buffer, why, size);
        if (status == FTR_OK && rec != NULL)
            status = define(rec, &buffer, why, size);
    }
    free(copy);
    return status;
}

ftr_status ftr_buffers_check(const char *text, char *why, size_t why_size)
{
    if (text == NULL || why == NULL || why_size == 0)
        return FTR_ERR_ARGUMENT;
    return read_text(NULL, text, why, why_size);
}

ftr_status ftr_buffers_define(ftr_recorder *rec, const char *text)
{
    static const char call[] = "ftr_buffers_define";
    char why[WHY_SIZE];
    if (rec == NULL || text == NULL)
        return ftr_recorder_misuse(rec, FTR_ERR_ARGUMENT, &(ftr_misuse){.call = call});
    ftr_status status = read_text(rec, text, why, sizeof why);
    if (status != FTR_OK && why[0]) {
        ftr_recorder_report(rec, FTR_SEVERITY_ERROR, "%s", why);
        (void)ftr_recorder_misuse(rec, status,
                                  &(ftr_misuse){.call = call, .set = FTR_MISUSE_REPORTED});
    }
    return status;
}
