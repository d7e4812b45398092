/* Owns the conditions by which a regression fails. */
#include "fail_condition.h"

#include "name_pattern.h"
#include "time_text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum metric {
    METRIC_COUNT,
    METRIC_MIN,
    METRIC_MEAN,
    METRIC_P50,
    METRIC_P90,
    METRIC_P99,
    METRIC_MAX,
    METRIC_OUTSTANDING,
    METRIC_ERRORS,
    METRIC_UNFINISHED,
    METRIC_THROUGHPUT,
    METRICS
} metric;

static const char *const METRIC_NAMES[METRICS] = {
    "count", "min",         "mean",   "p50",        "p90",       "p99",
    "max",   "outstanding", "errors", "unfinished", "throughput"};

static const char *const OPERATORS[] = {"<=", ">=", "==", "!=", "<", ">"};
enum { OP_LE, OP_GE, OP_EQ, OP_NE, OP_LT, OP_GT, OPS };

static const char *skip_space(const char *p)
{
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

bool ftr_fail_condition_parse(const char *text, ftr_fail_condition *condition)
{
    *condition = (ftr_fail_condition){.text = text, .metric = METRICS, .op = OPS};
    /* The last colon: names of streams may have some. */
    const char *colon = strrchr(text, ':');
    if (colon == NULL || (size_t)(colon - text) >= sizeof condition->pattern || colon == text)
        return false;
    memcpy(condition->pattern, text, (size_t)(colon - text));
    const char *p = skip_space(colon + 1);
    size_t length = 0;
    while (isalnum((unsigned char)p[length]))
        length++;
    for (unsigned i = 0; i < METRICS; i++)
        if (strlen(METRIC_NAMES[i]) == length && memcmp(METRIC_NAMES[i], p, length) == 0)
            condition->metric = i;
    p = skip_space(p + length);
    for (unsigned i = 0; i < OPS && condition->op == OPS; i++)
        if (strncmp(p, OPERATORS[i], strlen(OPERATORS[i])) == 0)
            condition->op = i;
    if (condition->metric == METRICS || condition->op == OPS)
        return false;
    p = skip_space(p + strlen(OPERATORS[condition->op]));
    condition->is_time = condition->metric >= METRIC_MIN && condition->metric <= METRIC_MAX;
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

bool ftr_fail_condition_concerns(const ftr_fail_condition *condition, const ftr_generator_row *row)
{
    return ftr_pattern_matches(condition->pattern, (ftr_view){row->name, row->name_size});
}

long double ftr_row_throughput(const ftr_generator_row *row, int time_scale)
{
    if (row->last <= row->first)
        return 0;
    return (long double)row->latency.count /
           ((long double)(row->last - row->first) * powl(10, time_scale));
}

static long double measure(metric which, ftr_generator_row *row, int time_scale)
{
    switch (which) {
    case METRIC_COUNT:
        return (long double)row->latency.count;
    case METRIC_MIN:
        return (long double)row->latency.least;
    case METRIC_MEAN:
        return row->latency.count > 0 ? row->latency.sum / (long double)row->latency.count : 0;
    case METRIC_P50:
        return (long double)ftr_histogram_percentile(&row->latency, 50);
    case METRIC_P90:
        return (long double)ftr_histogram_percentile(&row->latency, 90);
    case METRIC_P99:
        return (long double)ftr_histogram_percentile(&row->latency, 99);
    case METRIC_MAX:
        return (long double)row->latency.greatest;
    case METRIC_OUTSTANDING:
        return (long double)row->outstanding;
    case METRIC_ERRORS:
        return (long double)row->errors;
    case METRIC_UNFINISHED:
        return (long double)row->unfinished;
    default:
        return ftr_row_throughput(row, time_scale);
    }
}

bool ftr_fail_condition_holds(const ftr_fail_condition *condition, ftr_generator_row *row,
                              int time_scale)
{
    const long double measured = measure((metric)condition->metric, row, time_scale);
    long double limit = condition->value;
    /* Ticks are compared: seconds of both would be rounded. */
    if (condition->is_time && !condition->in_ticks)
        limit = roundl(limit * powl(10, -time_scale) * 1e6L) / 1e6L;
    switch (condition->op) {
    case OP_LE:
        return measured <= limit;
    case OP_GE:
        return measured >= limit;
    case OP_EQ:
        return measured == limit;
    case OP_NE:
        return measured != limit;
    case OP_LT:
        return measured < limit;
    default:
        return measured > limit;
    }
}
