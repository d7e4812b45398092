/* The triage of a failed night: failed comparisons grouped by cause, and runs to look at. */
#ifndef FTR_GATE_TRIAGE_H
#define FTR_GATE_TRIAGE_H

#include "gate_cases.h"
#include "night_verdicts.h"

/* Maximum numbers of groups and of runs. */
#define FTR_TRIAGE_MAX 10u

/* A generator whose metric changed in the same direction in one or more tests. */
typedef struct ftr_triage_group {
    const char *generator;
    ftr_figure_metric metric;
    double change;    /* the greatest relative change, 0.05 for 5 %; negative: lower */
    size_t tests;     /* number of tests */
    const char *test; /* the test with the greatest change */
} ftr_triage_group;

typedef struct ftr_triage_run {
    const ftr_gate_run *run;
    const char *reason; /* message of the failed case, or the generator that is furthest */
} ftr_triage_run;

typedef struct ftr_triage {
    ftr_triage_group *groups; /* by descending size of the change */
    size_t group_count;
    ftr_triage_run runs[FTR_TRIAGE_MAX]; /* runs that did not end first */
    size_t run_count;
} ftr_triage;

/* Collects groups and runs. @param verdicts, values NULL: there is no baseline
 * @return false if memory is exhausted; the caller releases @p triage in any case */
bool ftr_triage_collect(ftr_triage *triage, const ftr_gate_suite *suites, size_t suite_count,
                        const ftr_gate_runs *runs, const ftr_night_values *values,
                        const ftr_night_verdicts *verdicts);

void ftr_triage_release(ftr_triage *triage);

#endif
