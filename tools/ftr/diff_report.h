/* The differences between two traces, as text for people and as JSON for programs. Both forms use a
 * view, which contains the two files and is used to look up their transactions. */
#ifndef FTR_DIFF_REPORT_H
#define FTR_DIFF_REPORT_H

#include "input_file.h"
#include "printer.h"
#include "run_links.h"
#include "time_text.h"
#include "trace_differences.h"

typedef struct ftr_diff_view {
    ftr_input *input[2];
    int time_scale[2];
    ftr_link_names links[2]; /* labels of the streams of both traces */
    ftr_tx_lookup lookup[2];
    ftr_attribute_sides sides;
    ftr_trace_diff *diff;
    ftr_printer *out;
    bool all;     /* lists all differences instead of the first ones */
    bool summary; /* prints only the numbers of differences */
} ftr_diff_view;

/* Reads the two transactions of a difference; found[s] is false if the difference has no
 * transaction in trace s. */
void ftr_diff_find(ftr_diff_view *view, const ftr_difference *difference, ftr_transaction tx[2],
                   bool found[2]);

/* Returns the label of a stream for people (link_names.h). */
ftr_view ftr_diff_stream_label(const ftr_diff_view *view, const ftr_diff_stream *stream);

/* Returns the number of transactions and relations that differ. */
uint64_t ftr_diff_total(const ftr_trace_diff *diff);

/* ---- comparison, also for `ftr report --diff` ------------------------------------------------ */

/* Sets the common time scale of @p diff, and the tolerance and the threads of @p options. If a
 * query of the options has no choice of streams, all streams except ftr.run are compared. @p
 * inputs: the two traces.
 * @return false after an error message */
bool ftr_compared_inputs_prepare(const ftr_input *inputs, const ftr_time_value *tolerance,
                                 ftr_trace_diff *diff, ftr_diff_options *options);

/* Reports errors of reading. @param status the result of ftr_diff_run()
 * @return true if both traces were read completely and compared */
bool ftr_compared_inputs_check_end(const ftr_input *inputs, const ftr_trace_diff *diff,
                                   ftr_status status);

/* ---- text ------------------------------------------------------------------------------------ */

/* A report as text: the first difference with its related transactions, then the differences of
 * each kind (without --all, the 10 earliest ones), then latencies, streams and counts. */
typedef struct ftr_diff_report ftr_diff_report;

/* @return NULL if out of memory */
ftr_diff_report *ftr_diff_report_create(const ftr_diff_view *view);
void ftr_diff_report_destroy(ftr_diff_report *report);

void ftr_diff_report_add(ftr_diff_report *report, const ftr_difference *difference);
void ftr_diff_report_add_relation(ftr_diff_report *report,
                                  const ftr_relation_difference *difference);

/* Prints the report. If there are no differences, prints nothing, or only the summary if it was
 * requested.
 * @return false if a file cannot be read again */
bool ftr_diff_report_print(ftr_diff_report *report, ftr_diff_view *view);

/* Prints the numbers of differences in one line, without a newline: "3 differences: 1 deleted, 2
 * changed". */
void ftr_diff_print_counts(ftr_printer *out, const ftr_trace_diff *diff);

/* ---- JSON, one object per line --------------------------------------------------------------- */

void ftr_diff_json_difference(ftr_diff_view *view, const ftr_difference *difference);
void ftr_diff_json_relation(ftr_diff_view *view, const ftr_relation_difference *difference);

/* Prints the lines that follow the differences: streams, latencies, and the summary as the last
 * line. */
void ftr_diff_json_end(ftr_diff_view *view);

#endif
