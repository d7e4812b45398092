/* Turns the verdicts about a rule that refers to the baseline into cases. */
#include "night_cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values of times are in seconds; texts are made from femtoseconds, with this number of digits. */
#define TEXT_SCALE (-15)
#define DIGITS 5

/* ---- messages -------------------------------------------------------------------------------- */

const char *ftr_gate_value_text(ftr_figure_metric metric, long double value,
                                char text[FTR_FIGURE_TEXT_SIZE])
{
    if (ftr_figure_metric_is_time(metric))
        value *= powl(10, -TEXT_SCALE);
    if (value > 0) {
        const long double step = powl(10, floorl(log10l(value)) + 1 - DIGITS);
        value = step > 1 ? roundl(value / step) * step : roundl(value / step) / roundl(1 / step);
    }
    return ftr_figure_value_text(metric, value, TEXT_SCALE, text);
}

static const char *runs_text(size_t count)
{
    return count == 1 ? "run" : "runs";
}

static void say_certain(const ftr_night_values *values, const ftr_night_verdict *verdict,
                        ftr_gate_message *message)
{
    const ftr_gate_rule *rule = &values->rules->rules[verdict->rule];
    char name[FTR_METRIC_NAME_SIZE], measured[FTR_FIGURE_TEXT_SIZE];
    char limit[FTR_FIGURE_TEXT_SIZE], reference[FTR_FIGURE_TEXT_SIZE];
    ftr_gate_say(
        message, "%s: %s is %s in %s, limit %s %s, baseline %s in all %zu equal runs",
        values->generator_names.names[verdict->generator]->text,
        ftr_figure_metric_name(rule->metric, name),
        ftr_gate_value_text(rule->metric, verdict->measured, measured), verdict->of->extreme.run,
        ftr_comparison_text(rule->comparison),
        ftr_gate_value_text(rule->metric, ftr_relative_limit(rule, verdict->reference), limit),
        ftr_gate_value_text(rule->metric, verdict->reference, reference),
        verdict->of->values[FTR_NIGHT_EARLIER].count);
}

/* Writes the run that is furthest in the forbidden direction, and its slowest transaction. */
static void write_extreme(const ftr_gate_rule *rule, const ftr_extreme_run *extreme, char *text,
                          size_t size)
{
    char value[FTR_FIGURE_TEXT_SIZE], begin[FTR_FIGURE_TEXT_SIZE], took[FTR_FIGURE_TEXT_SIZE];
    const ftr_figure_metric time = {.kind = FTR_METRIC_MAX};
    const bool has_slowest = extreme->slowest.latency > 0 && rule->attribute == NULL;
    const int length = snprintf(
        text, size, "; %s is %s in %s", ftr_is_upper_limit(rule->comparison) ? "highest" : "lowest",
        ftr_gate_value_text(rule->metric, extreme->value, value), extreme->run);
    if (has_slowest && length >= 0 && (size_t)length < size)
        (void)snprintf(text + length, size - (size_t)length,
                       ", slowest transaction: #%llu at %s, %s",
                       (unsigned long long)extreme->slowest.id,
                       ftr_figure_value_text(time, (long double)extreme->slowest.begin,
                                             extreme->time_scale, begin),
                       ftr_figure_value_text(time, (long double)extreme->slowest.latency,
                                             extreme->time_scale, took));
}

static void say_single(const ftr_night_values *values, const ftr_night_verdict *verdict,
                       ftr_gate_message *message)
{
    const ftr_gate_rule *rule = &values->rules->rules[verdict->rule];
    const size_t here = verdict->of->values[FTR_NIGHT_JUDGED].count;
    const size_t earlier = verdict->of->values[FTR_NIGHT_EARLIER].count;
    char name[FTR_METRIC_NAME_SIZE], measured[FTR_FIGURE_TEXT_SIZE];
    char limit[FTR_FIGURE_TEXT_SIZE], reference[FTR_FIGURE_TEXT_SIZE];
    char extreme[4096];
    write_extreme(rule, &verdict->of->extreme, extreme, sizeof extreme);
    ftr_gate_say(
        message, "%s: %s is %s (median of %zu %s), limit %s %s, baseline %s (%zu %s), p = %.1g%s",
        values->generator_names.names[verdict->generator]->text,
        ftr_figure_metric_name(rule->metric, name),
        ftr_gate_value_text(rule->metric, verdict->measured, measured), here, runs_text(here),
        ftr_comparison_text(rule->comparison),
        ftr_gate_value_text(rule->metric, ftr_relative_limit(rule, verdict->reference), limit),
        ftr_gate_value_text(rule->metric, verdict->reference, reference), earlier,
        runs_text(earlier), verdict->p, extreme);
}

static void say_together(const ftr_night_values *values, const ftr_night_verdict *verdict,
                         ftr_gate_message *message)
{
    const ftr_gate_rule *rule = &values->rules->rules[verdict->rule];
    char name[FTR_METRIC_NAME_SIZE];
    const long double percent = 100 * fabsl(verdict->change);
    ftr_gate_say(message, "%s: %s is %.3Lg %% %s than the baseline, as mean of %zu tests, p = %.1g",
                 values->generator_names.names[verdict->generator]->text,
                 ftr_figure_metric_name(rule->metric, name), percent,
                 verdict->change > 0 ? "higher" : "lower", verdict->tests, verdict->p);
}

char *ftr_gate_explain_verdict(const ftr_night_values *values, const ftr_night_verdict *verdict)
{
    const char *generator = values->generator_names.names[verdict->generator]->text;
    const ftr_gate_rule *rule = &values->rules->rules[verdict->rule];
    char name[FTR_METRIC_NAME_SIZE];
    char *text = NULL;
    int length = -1;
    switch (verdict->outcome) {
    case FTR_NIGHT_NEW_TEST:
        length = asprintf(&text, "the baseline has no run of this test");
        break;
    case FTR_NIGHT_NEW_GENERATOR:
        length = asprintf(&text, "%s: the baseline has no value", generator);
        break;
    case FTR_NIGHT_NO_VALUE:
        length = asprintf(&text, "%s: no run has a value; the baseline has some", generator);
        break;
    case FTR_NIGHT_TOO_SHORT_RUNS:
        length = asprintf(&text, "%s: %s needs runs with at least %llu transactions", generator,
                          ftr_figure_metric_name(rule->metric, name),
                          (unsigned long long)ftr_least_count(rule->metric));
        break;
    case FTR_NIGHT_TOO_FEW_RUNS:
        if (verdict->of != NULL)
            length = asprintf(&text,
                              "%s: %zu %s here and %zu in the baseline are too few: any difference "
                              "can be chance",
                              generator, verdict->of->values[FTR_NIGHT_JUDGED].count,
                              runs_text(verdict->of->values[FTR_NIGHT_JUDGED].count),
                              verdict->of->values[FTR_NIGHT_EARLIER].count);
        break;
    case FTR_NIGHT_PASSED:
    case FTR_NIGHT_FAILED:
        break;
    }
    return length >= 0 ? text : NULL;
}

/* ---- cases ----------------------------------------------------------------------------------- */

/* The verdicts about a test. */
typedef struct test_case {
    ftr_gate_message failures;
    const ftr_night_verdict *gap; /* a verdict that was not made; NULL: none */
    bool is_judged;
} test_case;

static void add_verdict(const ftr_night_values *values, const ftr_night_verdict *verdict,
                        test_case *to)
{
    const bool is_absent =
        verdict->of != NULL && values->tests[verdict->of->key.test].runs[FTR_NIGHT_JUDGED] == 0;
    if (is_absent)
        return; /* the suite of the runs has a case of the test */
    if (ftr_night_is_judged(verdict->outcome))
        to->is_judged = true;
    else if (to->gap == NULL)
        to->gap = verdict;
    if (verdict->outcome != FTR_NIGHT_FAILED)
        return;
    if (verdict->of == NULL)
        say_together(values, verdict, &to->failures);
    else if (verdict->is_certain)
        say_certain(values, verdict, &to->failures);
    else
        say_single(values, verdict, &to->failures);
}

static bool add_test_case(ftr_gate_suite *suite, const char *name, const ftr_night_values *values,
                          test_case *of)
{
    char *text = of->failures.text;
    of->failures.text = NULL;
    if (of->failures.failed) {
        free(text);
        return false;
    }
    if (text != NULL)
        return ftr_gate_add_case(suite, name, FTR_CASE_FAILED, text);
    if (of->is_judged)
        return ftr_gate_add_case(suite, name, FTR_CASE_PASSED, NULL);
    if (of->gap == NULL)
        return true;
    text = ftr_gate_explain_verdict(values, of->gap);
    return text != NULL && ftr_gate_add_case(suite, name, FTR_CASE_SKIPPED, text);
}

bool ftr_gate_add_night_cases(ftr_gate_suite *suite, size_t rule, const ftr_night_values *values,
                              const ftr_night_verdicts *verdicts, uint64_t *judged)
{
    const size_t tests = values->test_names.count;
    test_case *cases = calloc(tests + 1, sizeof *cases);
    bool ok = cases != NULL;
    bool has_failed = false; /* the generator, in one of the tests */
    *judged = 0;
    for (size_t i = 0; i < verdicts->count && ok; i++) {
        const ftr_night_verdict *verdict = &verdicts->of[i];
        if (verdict->rule != rule)
            continue;
        *judged += ftr_night_is_judged(verdict->outcome);
        if (verdict->of != NULL) {
            has_failed |= verdict->outcome == FTR_NIGHT_FAILED;
            add_verdict(values, verdict, &cases[verdict->of->key.test]);
            continue;
        }
        if (verdict->outcome == FTR_NIGHT_FAILED && !has_failed)
            add_verdict(values, verdict, &cases[tests]);
        has_failed = false;
    }
    for (size_t i = 0; i <= tests && ok; i++)
        ok = add_test_case(suite, i < tests ? values->test_names.names[i]->text : "(all tests)",
                           values, &cases[i]);
    for (size_t i = 0; i <= tests && cases != NULL; i++)
        free(cases[i].failures.text);
    free(cases);
    return ok;
}
