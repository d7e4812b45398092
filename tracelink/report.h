/** @file
 *  What the commands of this folder tell a person: one line each, where it is wrong and what. */
#ifndef TRACELINK_REPORT_H
#define TRACELINK_REPORT_H

#include <stdio.h>

struct report {
    FILE *out;
    unsigned errors;
    unsigned warnings;
    int verbosity; /**< notes of this level and below are shown */
};

/** @p where names file, line, section and key, or an object and function; NULL: nowhere special. */
void report_error(struct report *report, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void report_warning(struct report *report, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void report_note(struct report *report, int level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
