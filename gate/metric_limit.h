/* A limit of a figure: `p99 <= 500 ns`. Used by the rules of `ftr gate` and by `ftr stats
 * --fail-if`. */
#ifndef FTR_METRIC_LIMIT_H
#define FTR_METRIC_LIMIT_H

#include "figure_metric.h"

#define FTR_FIGURE_TEXT_SIZE 64u

typedef enum ftr_comparison {
    FTR_LESS_OR_EQUAL,
    FTR_GREATER_OR_EQUAL,
    FTR_EQUAL,
    FTR_NOT_EQUAL,
    FTR_LESS,
    FTR_GREATER,
    FTR_COMPARISONS
} ftr_comparison;

const char *ftr_comparison_text(ftr_comparison comparison);

/* Parses the operator at the start of @p text. @return its length; 0 if there is none */
size_t ftr_comparison_parse(const char *text, ftr_comparison *comparison);

bool ftr_compare(long double measured, ftr_comparison comparison, long double limit);

/* Converts seconds to ticks of 10^@p time_scale seconds. Limits are compared in ticks, because the
 * conversion of a measured value to seconds would round it. */
long double ftr_seconds_to_ticks(long double seconds, int time_scale);

/* Formats a value of a metric, as ftr_figure_metric_value() returns it: "14.5 ns", "3 GB/s", "12".
 * @return @p text */
const char *ftr_figure_value_text(ftr_figure_metric metric, long double value, int time_scale,
                                  char text[FTR_FIGURE_TEXT_SIZE]);

#endif
