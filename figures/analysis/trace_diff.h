/* Finds the differences between two traces, transaction by transaction. docs/diff.md describes the
 * command. */
#ifndef FTR_TRACE_DIFF_H
#define FTR_TRACE_DIFF_H

#include "trace_differences.h"

/* Sets the common time scale and the factors for the time scales @p first and @p second. @return
 * false if these are too far apart */
bool ftr_diff_set_scales(ftr_trace_diff *diff, int first, int second);

/* Returns the rules for attributes that result from the options, including the rules for times. */
ftr_digest_rules ftr_diff_rules(const ftr_diff_options *options);

/* Compares all transactions and relations of the readers. Call ftr_diff_set_scales() first.
 * @return FTR_OK; FTR_ERR_LIMIT if a time exceeds 64 bits of common ticks; FTR_ERR_MEMORY; or the
 *         first error of diff->status */
FTR_MUST_USE ftr_status ftr_diff_run(ftr_trace_diff *diff, const ftr_diff_options *options,
                                     ftr_reader *const readers[2]);

/* Returns true if everything was compared and no difference was found. */
bool ftr_diff_is_equal(const ftr_trace_diff *diff);

void ftr_diff_release(ftr_trace_diff *diff);

#endif
