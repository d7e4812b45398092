/* Owns the conditions of --fail-if. */
#include "fail_condition.h"

#include "command.h"
#include "name_glob.h"
#include "near_name.h"
#include "printer.h"
#include "time_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_space(const char *p)
{
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

bool ftr_fail_condition_parse(const char *text, ftr_fail_condition *condition)
{
    *condition = (ftr_fail_condition){.text = text};
    /* The last colon ends the pattern, because names of streams may contain colons. */
    const char *colon = strrchr(text, ':');
    if (colon == NULL || (size_t)(colon - text) >= sizeof condition->pattern || colon == text)
        return false;
    memcpy(condition->pattern, text, (size_t)(colon - text));
    const char *p = skip_space(colon + 1);
    size_t length = 0;
    while (isalnum((unsigned char)p[length]) || p[length] == '.')
        length++;
    if (!ftr_figure_metric_parse(p, length, &condition->metric))
        return false;
    p = skip_space(p + length);
    const size_t size = ftr_comparison_parse(p, &condition->comparison);
    if (size == 0)
        return false;
    p = skip_space(p + size);
    condition->is_time = ftr_figure_metric_is_time(condition->metric);
    if (!condition->is_time) {
        char *end;
        condition->value = strtold(p, &end);
        return end != p && *skip_space(end) == '\0';
    }
    ftr_time_value time;
    if (!ftr_time_parse(p, &time, NULL))
        return false;
    condition->in_ticks = time.in_ticks;
    condition->value = (long double)time.mantissa * powl(10, time.exponent);
    return true;
}

/* ---- evaluation ------------------------------------------------------------------------------ */

static bool concerns(const ftr_fail_condition *condition, const ftr_total_row *row)
{
    return ftr_glob_list_matches(condition->pattern, row->name, row->name_size);
}

static bool holds(const ftr_fail_condition *condition, long double measured, int time_scale)
{
    long double limit = condition->value;
    if (condition->is_time && !condition->in_ticks)
        limit = ftr_seconds_to_ticks(limit, time_scale);
    return ftr_compare(measured, condition->comparison, limit);
}

typedef struct evaluation {
    const ftr_fail_condition *condition;
    const char *file;
    int time_scale;
    unsigned concerned; /* number of generators that match the pattern */
    unsigned measured;  /* number of these generators that have a value for the metric */
    unsigned failed;
} evaluation;

static void evaluate_row(evaluation *j, ftr_total_row *row)
{
    const ftr_fail_condition *condition = j->condition;
    char text[FTR_FIGURE_TEXT_SIZE];
    char name[FTR_METRIC_NAME_SIZE];
    j->concerned++;
    /* Without transactions there is no latency. */
    if (condition->is_time && row->latency.count == 0)
        return;
    j->measured++;
    const long double measured = ftr_figure_metric_value(condition->metric, row, j->time_scale);
    if (!holds(condition, measured, j->time_scale))
        return;
    j->failed++;
    ftr_print_error("%s: %s: %s is %s: fails because of '%s'", j->file, row->name,
                    ftr_figure_metric_name(condition->metric, name),
                    ftr_figure_value_text(condition->metric, measured, j->time_scale, text),
                    condition->text);
}

void ftr_fail_condition_warn(const ftr_fail_condition *condition, int time_scale)
{
    static ftr_printer tick;
    if (!condition->is_time || !condition->in_ticks || condition->value == 0)
        return;
    ftr_printer_init(&tick, -1);
    ftr_print_time(&tick, 1, time_scale);
    ftr_print_error("warning: --fail-if '%s' has a time without a unit: taken as ticks of %.*s",
                    condition->text, (int)tick.filled, tick.bytes);
}

unsigned ftr_fail_condition_evaluate(const ftr_fail_condition *condition, const char *file,
                                     ftr_run_totals *totals)
{
    evaluation j = {.condition = condition, .file = file, .time_scale = totals->time_scale};
    ftr_near_name near;
    ftr_near_name_init(&near, condition->pattern, strlen(condition->pattern));
    for (size_t i = 0; i < totals->row_count; i++) {
        ftr_near_name_offer(&near, totals->rows[i].name, totals->rows[i].name_size);
        if (concerns(condition, &totals->rows[i]))
            evaluate_row(&j, &totals->rows[i]);
    }
    if (j.measured > 0)
        return j.failed;
    const char *nearest = j.concerned > 0 ? NULL : ftr_near_name_get(&near);
    ftr_print_error("%s: %s '%s'%s%s%s: count is 0: fails because of '%s'", file,
                    j.concerned > 0 ? "no transaction of" : "no generator matches",
                    condition->pattern, nearest != NULL ? " (did you mean '" : "",
                    nearest != NULL ? nearest : "", nearest != NULL ? "'?)" : "", condition->text);
    return j.failed + 1;
}
