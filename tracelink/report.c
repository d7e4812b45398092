/* Owns the form of messages. Does not know their content. */
#include "report.h"

#include <stdarg.h>

static void put(const ftr_link_report *report, const char *kind, const char *where,
                const char *format, va_list arguments)
{
    fprintf(report->out, "%s: ", kind);
    if (where != NULL)
        fprintf(report->out, "%s: ", where);
    vfprintf(report->out, format, arguments);
    fputc('\n', report->out);
}

void ftr_report_error(ftr_link_report *report, const char *where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(report, "error", where, format, arguments);
    va_end(arguments);
    report->errors++;
}

void ftr_report_warning(ftr_link_report *report, const char *where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(report, "warning", where, format, arguments);
    va_end(arguments);
    report->warnings++;
}

void ftr_report_note(ftr_link_report *report, int level, const char *format, ...)
{
    if (report->verbosity < level)
        return;
    va_list arguments;
    va_start(arguments, format);
    put(report, "note", NULL, format, arguments);
    va_end(arguments);
}
