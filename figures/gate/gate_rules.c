/* Gives rules their meaning: the tree of a rule (condition.h) becomes a metric and a limit. */
#include "gate_rules.h"

#include "growing_array.h"
#include "near_name.h"
#include "printer.h"
#include "text_view.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 4, 5))) static ftr_status refuse(ftr_condition_error *error,
                                                               const ftr_gate_rule *rule,
                                                               size_t offset, const char *format,
                                                               ...)
{
    va_list arguments;
    va_start(arguments, format);
    error->column = ftr_condition_column(rule->text, offset);
    (void)vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return FTR_ERR_FORMAT;
}

/* ---- metrics --------------------------------------------------------------------------------- */

static ftr_status refuse_metric(const ftr_operand *name, const ftr_gate_rule *rule,
                                ftr_condition_error *error)
{
    static const char *const KNOWN[] = {
        "count", "errors", "unfinished", "bytes", "outstanding", "throughput", "bandwidth",  "busy",
        "min",   "mean",   "max",        "p50",   "p99",         "losses",     "exit_status"};
    const ftr_view text = name->text;
    ftr_near_name near;
    ftr_near_name_init(&near, text.data, text.size);
    for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++)
        ftr_near_name_offer(&near, KNOWN[i], strlen(KNOWN[i]));
    const char *nearest = ftr_near_name_get(&near);
    return refuse(error, rule, name->offset, "unknown metric '%.*s'%s%s%s",
                  (int)(text.size < 40 ? text.size : 40), text.data,
                  nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                  nearest != NULL ? "'?" : "");
}

static ftr_unit_kind unit_of(ftr_figure_metric metric)
{
    switch (metric.kind) {
    case FTR_METRIC_THROUGHPUT:
        return FTR_UNIT_RATE;
    case FTR_METRIC_BANDWIDTH:
        return FTR_UNIT_BANDWIDTH;
    case FTR_METRIC_BYTES:
        return FTR_UNIT_BYTES;
    case FTR_METRIC_BUSY:
        return FTR_UNIT_PERCENT;
    default:
        return ftr_figure_metric_is_time(metric) ? FTR_UNIT_TIME : FTR_UNIT_NONE;
    }
}

static ftr_status take_metric(const ftr_operand *name, ftr_gate_rule *rule,
                              ftr_condition_error *error)
{
    if (!name->is_name || name->has_number)
        return refuse(error, rule, name->offset, "a metric is expected: count, errors, p99, ...");
    if (ftr_view_is(name->text, "losses"))
        rule->subject = FTR_GATE_LOSSES;
    else if (ftr_view_is(name->text, "exit_status"))
        rule->subject = FTR_GATE_EXIT_STATUS;
    else if (ftr_figure_metric_parse(name->text.data, name->text.size, &rule->metric))
        rule->unit = unit_of(rule->metric);
    else
        return refuse_metric(name, rule, error);
    return FTR_OK;
}

/* Takes the attribute of type TIME that the metric describes. */
static ftr_status take_attribute(const ftr_parsed_rule *parsed, const ftr_operand *name,
                                 ftr_gate_rule *rule, ftr_condition_error *error)
{
    char metric[FTR_METRIC_NAME_SIZE];
    if (parsed->attribute.size == 0)
        return FTR_OK;
    if (rule->subject != FTR_GATE_GENERATORS || !ftr_figure_metric_is_time(rule->metric))
        return refuse(error, rule, name->offset,
                      "an attribute has min, mean, max and percentiles, but no '%s'",
                      rule->subject == FTR_GATE_GENERATORS
                          ? ftr_figure_metric_name(rule->metric, metric)
                          : "value of a run");
    rule->attribute = strndup(parsed->attribute.data, parsed->attribute.size);
    rule->metric.attribute = rule->attribute;
    return rule->attribute != NULL ? FTR_OK : FTR_ERR_MEMORY;
}

/* ---- limits ---------------------------------------------------------------------------------- */

static ftr_status take_baseline(const ftr_operand *limit, ftr_gate_rule *rule,
                                ftr_condition_error *error)
{
    rule->is_relative = true;
    if (rule->subject != FTR_GATE_GENERATORS)
        return refuse(error, rule, limit->offset, "this metric cannot be compared with a baseline");
    if (rule->comparison == FTR_EQUAL || rule->comparison == FTR_NOT_EQUAL)
        return refuse(error, rule, limit->offset, "a baseline is compared with <=, >=, < or >");
    rule->in_percent = !limit->has_number || limit->number.unit == FTR_UNIT_PERCENT;
    return FTR_OK;
}

static ftr_status take_limit(const ftr_operand *limit, bool is_failure, ftr_gate_rule *rule,
                             ftr_condition_error *error)
{
    const ftr_number *number = &limit->number;
    rule->limit = rule->text + limit->offset;
    rule->own_unit = number->unit;
    if (ftr_view_is(limit->text, "baseline") && limit->is_name && !is_failure) {
        const ftr_status status = take_baseline(limit, rule, error);
        if (status != FTR_OK || !limit->has_number)
            return status;
    } else if (limit->is_name || !limit->has_number) {
        return refuse(error, rule, limit->offset, "a number is expected");
    }
    rule->value = ftr_number_real(number, 0);
    if (!isfinite(rule->value))
        return refuse(error, rule, limit->offset, "the number is too large");
    /* The unit may be absent in --fail-if. Ticks are whole numbers. */
    const bool may_lack = is_failure && number->unit == FTR_UNIT_NONE &&
                          (rule->unit != FTR_UNIT_TIME || rule->value == floorl(rule->value));
    rule->in_ticks = may_lack && rule->unit == FTR_UNIT_TIME;
    if (number->unit == rule->unit || rule->in_percent || may_lack)
        return FTR_OK;
    if (rule->unit == FTR_UNIT_NONE)
        return refuse(error, rule, limit->offset, "a number without a unit is expected");
    const bool is_absent = !rule->is_relative && number->unit == FTR_UNIT_NONE;
    return refuse(error, rule, limit->offset + (is_absent ? strcspn(rule->limit, " \t") : 0),
                  "a unit is expected: %s", ftr_unit_names(rule->unit));
}

/* ---- rules ----------------------------------------------------------------------------------- */

static ftr_status take(const ftr_parsed_rule *parsed, bool is_failure, ftr_gate_rule *rule,
                       ftr_condition_error *error)
{
    const ftr_condition *condition = &parsed->condition;
    const ftr_condition_node *root = &condition->nodes[condition->root];
    if (condition->count > 1) /* the second node is a comparison, or `!`, which has no operand */
        return refuse(error, rule,
                      condition->nodes[condition->nodes[1].kind > FTR_NODE_NOT].a.offset,
                      "a rule has one comparison; write one rule for each");
    rule->in_every_run = parsed->in_every_run;
    rule->comparison = root->comparison;
    ftr_status status = take_metric(&root->a, rule, error);
    if (status == FTR_OK && (root->kind != FTR_NODE_COMPARE || root->comparison == FTR_LIKE))
        return refuse(error, rule, root->a.offset + root->a.text.size,
                      "an operator is expected: <=, >=, ==, !=, < or >");
    if (status == FTR_OK)
        status = take_attribute(parsed, &root->a, rule, error);
    if (status == FTR_OK)
        status = take_limit(&root->b, is_failure, rule, error);
    if (is_failure)
        rule->comparison = ftr_comparison_inverse(rule->comparison);
    return status;
}

ftr_status ftr_gate_rule_parse(const char *text, bool is_failure, ftr_gate_rule *rule,
                               ftr_condition_error *error)
{
    ftr_parsed_rule parsed = {0};
    *rule = (ftr_gate_rule){.text = strdup(text)};
    ftr_status status =
        rule->text == NULL ? FTR_ERR_MEMORY : ftr_rule_parse(text, is_failure, &parsed, error);
    if (status == FTR_OK) {
        rule->pattern = strndup(parsed.pattern.data, parsed.pattern.size);
        status = rule->pattern == NULL ? FTR_ERR_MEMORY : take(&parsed, is_failure, rule, error);
    }
    ftr_condition_release(&parsed.condition);
    return status;
}

void ftr_gate_rule_release(ftr_gate_rule *rule)
{
    free(rule->text);
    free(rule->pattern);
    free(rule->attribute);
    free(rule->query);
    *rule = (ftr_gate_rule){0};
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Ends the line before its comment and trailing blanks. A comment begins with a #. This # must be
 * outside of quotes, and be the first character of the line or follow a blank. */
static void cut_comment(char *line)
{
    bool quoted = false;
    size_t end = 0;
    for (size_t i = 0; line[i] != '\0'; i++) {
        quoted ^= line[i] == '"';
        if (line[i] == '#' && !quoted && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t'))
            break;
        if (!isspace((unsigned char)line[i]))
            end = i + 1;
    }
    line[end] = '\0';
}

/* The rules that are being read. */
typedef struct rule_lines {
    ftr_gate_rules *rules;
    bool continues; /* the line before belongs to a query */
} rule_lines;

/* Returns the size of the name in `sql NAME: SELECT ...`; 0 if the line is another rule. */
static size_t query_name_size(const char *line)
{
    static const char word[] = "sql";
    static const char characters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
    if (strncmp(line, word, sizeof word - 1) != 0)
        return 0;
    const char *name = line + sizeof word - 1 + strspn(line + sizeof word - 1, " \t");
    const size_t size = strspn(name, characters);
    return name > line + sizeof word - 1 && name[size] == ':' ? size : 0;
}

static void cut_blanks_at_end(char *line)
{
    size_t size = strlen(line);
    while (size > 0 && isspace((unsigned char)line[size - 1]) != 0)
        line[--size] = '\0';
}

/* Reads `sql NAME: SELECT ...`. A # does not begin a comment, because a query may contain it. */
static ftr_status parse_query(char *line, size_t name_size, ftr_gate_rule *rule)
{
    cut_blanks_at_end(line);
    const char *end = strchr(line, ':');
    rule->subject = FTR_GATE_ROWS;
    rule->pattern = strndup(end - name_size, name_size);
    rule->query = strdup(end + 1 + strspn(end + 1, " \t"));
    if (rule->pattern == NULL || rule->query == NULL ||
        asprintf(&rule->text, "sql %s", rule->pattern) < 0)
        return FTR_ERR_MEMORY;
    return FTR_OK;
}

/* Appends a line to the query of the last rule. */
static ftr_status continue_query(char *line, ftr_gate_rule *rule)
{
    char *joined = NULL;
    cut_blanks_at_end(line);
    if (asprintf(&joined, "%s\n%s", rule->query, line) < 0)
        return FTR_ERR_MEMORY;
    free(rule->query);
    rule->query = joined;
    return FTR_OK;
}

static ftr_status parse_line(char *line, unsigned number, rule_lines *read,
                             ftr_condition_error *error)
{
    ftr_gate_rules *rules = read->rules;
    const size_t blanks = strspn(line, " \t\r");
    if (read->continues && blanks > 0 && line[blanks] != '\0')
        return continue_query(line, &rules->rules[rules->count - 1]);
    const size_t name_size = query_name_size(line + blanks);
    read->continues = name_size > 0;
    if (name_size == 0)
        cut_comment(line);
    if (line[blanks] == '\0' || line[0] == '\0')
        return FTR_OK;
    if (!ftr_array_grow(&rules->rules, &rules->capacity, rules->count, sizeof *rules->rules))
        return FTR_ERR_MEMORY;
    ftr_gate_rule *rule = &rules->rules[rules->count++];
    *rule = (ftr_gate_rule){0};
    const ftr_status status = name_size > 0
                                  ? parse_query(line + blanks, name_size, rule)
                                  : ftr_gate_rule_parse(line + blanks, false, rule, error);
    error->column += (unsigned)blanks;
    rule->line = number;
    return status;
}

/* Refuses a file without rules, and a rule `sql NAME:` without a query in its lines. */
static ftr_status check_rules(const ftr_gate_rules *rules, unsigned *line,
                              ftr_condition_error *error)
{
    for (size_t i = 0; i < rules->count; i++) {
        const char *query = rules->rules[i].query;
        if (query == NULL || query[strspn(query, " \t\n")] != '\0')
            continue;
        *line = rules->rules[i].line;
        *error = (ftr_condition_error){(unsigned)strlen(rules->rules[i].text) + 2,
                                       "a query is expected: SELECT ..."};
        return FTR_ERR_FORMAT;
    }
    if (rules->count > 0)
        return FTR_OK;
    *line = 1;
    *error = (ftr_condition_error){1, "a rule is expected"};
    return FTR_ERR_FORMAT;
}

ftr_status ftr_gate_rules_parse(const char *text, size_t size, ftr_gate_rules *rules,
                                unsigned *line, ftr_condition_error *error)
{
    ftr_status status = FTR_OK;
    const char *end = text + size;
    rule_lines read = {.rules = rules};
    *rules = (ftr_gate_rules){0};
    *error = (ftr_condition_error){0};
    for (*line = 1; text < end; ++*line) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const size_t length = (size_t)((newline != NULL ? newline : end) - text);
        if (memchr(text, '\0', length) != NULL) {
            *error = (ftr_condition_error){(unsigned)strlen(text) + 1, "a zero byte is not text"};
            return FTR_ERR_FORMAT;
        }
        char *copy = strndup(text, length);
        status = copy != NULL ? parse_line(copy, *line, &read, error) : FTR_ERR_MEMORY;
        free(copy);
        if (status != FTR_OK)
            return status;
        text += length + 1;
    }
    return check_rules(rules, line, error);
}

void ftr_gate_rules_release(ftr_gate_rules *rules)
{
    for (size_t i = 0; i < rules->count; i++)
        ftr_gate_rule_release(&rules->rules[i]);
    free(rules->rules);
    *rules = (ftr_gate_rules){0};
}

long double ftr_seconds_to_ticks(long double seconds, int time_scale)
{
    return roundl(seconds * powl(10, -time_scale) * 1e6L) / 1e6L;
}

const char *ftr_time_names_text(const ftr_total_row *row, char text[FTR_TIME_NAMES_SIZE])
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < row->time_count && used + 1 < FTR_TIME_NAMES_SIZE; i++) {
        const int length = snprintf(text + used, FTR_TIME_NAMES_SIZE - used, "%s%s",
                                    i > 0 ? ", " : "", row->times[i].name.bytes);
        used += length > 0 ? (size_t)length : 0;
    }
    return text;
}

static void put_rate(char text[FTR_FIGURE_TEXT_SIZE], long double rate, const char *unit)
{
    static const char prefixes[] = " kMGTPE";
    size_t prefix = 0;
    for (; rate >= 999.9995L && prefix + 2 < sizeof prefixes; prefix++)
        rate /= 1000;
    if (prefix == 0)
        (void)snprintf(text, FTR_FIGURE_TEXT_SIZE, "%.6Lg %s", rate, unit);
    else
        (void)snprintf(text, FTR_FIGURE_TEXT_SIZE, "%.6Lg %c%s", rate, prefixes[prefix], unit);
}

const char *ftr_figure_value_text(ftr_figure_metric metric, long double value, int time_scale,
                                  char text[FTR_FIGURE_TEXT_SIZE])
{
    static ftr_printer out;
    if (!ftr_figure_metric_is_time(metric)) {
        if (metric.kind == FTR_METRIC_THROUGHPUT)
            put_rate(text, value, "tx/s");
        else if (metric.kind == FTR_METRIC_BANDWIDTH)
            put_rate(text, value, "B/s");
        else
            (void)snprintf(text, FTR_FIGURE_TEXT_SIZE,
                           metric.kind == FTR_METRIC_BUSY ? "%.4Lg %%" : "%.12Lg", value);
        return text;
    }
    ftr_printer_init(&out, -1);
    /* If the value is not a whole number of ticks, it is rounded to 1/1000 tick. */
    if (value == floorl(value))
        ftr_print_time(&out, (uint64_t)value, time_scale);
    else
        ftr_print_time(&out, (uint64_t)roundl(value * 1000), time_scale - 3);
    (void)snprintf(text, FTR_FIGURE_TEXT_SIZE, "%.*s", (int)out.filled, out.bytes);
    return text;
}
