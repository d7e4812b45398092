/* Owns how conversions speak. */
#include "exchange_report.h"

#include <stdarg.h>
#include <stdio.h>

#define MESSAGE_SIZE 1024

void ftr_exchange_tell(const ftr_exchange_report *report, const char *format, ...)
{
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    report->tell(report->user, message);
}
