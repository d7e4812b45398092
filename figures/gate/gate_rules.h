/* The rules of a gate, one rule per line (docs/conditions.md#rules):
 *
 *     # a comment
 *     bus.*_bl.* p99 <= 500 ns
 *     bus.*      p99 <= baseline + 5 %
 *     dma.*      request_time p99 <= 20 ns
 *     cpu.*      count >= 1 in every run
 *     *          losses == 0
 *     sql slow:  SELECT run, stream, p99_s FROM figures WHERE p99_s > 1e-6
 *
 * Lines that begin with a blank continue the query of a rule `sql`. */
#ifndef FTR_GATE_RULES_H
#define FTR_GATE_RULES_H

#include "condition.h"
#include "figure_metric.h"

#include <ftr/status.h>

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

/* Writes the names of a row's attributes of type TIME: "request_time, response_time". A long list
 * is cut. @return @p text */
#define FTR_TIME_NAMES_SIZE 160u
const char *ftr_time_names_text(const ftr_total_row *row, char text[FTR_TIME_NAMES_SIZE]);

typedef enum ftr_gate_subject {
    FTR_GATE_GENERATORS, /* the pattern is compared with STREAM.GENERATOR */
    FTR_GATE_LOSSES,     /* the pattern is compared with the path of the run's file */
    FTR_GATE_EXIT_STATUS,
    FTR_GATE_ROWS /* a query over the summary, which must return no row; the pattern is its name */
} ftr_gate_subject;

typedef struct ftr_gate_rule {
    /* the line without its comment and without leading and trailing blanks; of a query, "sql" and
     * its name */
    char *text;
    char *pattern;
    /* the query, with its further lines, which begin with newlines; NULL: none */
    char *query;
    char *attribute; /* the attribute of type TIME that `metric` describes; NULL: the latency */
    unsigned line;
    ftr_gate_subject subject;
    ftr_figure_metric metric; /* only for FTR_GATE_GENERATORS */
    ftr_comparison comparison;
    bool is_relative; /* the limit is relative to the baseline */
    bool in_percent;  /* only if is_relative: `value` is in percent of the baseline */
    bool in_ticks;    /* only in conditions of --fail-if: `value` is in ticks */
    /* the limit, in the unit of the metric without a prefix (s, B, B/s, tx/s, %). If is_relative is
     * true, the signed distance of the limit from the baseline */
    long double value;
    bool in_every_run;      /* a run in which the rule judges no value fails */
    const char *limit;      /* the limit as written; points into `text` */
    ftr_unit_kind unit;     /* unit of the metric */
    ftr_unit_kind own_unit; /* unit of the limit */
} ftr_gate_rule;

/* Returns true if values above the limit violate a rule with this comparison (`<=`, `<`). */
static inline bool ftr_is_upper_limit(ftr_comparison comparison)
{
    return comparison == FTR_LESS_OR_EQUAL || comparison == FTR_LESS;
}

/* Returns true if the rule limits latencies, and not an attribute. */
static inline bool ftr_gate_rule_is_latency(const ftr_gate_rule *rule)
{
    return rule->subject == FTR_GATE_GENERATORS && rule->attribute == NULL &&
           ftr_figure_metric_is_time(rule->metric);
}

/* Reads one rule.
 * @param is_failure the text is a condition of `ftr stats --fail-if`: a colon follows the pattern,
 * the rule is the negation of the condition, and the limit may have no unit
 * @param[out] rule owned by the caller until ftr_gate_rule_release(), also after an error
 * @return FTR_OK; FTR_ERR_FORMAT, and @p error is set; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_gate_rule_parse(const char *text, bool is_failure, ftr_gate_rule *rule,
                                            ftr_condition_error *error);
void ftr_gate_rule_release(ftr_gate_rule *rule);

typedef struct ftr_gate_rules {
    ftr_gate_rule *rules;
    size_t count, capacity;
} ftr_gate_rules;

/* Reads rules.
 * @param text borrowed during the call
 * @param[out] rules owned by the caller until ftr_gate_rules_release(), also after an error
 * @param[out] line line of the error, from 1
 * @return FTR_OK; FTR_ERR_FORMAT, and @p error is set; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_gate_rules_parse(const char *text, size_t size, ftr_gate_rules *rules,
                                             unsigned *line, ftr_condition_error *error);

void ftr_gate_rules_release(ftr_gate_rules *rules);

#endif
