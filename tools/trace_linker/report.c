/* Owns the form of messages. Does not know their content. */
#include "report.h"

#include "plain_message.h"

#include <stdarg.h>

static void put_place(FILE *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ftr_vprint_message(to, "", format, arguments, ": ");
    va_end(arguments);
}

static void put(const ftr_link_report *report, const char *kind, const char *where,
                const char *format, va_list arguments)
{
    if (report->program != NULL)
        fprintf(report->out, "%s: ", report->program);
    if (kind != NULL)
        fprintf(report->out, "%s: ", kind);
    if (where != NULL)
        put_place(report->out, "%s", where);
    ftr_vprint_message(report->out, "", format, arguments, "\n");
}

void ftr_report_error(ftr_link_report *report, const char *where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(report, report->program == NULL ? "error" : NULL, where, format, arguments);
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
