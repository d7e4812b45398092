/* Owns the form of messages. Knows nothing of what they say. */
#include "report.h"

#include <stdarg.h>

static void put(struct report *report, const char *kind, const char *where, const char *format,
                va_list arguments)
{
    fprintf(report->out, "%s: ", kind);
    if (where)
        fprintf(report->out, "%s: ", where);
    vfprintf(report->out, format, arguments);
    fputc('\n', report->out);
}

void report_error(struct report *report, const char *where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(report, "error", where, format, arguments);
    va_end(arguments);
    ++report->errors;
}

void report_warning(struct report *report, const char *where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(report, "warning", where, format, arguments);
    va_end(arguments);
    ++report->warnings;
}

void report_note(struct report *report, int level, const char *format, ...)
{
    if (report->verbosity < level)
        return;
    va_list arguments;
    va_start(arguments, format);
    put(report, "note", NULL, format, arguments);
    va_end(arguments);
}
