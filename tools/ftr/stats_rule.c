/* Tests the figures of one file against rules. */
#include "stats_rule.h"

#include "name_glob.h"
#include "near_name.h"
#include "printer.h"

#include <string.h>

bool ftr_stats_rule_parse(const ftr_command *command, const char *text, bool is_failure,
                          ftr_gate_rule *rule)
{
    ftr_condition_error error;
    const char *option = is_failure ? "--fail-if" : "--rule";
    const ftr_status status = ftr_gate_rule_parse(text, is_failure, rule, &error);
    if (status == FTR_ERR_FORMAT)
        (void)ftr_misuse(command, "option '%s': '%s': column %u: %s", option, text, error.column,
                         error.message);
    else if (status != FTR_OK)
        ftr_print_error("%s", ftr_status_text(status));
    else if (rule->is_relative || rule->subject != FTR_GATE_GENERATORS)
        (void)ftr_misuse(command,
                         "option '%s': '%s': a baseline, losses and exit_status are for ftr gate",
                         option, text);
    return status == FTR_OK && !rule->is_relative && rule->subject == FTR_GATE_GENERATORS;
}

/* ---- warnings -------------------------------------------------------------------------------- */

/* Prints the limit with a unit. */
static void print_limit(ftr_printer *out, const ftr_gate_rule *rule, int time_scale)
{
    if (rule->in_ticks) {
        ftr_print_time(out, (uint64_t)rule->value, time_scale);
        return;
    }
    ftr_print_string(out, rule->limit);
    if (rule->own_unit == rule->unit)
        return;
    const char *units = ftr_unit_names(rule->unit);
    ftr_print_char(out, ' ');
    ftr_print(out, units, strcspn(units, ","));
}

void ftr_stats_rule_warn(const ftr_gate_rule *rule, int time_scale)
{
    static ftr_printer limit, tick;
    char name[FTR_METRIC_NAME_SIZE];
    const char *quote = strpbrk(rule->pattern, " \t") != NULL ? "\"" : "";
    ftr_printer_init(&limit, -1);
    print_limit(&limit, rule, time_scale);
    ftr_print_error("warning: --fail-if will be removed in 0.3; write --rule '%s%s%s %s %s %.*s' "
                    "instead of '%s'",
                    quote, rule->pattern, quote, ftr_figure_metric_name(rule->metric, name),
                    ftr_comparison_text(rule->comparison), (int)limit.filled, limit.bytes,
                    rule->text);
    if (!rule->in_ticks || rule->value == 0)
        return;
    ftr_printer_init(&tick, -1);
    ftr_print_time(&tick, 1, time_scale);
    ftr_print_error("warning: --fail-if '%s' has a time without a unit: taken as ticks of %.*s",
                    rule->text, (int)tick.filled, tick.bytes);
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* A file that is tested, and its generators. */
typedef struct tested {
    const ftr_gate_rule *rule;
    const char *file;
    int time_scale;
    unsigned concerned; /* number of generators that match the pattern */
    unsigned measured;  /* number of these generators that have a value for the metric */
    unsigned failed;
} tested;

static void test_row(tested *t, ftr_total_row *row)
{
    const ftr_gate_rule *rule = t->rule;
    const bool is_time = ftr_figure_metric_is_time(rule->metric);
    char text[FTR_FIGURE_TEXT_SIZE];
    char name[FTR_METRIC_NAME_SIZE];
    t->concerned++;
    /* A generator without transactions has no latency. */
    if (is_time && row->latency.count == 0)
        return;
    t->measured++;
    const long double measured = ftr_figure_metric_value(rule->metric, row, t->time_scale);
    const long double limit =
        is_time && !rule->in_ticks ? ftr_seconds_to_ticks(rule->value, t->time_scale) : rule->value;
    if (ftr_compare(measured, rule->comparison, limit))
        return;
    t->failed++;
    ftr_print_error("%s: %s: %s is %s: fails because of '%s'", t->file, row->name,
                    ftr_figure_metric_name(rule->metric, name),
                    ftr_figure_value_text(rule->metric, measured, t->time_scale, text), rule->text);
}

unsigned ftr_stats_rule_test(const ftr_gate_rule *rule, const char *file, ftr_run_totals *totals)
{
    tested t = {.rule = rule, .file = file, .time_scale = totals->time_scale};
    ftr_near_name near;
    ftr_near_name_init(&near, rule->pattern, strlen(rule->pattern));
    for (size_t i = 0; i < totals->row_count; i++) {
        ftr_near_name_offer(&near, totals->rows[i].name, totals->rows[i].name_size);
        if (ftr_glob_list_matches(rule->pattern, totals->rows[i].name, totals->rows[i].name_size))
            test_row(&t, &totals->rows[i]);
    }
    if (t.measured > 0)
        return t.failed;
    const char *nearest = t.concerned > 0 ? NULL : ftr_near_name_get(&near);
    ftr_print_error("%s: %s '%s'%s%s%s: count is 0: fails because of '%s'", file,
                    t.concerned > 0 ? "no transaction of" : "no generator matches", rule->pattern,
                    nearest != NULL ? " (did you mean '" : "", nearest != NULL ? nearest : "",
                    nearest != NULL ? "'?)" : "", rule->text);
    return t.failed + 1;
}
