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

#define VALUE_SIZE 64

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
    /* The last colon, because names of streams may contain colons. */
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

/* ---- evaluation ------------------------------------------------------------------------------ */

static bool concerns(const ftr_fail_condition *condition, const ftr_generator_row *row)
{
    return ftr_glob_list_matches(condition->pattern, row->name, row->name_size);
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

static bool holds(const ftr_fail_condition *condition, long double measured, int time_scale)
{
    long double limit = condition->value;
    /* Limits are compared as ticks, because seconds would be rounded. */
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

/* Formats the measured value as the table does; a mean gets three more digits. */
static void describe(const ftr_fail_condition *condition, long double measured, int time_scale,
                     char text[VALUE_SIZE])
{
    static ftr_printer out;
    if (!condition->is_time) {
        (void)snprintf(text, VALUE_SIZE, "%.6Lg", measured);
        return;
    }
    ftr_printer_init(&out, -1);
    if (measured == floorl(measured))
        ftr_print_time(&out, (uint64_t)measured, time_scale);
    else
        ftr_print_time(&out, (uint64_t)roundl(measured * 1000), time_scale - 3);
    (void)snprintf(text, VALUE_SIZE, "%.*s", (int)out.filled, out.bytes);
}

typedef struct judgement {
    const ftr_fail_condition *condition;
    const char *file;
    int time_scale;
    unsigned concerned; /* number of generators that match the pattern */
    unsigned measured;  /* number of these with a value for the metric */
    unsigned failed;
} judgement;

static void judge_row(judgement *j, ftr_generator_row *row)
{
    const ftr_fail_condition *condition = j->condition;
    char text[VALUE_SIZE];
    j->concerned++;
    /* Without transactions there is no latency. */
    if (condition->is_time && row->latency.count == 0)
        return;
    j->measured++;
    const long double measured = measure((metric)condition->metric, row, j->time_scale);
    if (!holds(condition, measured, j->time_scale))
        return;
    j->failed++;
    describe(condition, measured, j->time_scale, text);
    ftr_complain("%s: %s: %s is %s: fails '%s'", j->file, row->name,
                 METRIC_NAMES[condition->metric], text, condition->text);
}

static bool has_row(const ftr_statistics_table *table, const char *name, size_t size)
{
    for (size_t i = 0; i < table->row_count; i++)
        if (table->rows[i].name_size == size && memcmp(table->rows[i].name, name, size) == 0)
            return true;
    return false;
}

/* Returns "stream.generator", malloc'ed, of a generator that the query includes; NULL if it is
 * excluded. */
static char *chosen_name(const ftr_generator_info *generator, const ftr_query *query, size_t *size)
{
    if (!generator->defined ||
        (query->choose_stream != NULL && !query->choose_stream(query->user, generator->stream)) ||
        (query->choose_generator != NULL && !query->choose_generator(query->user, generator)))
        return NULL;
    const ftr_view stream = generator->stream->name;
    char *name = NULL;
    const int printed = asprintf(&name, "%.*s.%.*s", (int)stream.size,
                                 stream.data != NULL ? stream.data : "", (int)generator->name.size,
                                 generator->name.data != NULL ? generator->name.data : "");
    *size = printed > 0 ? (size_t)printed : 0;
    return printed > 0 ? name : NULL;
}

/* Evaluates the condition for generators without transactions, and finds the name nearest to the
 * pattern. */
static void judge_unused(judgement *j, ftr_reader *reader, const ftr_query *query,
                         const ftr_statistics_table *table, ftr_near_name *near)
{
    for (size_t i = 0; i < ftr_reader_generator_count(reader); i++) {
        ftr_generator_row none = {.first = UINT64_MAX};
        none.name = chosen_name(ftr_reader_get_generator(reader, i), query, &none.name_size);
        if (none.name == NULL)
            continue;
        ftr_near_name_offer(near, none.name, none.name_size);
        if (concerns(j->condition, &none) && !has_row(table, none.name, none.name_size))
            judge_row(j, &none);
        free(none.name);
    }
}

void ftr_fail_condition_warn(const ftr_fail_condition *condition, int time_scale)
{
    static ftr_printer tick;
    if (!condition->is_time || !condition->in_ticks || condition->value == 0)
        return;
    ftr_printer_init(&tick, -1);
    ftr_print_time(&tick, 1, time_scale);
    ftr_complain("warning: --fail-if '%s' has a time without a unit: taken as ticks of %.*s",
                 condition->text, (int)tick.filled, tick.bytes);
}

unsigned ftr_fail_condition_judge(const ftr_fail_condition *condition, const char *file,
                                  ftr_reader *reader, const ftr_query *query,
                                  ftr_statistics_table *table)
{
    judgement j = {.condition = condition, .file = file, .time_scale = table->time_scale};
    ftr_near_name near;
    ftr_near_name_init(&near, condition->pattern, strlen(condition->pattern));
    for (size_t i = 0; i < table->row_count; i++)
        if (concerns(condition, &table->rows[i]))
            judge_row(&j, &table->rows[i]);
    judge_unused(&j, reader, query, table, &near);
    if (j.measured > 0)
        return j.failed;
    const char *nearest = j.concerned > 0 ? NULL : ftr_near_name_get(&near);
    ftr_complain("%s: %s '%s'%s%s%s: count is 0: fails '%s'", file,
                 j.concerned > 0 ? "no transaction of" : "no generator matches", condition->pattern,
                 nearest != NULL ? " (did you mean '" : "", nearest != NULL ? nearest : "",
                 nearest != NULL ? "'?)" : "", condition->text);
    return j.failed + 1;
}
