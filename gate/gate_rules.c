/* Owns the grammar of rules. Does not know runs. */
#include "gate_rules.h"

#include "growing_array.h"

#include "near_name.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct parser {
    const char *line; /* 0-terminated */
    const char *at;
    unsigned number;
    ftr_gate_syntax_error *error;
} parser;

__attribute__((format(printf, 3, 4))) static bool fail(parser *p, const char *at,
                                                       const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    p->error->line = p->number;
    p->error->column = (unsigned)(at - p->line) + 1;
    (void)vsnprintf(p->error->message, sizeof p->error->message, format, arguments);
    va_end(arguments);
    return false;
}

static void skip_blanks(parser *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\r')
        p->at++;
}

static size_t word_size(const char *at)
{
    return strcspn(at, " \t\r");
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool parse_pattern(parser *p, ftr_gate_rule *rule)
{
    const char *start = p->at;
    size_t size;
    if (*start == '"') {
        const char *end = strchr(start + 1, '"');
        if (end == NULL)
            return fail(p, start, "the closing quote is missing");
        size = (size_t)(end - start) - 1;
        p->at = end + 1;
        start++;
    } else {
        size = word_size(start);
        p->at += size;
    }
    if (size == 0)
        return fail(p, start, "the pattern is empty");
    rule->pattern = strndup(start, size);
    return rule->pattern != NULL || fail(p, start, "out of memory");
}

static bool parse_metric(parser *p, ftr_gate_rule *rule)
{
    static const char *const known[] = {
        "count", "errors", "unfinished", "bytes", "outstanding", "throughput", "bandwidth",  "busy",
        "min",   "mean",   "max",        "p50",   "p99",         "losses",     "exit_status"};
    skip_blanks(p);
    const char *start = p->at;
    /* An operator may follow without a blank. */
    const size_t size = strcspn(start, " \t\r<>=!");
    p->at += size;
    if (size == 0)
        return fail(p, start, "a metric is expected: count, errors, p99, ...");
    rule->subject = FTR_GATE_GENERATORS;
    if (size == 6 && strncmp(start, "losses", size) == 0)
        rule->subject = FTR_GATE_LOSSES;
    else if (size == 11 && strncmp(start, "exit_status", size) == 0)
        rule->subject = FTR_GATE_EXIT_STATUS;
    else if (!ftr_figure_metric_parse(start, size, &rule->metric)) {
        ftr_near_name near;
        ftr_near_name_init(&near, start, size);
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            ftr_near_name_offer(&near, known[i], strlen(known[i]));
        const char *nearest = ftr_near_name_get(&near);
        return fail(p, start, "unknown metric '%.*s'%s%s%s", (int)(size < 40 ? size : 40), start,
                    nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                    nearest != NULL ? "'?" : "");
    }
    return true;
}

/* ---- limits ---------------------------------------------------------------------------------- */

typedef struct unit {
    const char *name;
    int exponent;
} unit;

static const unit times[] = {{"s", 0},    {"ms", -3},  {"us", -6}, {"ns", -9},
                             {"ps", -12}, {"fs", -15}, {NULL, 0}};
static const unit rates[] = {{"tx/s", 0}, {"ktx/s", 3}, {"Mtx/s", 6}, {"Gtx/s", 9}, {NULL, 0}};
static const unit bandwidths[] = {{"B/s", 0},  {"kB/s", 3},  {"MB/s", 6},
                                  {"GB/s", 9}, {"TB/s", 12}, {NULL, 0}};
static const unit sizes[] = {{"B", 0}, {"kB", 3}, {"MB", 6}, {"GB", 9}, {"TB", 12}, {NULL, 0}};
static const unit percents[] = {{"%", 0}, {NULL, 0}};

/* Returns the units of a rule's metric, one of which a limit must have; NULL if the metric has no
 * unit. */
static const unit *units_of(const ftr_gate_rule *rule)
{
    if (rule->subject != FTR_GATE_GENERATORS)
        return NULL;
    if (ftr_figure_metric_is_time(rule->metric))
        return times;
    switch (rule->metric.kind) {
    case FTR_METRIC_THROUGHPUT:
        return rates;
    case FTR_METRIC_BANDWIDTH:
        return bandwidths;
    case FTR_METRIC_BYTES:
        return sizes;
    case FTR_METRIC_BUSY:
        return percents;
    default:
        return NULL;
    }
}

static bool parse_number(parser *p, long double *value)
{
    char *end;
    skip_blanks(p);
    if (!isdigit((unsigned char)p->at[*p->at == '.']))
        return fail(p, p->at, "a number is expected");
    *value = strtold(p->at, &end);
    if (!isfinite(*value) || (p->at[0] == '0' && (p->at[1] == 'x' || p->at[1] == 'X')))
        return fail(p, p->at, "a decimal number is expected");
    p->at = end;
    skip_blanks(p);
    return true;
}

/* Lists the names of units, separated by commas. @return @p text */
static const char *list_units(const unit *units, char text[64])
{
    text[0] = '\0';
    for (size_t i = 0; units[i].name != NULL; i++) {
        const size_t size = strlen(text);
        (void)snprintf(text + size, 64 - size, "%s%s", i > 0 ? ", " : "", units[i].name);
    }
    return text;
}

static bool parse_unit(parser *p, const ftr_gate_rule *rule, long double *value)
{
    char list[64];
    const unit *units = units_of(rule);
    const size_t size = word_size(p->at);
    for (size_t i = 0; units != NULL && units[i].name != NULL; i++)
        if (strlen(units[i].name) == size && strncmp(units[i].name, p->at, size) == 0) {
            *value *= powl(10, units[i].exponent);
            p->at += size;
            return true;
        }
    if (units != NULL)
        return fail(p, p->at, "a unit is expected: %s", list_units(units, list));
    if (size > 0 && strncmp(p->at, "in", 2) != 0)
        return fail(p, p->at, "'%.*s' is unexpected: the metric has no unit",
                    (int)(size < 40 ? size : 40), p->at);
    return true;
}

/* Parses "baseline", "baseline + 5 %" or "baseline - 20 ns". */
static bool parse_baseline(parser *p, ftr_gate_rule *rule)
{
    rule->is_relative = true;
    rule->in_percent = true;
    if (rule->subject != FTR_GATE_GENERATORS)
        return fail(p, p->at, "this metric cannot be compared with a baseline");
    if (rule->comparison == FTR_EQUAL || rule->comparison == FTR_NOT_EQUAL)
        return fail(p, p->at, "a baseline is compared with <=, >=, < or >");
    p->at += strlen("baseline");
    skip_blanks(p);
    if (*p->at != '+' && *p->at != '-')
        return true;
    const long double sign = *p->at++ == '-' ? -1 : 1;
    if (!parse_number(p, &rule->value))
        return false;
    rule->in_percent = *p->at == '%';
    if (rule->in_percent)
        p->at++;
    else if (!parse_unit(p, rule, &rule->value))
        return false;
    rule->value *= sign;
    return true;
}

static bool parse_limit(parser *p, ftr_gate_rule *rule)
{
    skip_blanks(p);
    const size_t size = ftr_comparison_parse(p->at, &rule->comparison);
    if (size == 0)
        return fail(p, p->at, "an operator is expected: <=, >=, ==, !=, < or >");
    p->at += size;
    skip_blanks(p);
    if (strncmp(p->at, "baseline", strlen("baseline")) == 0)
        return parse_baseline(p, rule);
    return parse_number(p, &rule->value) && parse_unit(p, rule, &rule->value);
}

static bool parse_end(parser *p, ftr_gate_rule *rule)
{
    static const char *const words[] = {"in", "every", "run"};
    skip_blanks(p);
    if (*p->at == '\0')
        return true;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        skip_blanks(p);
        const size_t size = word_size(p->at);
        if (size != strlen(words[i]) || strncmp(p->at, words[i], size) != 0)
            return fail(p, p->at, "'in every run' or the end of the line is expected");
        p->at += size;
    }
    rule->in_every_run = true;
    skip_blanks(p);
    return *p->at == '\0' || fail(p, p->at, "the end of the line is expected");
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Ends the line before its comment. A comment begins with a # that is outside of quotes and is the
 * first character of the line or follows a blank. */
static void cut_comment(char *line)
{
    bool quoted = false;
    for (char *at = line; *at != '\0'; at++) {
        quoted ^= *at == '"';
        if (*at == '#' && !quoted && (at == line || at[-1] == ' ' || at[-1] == '\t')) {
            *at = '\0';
            return;
        }
    }
}

static ftr_gate_rule *add_rule(ftr_gate_rules *rules)
{
    if (!ftr_array_grow(&rules->rules, &rules->capacity, rules->count, sizeof *rules->rules))
        return NULL;
    ftr_gate_rule *rule = &rules->rules[rules->count++];
    *rule = (ftr_gate_rule){0};
    return rule;
}

static ftr_status parse_line(char *line, unsigned number, ftr_gate_rules *rules,
                             ftr_gate_syntax_error *error)
{
    parser p = {line, line, number, error};
    cut_comment(line);
    for (size_t end = strlen(line); end > 0 && isspace((unsigned char)line[end - 1]); end--)
        line[end - 1] = '\0';
    skip_blanks(&p);
    if (*p.at == '\0')
        return FTR_OK;
    ftr_gate_rule *rule = add_rule(rules);
    if (rule == NULL || (rule->text = strdup(p.at)) == NULL)
        return FTR_ERR_MEMORY;
    rule->line = number;
    return parse_pattern(&p, rule) && parse_metric(&p, rule) && parse_limit(&p, rule) &&
                   parse_end(&p, rule)
               ? FTR_OK
               : FTR_ERR_FORMAT;
}

ftr_status ftr_gate_rules_parse(const char *text, size_t size, ftr_gate_rules *rules,
                                ftr_gate_syntax_error *error)
{
    ftr_status status = FTR_OK;
    const char *end = text + size;
    *rules = (ftr_gate_rules){0};
    for (unsigned number = 1; text < end && status == FTR_OK; number++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const size_t length = (size_t)((newline != NULL ? newline : end) - text);
        const char *zero = memchr(text, '\0', length);
        if (zero != NULL) {
            *error = (ftr_gate_syntax_error){number, (unsigned)(zero - text) + 1,
                                             "a zero byte is not text"};
            return FTR_ERR_FORMAT;
        }
        char *line = strndup(text, length);
        status = line != NULL ? parse_line(line, number, rules, error) : FTR_ERR_MEMORY;
        free(line);
        text += length + 1;
    }
    if (status == FTR_OK && rules->count == 0) {
        *error = (ftr_gate_syntax_error){1, 1, "there is no rule"};
        return FTR_ERR_FORMAT;
    }
    return status;
}

void ftr_gate_rules_release(ftr_gate_rules *rules)
{
    for (size_t i = 0; i < rules->count; i++) {
        free(rules->rules[i].text);
        free(rules->rules[i].pattern);
    }
    free(rules->rules);
    *rules = (ftr_gate_rules){0};
}
