/* The sample of a verdict is the run, because the transactions of a run depend on each other. Runs
 * are compared within their test, because tests differ more than nights do. Each generator of each
 * test is one hypothesis, and so is each generator of all tests together, which finds a small
 * change that all tests share. A night has thousands of hypotheses: the procedure of Benjamini and
 * Hochberg keeps the part of false ones among the failed verdicts below a rate. */
#include "night_verdicts.h"

#include "growing_array.h"
#include "rank_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---------------------------------------------------------------------------------- */

static int compare_values(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const ftr_run_values *sorted)
{
    const size_t half = sorted->count / 2;
    return sorted->count % 2 == 1 ? sorted->of[half]
                                  : (sorted->of[half - 1] + sorted->of[half]) / 2;
}

static int compare_keys(const void *a, const void *b)
{
    const ftr_compared_values *const x = *(ftr_compared_values *const *)a;
    const ftr_compared_values *const y = *(ftr_compared_values *const *)b;
    if (x->key.rule != y->key.rule)
        return x->key.rule < y->key.rule ? -1 : 1;
    if (x->key.generator != y->key.generator)
        return x->key.generator < y->key.generator ? -1 : 1;
    return (x->key.test > y->key.test) - (x->key.test < y->key.test);
}

static void sort_values(ftr_night_values *values)
{
    for (size_t i = 0; i < values->count; i++)
        for (int side = 0; side < FTR_NIGHT_SIDES; side++)
            if (values->compared[i]->values[side].count > 1)
                qsort(values->compared[i]->values[side].of, values->compared[i]->values[side].count,
                      sizeof(double), compare_values);
    if (values->count > 1)
        qsort(values->compared, values->count,
              sizeof *values->compared, /* NOLINT(bugprone-sizeof-expression): pointers */
              compare_keys);
}

/* ---- limits ---------------------------------------------------------------------------------- */

long double ftr_relative_limit(const ftr_gate_rule *rule, long double reference)
{
    return rule->in_percent ? reference * (1 + rule->value / 100) : reference + rule->value;
}

/* Returns whether a value violates the rule by a difference that is large enough to matter. */
static bool violates(const ftr_gate_rule *rule, const ftr_night_options *options,
                     long double measured, long double reference)
{
    const long double difference =
        ftr_is_upper_limit(rule->comparison) ? measured - reference : reference - measured;
    if (ftr_compare(measured, rule->comparison, ftr_relative_limit(rule, reference)))
        return false;
    return ftr_figure_metric_is_count(rule->metric)
               ? difference >= options->count_effect
               : difference > fabsl(reference) * options->effect / 100;
}

/* ---- one test -------------------------------------------------------------------------------- */

typedef struct judging {
    ftr_night_values *values;
    const ftr_night_options *options;
    ftr_night_verdicts *verdicts;
    ftr_rank_stratum *strata; /* of the tests of a generator */
} judging;

static ftr_rank_stratum stratum_of(const ftr_compared_values *of)
{
    const ftr_run_values *tested = &of->values[FTR_NIGHT_JUDGED];
    const ftr_run_values *reference = &of->values[FTR_NIGHT_EARLIER];
    return (ftr_rank_stratum){tested->of, reference->of, tested->count, reference->count};
}

/* Returns the reason why a generator of a test has no two samples; FTR_NIGHT_PASSED if it has. */
static ftr_night_outcome find_gap(const ftr_compared_values *of, const ftr_compared_test *test)
{
    static const ftr_night_outcome lacking[FTR_NIGHT_SIDES] = {FTR_NIGHT_NEW_GENERATOR,
                                                               FTR_NIGHT_NO_VALUE};
    if (test->runs[FTR_NIGHT_EARLIER] == 0)
        return FTR_NIGHT_NEW_TEST;
    for (int side = 0; side < FTR_NIGHT_SIDES; side++)
        if (of->values[side].count == 0)
            return of->too_short[side] > 0 ? FTR_NIGHT_TOO_SHORT_RUNS : lacking[side];
    return FTR_NIGHT_PASSED;
}

/* Computes the p-value of a verdict if the difference can fail. @return false if memory is
 * exhausted */
static bool compute_p(const judging *j, ftr_night_verdict *verdict, const ftr_rank_stratum *strata,
                      size_t count)
{
    const ftr_gate_rule *rule = &j->values->rules->rules[verdict->rule];
    if (ftr_rank_test_least(strata, count) > j->options->rate)
        verdict->outcome = FTR_NIGHT_TOO_FEW_RUNS;
    if (verdict->is_violated)
        verdict->p = ftr_rank_test(strata, count, ftr_is_upper_limit(rule->comparison));
    return verdict->p >= 0;
}

static bool judge_test(const judging *j, const ftr_compared_values *of, ftr_night_verdict *verdict)
{
    const ftr_gate_rule *rule = &j->values->rules->rules[of->key.rule];
    const ftr_compared_test *test = &j->values->tests[of->key.test];
    *verdict = (ftr_night_verdict){.rule = of->key.rule,
                                   .generator = of->key.generator,
                                   .of = of,
                                   .tests = 1,
                                   .outcome = find_gap(of, test),
                                   .p = 1};
    if (verdict->outcome != FTR_NIGHT_PASSED)
        return true;
    verdict->reference = median(&of->values[FTR_NIGHT_EARLIER]);
    verdict->is_certain = ftr_compared_test_is_deterministic(test);
    verdict->measured =
        verdict->is_certain ? of->extreme.value : median(&of->values[FTR_NIGHT_JUDGED]);
    verdict->is_violated = violates(rule, j->options, verdict->measured, verdict->reference);
    if (verdict->is_certain) {
        verdict->outcome = verdict->is_violated ? FTR_NIGHT_FAILED : FTR_NIGHT_PASSED;
        return true;
    }
    const ftr_rank_stratum stratum = stratum_of(of);
    return compute_p(j, verdict, &stratum, 1);
}

/* ---- all tests together ---------------------------------------------------------------------- */

/* Judges a generator in all tests together, from the verdicts of the tests. Tests whose runs are
 * all equal are omitted. @return false if memory is exhausted */
static bool judge_together(const judging *j, const ftr_night_verdict *single, size_t count,
                           ftr_night_verdict *verdict)
{
    const ftr_gate_rule *rule = &j->values->rules->rules[single->rule];
    long double runs = 0, measured = 0, reference = 0;
    *verdict = (ftr_night_verdict){.rule = single->rule, .generator = single->generator, .p = 1};
    for (size_t i = 0; i < count; i++) {
        const bool is_compared =
            ftr_night_is_judged(single[i].outcome) || single[i].outcome == FTR_NIGHT_TOO_FEW_RUNS;
        if (!is_compared || single[i].is_certain)
            continue;
        const ftr_rank_stratum stratum = stratum_of(single[i].of);
        const long double weight = (long double)stratum.tested_count;
        j->strata[verdict->tests++] = stratum;
        runs += weight;
        measured += weight * single[i].measured;
        reference += weight * single[i].reference;
        if (single[i].reference != 0)
            verdict->change += weight * (single[i].measured / single[i].reference - 1);
    }
    if (verdict->tests < 2) {
        verdict->outcome = FTR_NIGHT_TOO_FEW_RUNS;
        return true;
    }
    verdict->measured = measured / runs;
    verdict->reference = reference / runs;
    verdict->change /= runs;
    /* Tests have values of different size: a limit in percent is that of the relative change. */
    const bool is_relative = rule->in_percent && !ftr_figure_metric_is_count(rule->metric);
    verdict->is_violated = is_relative
                               ? violates(rule, j->options, 1 + verdict->change, 1)
                               : violates(rule, j->options, verdict->measured, verdict->reference);
    return compute_p(j, verdict, j->strata, verdict->tests);
}

/* ---- all hypotheses -------------------------------------------------------------------------- */

static int compare_p(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Decides which verdicts fail. Their p-values are at most a limit: of the m sorted p-values, the
 * greatest one that is at most k / m times the rate, where k is its number. @return false if memory
 * is exhausted */
static bool select_failed(const judging *j)
{
    ftr_night_verdicts *verdicts = j->verdicts;
    double *sorted = malloc((verdicts->count + 1) * sizeof *sorted);
    size_t count = 0;
    double greatest = -1;
    if (sorted == NULL)
        return false;
    for (size_t i = 0; i < verdicts->count; i++)
        if (verdicts->of[i].outcome == FTR_NIGHT_PASSED && !verdicts->of[i].is_certain)
            sorted[count++] = verdicts->of[i].p;
    qsort(sorted, count, sizeof *sorted, compare_p);
    for (size_t k = 0; k < count; k++)
        if (sorted[k] <= (double)(k + 1) / (double)count * j->options->rate)
            greatest = sorted[k];
    free(sorted);
    for (size_t i = 0; i < verdicts->count; i++) {
        ftr_night_verdict *verdict = &verdicts->of[i];
        if (verdict->outcome == FTR_NIGHT_PASSED && !verdict->is_certain && verdict->is_violated &&
            verdict->p <= greatest)
            verdict->outcome = FTR_NIGHT_FAILED;
    }
    return true;
}

static bool is_of_generator(const ftr_compared_values *a, const ftr_compared_values *b)
{
    return a->key.rule == b->key.rule && a->key.generator == b->key.generator;
}

/* Judges the generator that begins at @p first, in each test and in all tests together.
 * @return index of the next generator; 0 if memory is exhausted */
static size_t judge_generator(const judging *j, size_t first)
{
    ftr_compared_values **compared = j->values->compared;
    size_t end = first;
    ftr_night_verdict *const made = &j->verdicts->of[j->verdicts->count];
    for (; end < j->values->count && is_of_generator(compared[first], compared[end]); end++)
        if (!judge_test(j, compared[end], &made[end - first]))
            return 0;
    if (!judge_together(j, made, end - first, &made[end - first]))
        return 0;
    j->verdicts->count += end - first + 1;
    return end;
}

ftr_status ftr_night_judge(ftr_night_values *values, const ftr_night_options *options,
                           ftr_night_verdicts *verdicts)
{
    *verdicts = (ftr_night_verdicts){0};
    /* At most one verdict about all tests for each verdict about one test. */
    if (!ftr_array_fit(&verdicts->of, &verdicts->capacity, 2 * values->count + 1,
                       sizeof *verdicts->of))
        return FTR_ERR_MEMORY;
    const judging j = {values, options, verdicts,
                       malloc((values->count + 1) * sizeof(ftr_rank_stratum))};
    bool ok = j.strata != NULL;
    sort_values(values);
    for (size_t i = 0; i < values->count && ok;) {
        i = judge_generator(&j, i);
        ok = i > 0;
    }
    ok = ok && select_failed(&j);
    free(j.strata);
    return ok ? FTR_OK : FTR_ERR_MEMORY;
}

void ftr_night_verdicts_release(ftr_night_verdicts *verdicts)
{
    free(verdicts->of);
    *verdicts = (ftr_night_verdicts){0};
}
