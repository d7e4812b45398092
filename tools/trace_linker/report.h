/** @file
 *  Messages of the commands in this folder: one line each, with the position and the problem. */
#ifndef FTR_REPORT_H
#define FTR_REPORT_H

#include <stdio.h>

typedef struct ftr_link_report {
    FILE *out;
    unsigned errors;
    unsigned warnings;
    int verbosity;       /**< notes up to this level are printed */
    const char *program; /**< begins each message instead of the word "error"; NULL: none */
} ftr_link_report;

/** Prints a message. @p where is its position (file, line, section and key; or object and
 * function); NULL: no position. */
void ftr_report_error(ftr_link_report *report, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ftr_report_warning(ftr_link_report *report, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ftr_report_note(ftr_link_report *report, int level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
