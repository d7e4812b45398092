/* A limit of a figure: `p99 <= 500 ns`. Used by the rules of `ftr gate` and of
 * `ftr stats`. */
#ifndef FTR_METRIC_LIMIT_H
#define FTR_METRIC_LIMIT_H

#include "condition.h"
#include "figure_metric.h"

#define FTR_FIGURE_TEXT_SIZE 64u

static inline bool ftr_compare(long double measured, ftr_comparison comparison, long double limit)
{
    return ftr_comparison_holds(comparison, (measured > limit) - (measured < limit));
}

/* Converts seconds to ticks of 10^@p time_scale seconds. Limits are compared in ticks, because the
 * conversion of a measured value to seconds would round it. */
long double ftr_seconds_to_ticks(long double seconds, int time_scale);

/* Formats a value of a metric, as ftr_figure_metric_value() returns it: "14.5 ns", "3 GB/s", "12".
 * @return @p text */
const char *ftr_figure_value_text(ftr_figure_metric metric, long double value, int time_scale,
                                  char text[FTR_FIGURE_TEXT_SIZE]);

#endif
