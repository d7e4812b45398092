/* Groups failed comparisons, and chooses runs. */
#include "gate_triage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- groups ---------------------------------------------------------------------------------- */

static double change_of(const ftr_night_verdict *verdict)
{
    if (verdict->of == NULL)
        return (double)verdict->change;
    return verdict->reference != 0 ? (double)(verdict->measured / verdict->reference - 1)
                                   : (double)(verdict->measured > 0 ? INFINITY : 0);
}

static bool is_of_group(const ftr_triage_group *group, const char *generator,
                        ftr_figure_metric metric, double change)
{
    return group->generator == generator && group->metric.kind == metric.kind &&
           group->metric.percent == metric.percent && group->metric.attribute == metric.attribute &&
           (group->change > 0) == (change > 0);
}

static void add_to_group(ftr_triage *triage, const ftr_night_values *values,
                         const ftr_night_verdict *verdict)
{
    const char *generator = values->generator_names.names[verdict->generator]->text;
    const ftr_figure_metric metric = values->rules->rules[verdict->rule].metric;
    const double change = change_of(verdict);
    ftr_triage_group *group = triage->groups;
    ftr_triage_group *const end = group + triage->group_count;
    while (group < end && !is_of_group(group, generator, metric, change))
        group++;
    if (group == end) {
        *group = (ftr_triage_group){.generator = generator, .metric = metric};
        triage->group_count++;
    }
    group->tests += verdict->tests;
    if (fabs(change) < fabs(group->change))
        return;
    group->change = change;
    group->test =
        verdict->of != NULL ? values->test_names.names[verdict->of->key.test]->text : "(all tests)";
}

static int compare_groups(const void *a, const void *b)
{
    const double x = fabs(((const ftr_triage_group *)a)->change);
    const double y = fabs(((const ftr_triage_group *)b)->change);
    return (x < y) - (x > y);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void add_run(ftr_triage *triage, const ftr_gate_run *run, const char *reason)
{
    for (size_t i = 0; i < triage->run_count; i++)
        if (triage->runs[i].run == run)
            return;
    if (run != NULL && triage->run_count < FTR_TRIAGE_MAX)
        triage->runs[triage->run_count++] = (ftr_triage_run){run, reason};
}

static void add_failed_runs(ftr_triage *triage, const ftr_gate_suite *suite)
{
    for (size_t i = 0; i < suite->count; i++)
        if (suite->cases[i].result == FTR_CASE_FAILED)
            add_run(triage, suite->cases[i].of, suite->cases[i].message);
}

static const ftr_gate_run *find_run(const ftr_gate_runs *runs, const char *file)
{
    for (size_t i = 0; i < runs->count; i++)
        if (runs->of[i]->file == file)
            return runs->of[i];
    return NULL;
}

/* Adds the run that is furthest, for the verdict with the greatest change of a group. */
static void add_extreme_run(ftr_triage *triage, const ftr_triage_group *group,
                            const ftr_gate_runs *runs, const ftr_night_values *values,
                            const ftr_night_verdicts *verdicts)
{
    for (size_t i = 0; i < verdicts->count; i++) {
        const ftr_night_verdict *verdict = &verdicts->of[i];
        if (verdict->outcome != FTR_NIGHT_FAILED || verdict->of == NULL ||
            change_of(verdict) != group->change ||
            values->generator_names.names[verdict->generator]->text != group->generator)
            continue;
        add_run(triage, find_run(runs, verdict->of->extreme.run), group->generator);
        return;
    }
}

static void collect_groups(ftr_triage *triage, const ftr_gate_runs *runs,
                           const ftr_night_values *values, const ftr_night_verdicts *verdicts)
{
    for (size_t i = 0; i < verdicts->count; i++)
        if (verdicts->of[i].outcome == FTR_NIGHT_FAILED)
            add_to_group(triage, values, &verdicts->of[i]);
    if (triage->group_count > 1)
        qsort(triage->groups, triage->group_count, sizeof *triage->groups, compare_groups);
    for (size_t i = 0; i < triage->group_count; i++)
        add_extreme_run(triage, &triage->groups[i], runs, values, verdicts);
}

bool ftr_triage_collect(ftr_triage *triage, const ftr_gate_suite *suites, size_t suite_count,
                        const ftr_gate_runs *runs, const ftr_night_values *values,
                        const ftr_night_verdicts *verdicts)
{
    const size_t most = verdicts != NULL ? verdicts->count : 0;
    *triage = (ftr_triage){.groups = malloc((most + 1) * sizeof *triage->groups)};
    if (triage->groups == NULL)
        return false;
    add_failed_runs(triage, &suites[0]);
    if (verdicts != NULL && values != NULL)
        collect_groups(triage, runs, values, verdicts);
    for (size_t i = 1; i < suite_count; i++)
        add_failed_runs(triage, &suites[i]);
    return true;
}

void ftr_triage_release(ftr_triage *triage)
{
    free(triage->groups);
}
