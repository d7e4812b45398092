/* The context for printing differences between two traces: both files, and look-up of
 * transactions. */
#ifndef FTR_DIFF_VIEW_H
#define FTR_DIFF_VIEW_H

#include "attribute_diff.h"
#include "input_file.h"
#include "printer.h"
#include "trace_diff.h"

typedef struct ftr_diff_view {
    ftr_input *input[2];
    int time_scale[2];
    ftr_tx_lookup lookup[2];
    ftr_attribute_sides sides;
    ftr_trace_diff *diff;
    ftr_printer *out;
    bool all;     /* lists all differences instead of the first ones */
    bool summary; /* prints only the numbers of differences */
} ftr_diff_view;

/* Reads the two transactions of a difference; found[s] is false if trace s has no transaction. */
void ftr_diff_find(ftr_diff_view *view, const ftr_difference *difference, ftr_transaction tx[2],
                   bool found[2]);

/* Returns the number of transactions and relations that differ. */
uint64_t ftr_diff_total(const ftr_trace_diff *diff);

#endif
