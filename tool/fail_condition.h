/* Conditions on statistics, for --fail-if: 'top.cpu.*: p99 > 200ns'. */
#ifndef FTR_FAIL_CONDITION_H
#define FTR_FAIL_CONDITION_H

#include "metric_limit.h"

typedef struct ftr_fail_condition {
    const char *text;
    char pattern[256]; /* compared with STREAM.GENERATOR */
    ftr_figure_metric metric;
    ftr_comparison comparison;
    bool is_time;
    long double value; /* the limit: a number; for a time: seconds, or ticks if in_ticks */
    bool in_ticks;
} ftr_fail_condition;

/* @return false if @p text is not a condition */
bool ftr_fail_condition_parse(const char *text, ftr_fail_condition *condition);

/* Warns on stderr if the condition contains a time without a unit, because the time is taken as
 * ticks of 10^@p time_scale seconds. */
void ftr_fail_condition_warn(const ftr_fail_condition *condition, int time_scale);

/* Evaluates the condition for each generator of a file that matches the pattern, and prints each
 * failure with the measured value to stderr. The metric `count` of a generator without transactions
 * is 0. The condition also fails if no generator of the file has a value for the metric: a test
 * must not pass because its generator is missing.
 * @param totals the figures of the file, settled
 * @return number of failures */
unsigned ftr_fail_condition_evaluate(const ftr_fail_condition *condition, const char *file,
                                     ftr_run_totals *totals);

#endif
