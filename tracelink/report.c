/* Owns the form of messages. Does not know their content. */
#include "report.h"

#include <stdarg.h>

static void put_position(const ftr_link_report *report, const char *kind, const char *where)
{
    fprintf(report->out, "%s: ", kind);
    if (where != NULL)
        fprintf(report->out, "%s: ", where);
}

void ftr_report_error(ftr_link_report *report, const char *where, const char *format, ...)
{
    va_list arguments;
    put_position(report, "error", where);
    va_start(arguments, format);
    vfprintf(report->out, format, arguments);
    va_end(arguments);
    fputc('\n', report->out);
    report->errors++;
}

void ftr_report_warning(ftr_link_report *report, const char *where, const char *format, ...)
{
    va_list arguments;
    put_position(report, "warning", where);
    va_start(arguments, format);
    vfprintf(report->out, format, arguments);
    va_end(arguments);
    fputc('\n', report->out);
    report->warnings++;
}

void ftr_report_note(ftr_link_report *report, int level, const char *format, ...)
{
    if (report->verbosity < level)
        return;
    va_list arguments;
    put_position(report, "note", NULL);
    va_start(arguments, format);
    vfprintf(report->out, format, arguments);
    va_end(arguments);
    fputc('\n', report->out);
}
