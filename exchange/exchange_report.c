/* Owns the messages of conversions. */
#include "exchange_report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MESSAGE_SIZE 1024

void ftr_exchange_print(const ftr_exchange_report *report, const char *format, ...)
{
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    report->message(report->user, message);
}

void ftr_exchange_print_status(const ftr_exchange_report *report, const char *path,
                               ftr_status status)
{
    const bool has_reason = status == FTR_ERR_IO && errno != 0;
    ftr_exchange_print(report, "%s: %s", path,
                       has_reason ? strerror(errno) : ftr_status_text(status));
}
