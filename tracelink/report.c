/* Owns the form of messages. Knows nothing of what they say. */
#include "report.h"

#include <stdarg.h>

static void put_place(const struct report *report, const char *kind, const char *where)
{
    fprintf(report->out, "%s: ", kind);
    if (where != NULL)
        fprintf(report->out, "%s: ", where);
}

void report_error(struct report *report, const char *where, const char *format, ...)
{
    va_list arguments;
    put_place(report, "error", where);
    va_start(arguments, format);
    vfprintf(report->out, format, arguments);
    va_end(arguments);
    fputc('\n', report->out);
    report->errors++;
}

void report_warning(struct report *report, const char *where, const char *format, ...)
{
    va_list arguments;
    put_place(report, "warning", where);
    va_start(arguments, format);
    vfprintf(report->out, format, arguments);
    va_end(arguments);
    fputc('\n', report->out);
    report->warnings++;
}

void report_note(struct report *report, int level, const char *format, ...)
{
    if (report->verbosity < level)
        return;
    va_list arguments;
    put_place(report, "note", NULL);
    va_start(arguments, format);
    vfprintf(report->out, format, arguments);
    va_end(arguments);
    fputc('\n', report->out);
}
