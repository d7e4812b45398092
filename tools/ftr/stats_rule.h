/* The rules of `ftr stats`: --rule 'top.cpu.* p99 <= 200 ns', and --fail-if, which states the
 * contrary: 'top.cpu.*: p99 > 200 ns'. */
#ifndef FTR_STATS_RULE_H
#define FTR_STATS_RULE_H

#include "command.h"
#include "gate_rules.h"

/* Reads the argument of --fail-if (@p is_failure) or --rule of @p command.
 * @param[out] rule to be released with ftr_gate_rule_release()
 * @return false after an error message */
bool ftr_stats_rule_parse(const ftr_command *command, const char *text, bool is_failure,
                          ftr_gate_rule *rule);

/* Warns on stderr that --fail-if is going to be removed, with the rule that replaces it, and of a
 * time without a unit, which counts as ticks of 10^@p time_scale seconds. */
void ftr_stats_rule_warn(const ftr_gate_rule *rule, int time_scale);

/* Tests the rule for each generator of a file that matches the pattern, and prints each failure
 * with the measured value to stderr. The metric `count` of a generator without transactions is 0.
 * The rule also fails if no generator of the file has a value for the metric: a test must not pass
 * because its generator is missing.
 * @param totals the figures of the file, settled
 * @return number of failures */
unsigned ftr_stats_rule_test(const ftr_gate_rule *rule, const char *file, ftr_run_totals *totals);

#endif
