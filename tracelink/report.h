/** @file
 *  Messages of the commands in this folder: one line each, with the position and the problem. */
#ifndef FTR_REPORT_H
#define FTR_REPORT_H

#include <stdio.h>

typedef struct ftr_link_report {
    FILE *out;
    unsigned errors;
    unsigned warnings;
    int verbosity; /**< notes of this level and below are printed */
} ftr_link_report;

/** @p where is file, line, section and key, or an object and function; NULL: no position. */
void ftr_report_error(ftr_link_report *report, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ftr_report_warning(ftr_link_report *report, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ftr_report_note(ftr_link_report *report, int level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
