/* The values that a night is compared by: for each rule that refers to the baseline, each test and
 * each generator, one value per run, of the earlier nights and of the night that is judged. */
#ifndef FTR_NIGHT_VALUES_H
#define FTR_NIGHT_VALUES_H

#include "gate_rules.h"
#include "history_night.h"

typedef enum ftr_night_side { FTR_NIGHT_EARLIER, FTR_NIGHT_JUDGED, FTR_NIGHT_SIDES } ftr_night_side;

typedef struct ftr_run_values {
    double *of; /* times in seconds */
    size_t count, capacity;
} ftr_run_values;

/* The run of the judged night that is furthest in the direction that the rule forbids. */
typedef struct ftr_extreme_run {
    const char *run; /* borrowed; NULL: the night has no value */
    double value;
    ftr_slow_tx slowest; /* the slowest transaction of the generator; latency 0: there is none */
    int time_scale;      /* of `slowest` */
} ftr_extreme_run;

/* The values of a generator in the runs of a test, by the metric of a rule. */
typedef struct ftr_compared_values {
    struct {
        size_t rule, test, generator; /* index of the rule; numbers of the names */
    } key;
    ftr_run_values values[FTR_NIGHT_SIDES];
    /* runs without a value: their percentile needs more transactions (ftr_least_count()) */
    size_t too_short[FTR_NIGHT_SIDES];
    ftr_extreme_run extreme;
} ftr_compared_values;

/* The runs of a test. */
typedef struct ftr_compared_test {
    size_t runs[FTR_NIGHT_SIDES];
    /* all figures of the first earlier run; they are the same in all earlier runs if
     * `has_spread` is false: the test is deterministic */
    uint8_t figures[FTR_CONTENT_HASH_SIZE];
    bool has_spread;
    double shortest, longest; /* simulated times of the earlier runs, in seconds */
} ftr_compared_test;

typedef struct ftr_night_values {
    const ftr_gate_rules *rules; /* borrowed */
    ftr_names test_names, generator_names;
    ftr_compared_test *tests; /* index: number of the test's name */
    size_t test_capacity;
    ftr_compared_values **compared;
    size_t count, capacity;
    ftr_name_table keys; /* numbers of `compared` by their keys */
} ftr_night_values;

/* Adds an earlier night.
 * @param night has the metrics of all rules that refer to the baseline (ftr_night_lacking())
 * @return false if memory is exhausted */
bool ftr_night_values_add_night(ftr_night_values *values, const ftr_history_night *night);

/* Returns the first rule that refers to the baseline and whose metric the night does not have; NULL
 * if it has them all. */
const ftr_gate_rule *ftr_night_lacking(const ftr_gate_rules *rules, const ftr_history_night *night);

/* Adds a complete run (ftr_run_state_is_complete()) of the judged night.
 * @param totals the figures of this run alone, settled
 * @param name name of the run for messages; borrowed until ftr_night_values_release()
 * @return false if memory is exhausted */
bool ftr_night_values_add(ftr_night_values *values, const ftr_run_record *run,
                          ftr_run_totals *totals, const char *name);

/* Returns whether all earlier runs of the test, at least two, have the same figures. */
static inline bool ftr_compared_test_is_deterministic(const ftr_compared_test *test)
{
    return test->runs[FTR_NIGHT_EARLIER] >= 2 && !test->has_spread;
}

/* Returns the test of this name; NULL if there is none. */
const ftr_compared_test *ftr_night_values_test(const ftr_night_values *values,
                                               const ftr_figure_text *name);

void ftr_night_values_release(ftr_night_values *values);

#endif
