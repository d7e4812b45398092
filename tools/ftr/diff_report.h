/* Differences between two traces as text: the first difference with its related transactions, then
 * the differences of each kind (without --all, the 10 earliest ones), then latencies, streams and
 * counts. */
#ifndef FTR_DIFF_REPORT_H
#define FTR_DIFF_REPORT_H

#include "diff_view.h"

typedef struct ftr_diff_report ftr_diff_report;

/* @return NULL if out of memory */
ftr_diff_report *ftr_diff_report_create(const ftr_diff_view *view);
void ftr_diff_report_destroy(ftr_diff_report *report);

void ftr_diff_report_add(ftr_diff_report *report, const ftr_difference *difference);
void ftr_diff_report_add_relation(ftr_diff_report *report,
                                  const ftr_relation_difference *difference);

/* Prints the report. If there are no differences, prints only the summary if it was requested,
 * otherwise nothing.
 * @return false if a file cannot be read again */
bool ftr_diff_report_print(ftr_diff_report *report, ftr_diff_view *view);

/* Prints the numbers of differences in one line, without a newline: "3 differences: 1 deleted, 2
 * changed". */
void ftr_diff_print_counts(ftr_printer *out, const ftr_trace_diff *diff);

#endif
