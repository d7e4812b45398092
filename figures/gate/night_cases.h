/* The cases of rules that refer to the baseline. */
#ifndef FTR_NIGHT_CASES_H
#define FTR_NIGHT_CASES_H

#include "gate_cases.h"
#include "night_verdicts.h"

/* Adds the cases of a rule that refers to the baseline: a case for each test, and one for all tests
 * together if only these fail.
 * @param values borrowed; the names of cases are those of the tests
 * @param verdicts of all rules
 * @param[out] judged number of verdicts that passed or failed
 * @return false if memory is exhausted */
bool ftr_gate_add_night_cases(ftr_gate_suite *suite, size_t rule, const ftr_night_values *values,
                              const ftr_night_verdicts *verdicts, uint64_t *judged);

/* Returns the reason why a verdict was not made, for a message; NULL if memory is exhausted or the
 * verdict was made. The caller frees it. */
char *ftr_gate_explain_verdict(const ftr_night_values *values, const ftr_night_verdict *verdict);

/* Formats a value of a metric with five digits: "14.5 ns". @param value a time is in seconds
 * @return @p text */
const char *ftr_gate_value_text(ftr_figure_metric metric, long double value,
                                char text[FTR_FIGURE_TEXT_SIZE]);

#endif
