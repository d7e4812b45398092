/* The comparison of two open traces, as `ftr diff` and `ftr report --diff` do it. */
#ifndef FTR_COMPARED_INPUTS_H
#define FTR_COMPARED_INPUTS_H

#include "input_file.h"
#include "time_text.h"
#include "trace_differences.h"

/* Sets the common time scale of @p diff, and the tolerance and the threads of @p options. If a
 * query of the options chooses no streams, it gets all streams except ftr.run. @p inputs: the two
 * traces.
 * @return false after an error message */
bool ftr_compared_inputs_prepare(const ftr_input *inputs, const ftr_time_value *tolerance,
                                 ftr_trace_diff *diff, ftr_diff_options *options);

/* Reports errors of reading. @param status the result of ftr_diff_run()
 * @return true if both traces were read completely and compared */
bool ftr_compared_inputs_check_end(const ftr_input *inputs, const ftr_trace_diff *diff,
                                   ftr_status status);

#endif
