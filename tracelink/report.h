/** @file
 *  What the commands of this folder tell a person: one line each, where it is wrong and what. */
#ifndef FTR_REPORT_H
#define FTR_REPORT_H

#include <stdio.h>

typedef struct ftr_link_report {
    FILE *out;
    unsigned errors;
    unsigned warnings;
    int verbosity; /**< notes of this level and below are shown */
} ftr_link_report;

/** @p where names file, line, section and key, or an object and function; NULL: nowhere special. */
void ftr_report_error(ftr_link_report *report, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ftr_report_warning(ftr_link_report *report, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ftr_report_note(ftr_link_report *report, int level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
