/* Puts something into a file's name. Knows nothing of files. */
#define _GNU_SOURCE
#include "trace_path.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *ftr_trace_path_add(const char *path, const char *format, ...)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    int stem = dot && dot != name ? (int)(dot - path) : (int)strlen(path);
    char *added = NULL;
    char *made = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&added, format, arguments);
    va_end(arguments);
    if (length < 0)
        return NULL;
    length = asprintf(&made, "%.*s%s%s", stem, path, added, path + stem);
    free(added);
    return length < 0 ? NULL : made;
}

char *ftr_trace_path_of_file(const char *path, uint32_t number)
{
    return number > 1 ? ftr_trace_path_add(path, "-%u", (unsigned)number) : strdup(path);
}
