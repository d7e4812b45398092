/* Collects the values that a night is compared by. */
#include "night_values.h"

#include "growing_array.h"
#include "name_glob.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t ftr_least_count(ftr_figure_metric metric)
{
    const uint32_t whole = 100 * FTR_PERCENT;
    if (metric.kind != FTR_METRIC_PERCENTILE)
        return 1;
    const uint32_t above = whole - metric.percent;
    const uint32_t rarer = above < metric.percent ? above : metric.percent;
    return rarer > 0 ? (whole + rarer - 1) / rarer : 1;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void hash_row(ftr_content_hash *hash, ftr_total_row *row)
{
    const uint64_t numbers[] = {row->errors,      row->unfinished,    row->bytes,
                                row->first,       row->last,          (uint64_t)row->busy,
                                row->outstanding, row->latency.count, row->latency.used};
    ftr_content_hash_add(hash, row->name, row->name_size + 1);
    ftr_content_hash_add(hash, numbers, sizeof numbers);
    ftr_latency_bins_sort(&row->latency);
    ftr_content_hash_add(hash, row->latency.bins, row->latency.used * sizeof *row->latency.bins);
}

long double ftr_simulated_time(const ftr_run_record *run)
{
    return (long double)ftr_run_figures_of(run).last * powl(10, run->time_scale);
}

static void widen_range(ftr_compared_test *test, long double simulated)
{
    const bool is_first = test->runs[FTR_NIGHT_EARLIER] == 0;
    if (is_first || simulated < test->shortest)
        test->shortest = simulated;
    if (is_first || simulated > test->longest)
        test->longest = simulated;
}

/* Notes whether the figures of an earlier run are those of the earlier runs before. */
static void compare_figures(ftr_compared_test *test, ftr_run_totals *totals)
{
    ftr_content_hash hash;
    uint8_t figures[FTR_CONTENT_HASH_SIZE];
    ftr_content_hash_init(&hash);
    for (size_t i = 0; i < totals->row_count; i++)
        hash_row(&hash, &totals->rows[i]);
    ftr_content_hash_get(&hash, figures);
    if (test->runs[FTR_NIGHT_EARLIER] == 0)
        memcpy(test->figures, figures, sizeof figures);
    else
        test->has_spread |= memcmp(test->figures, figures, sizeof figures) != 0;
}

/* Counts the run for its test. @return NULL if memory is exhausted */
static const ftr_name *add_to_test(ftr_night_values *values, ftr_night_side side,
                                   const ftr_run_record *run, ftr_run_totals *totals)
{
    const ftr_name *name = ftr_names_intern(&values->test_names, run->test.bytes, run->test.size);
    if (name == NULL || !ftr_array_reach(&values->tests, &values->test_capacity, name->number,
                                         sizeof *values->tests))
        return NULL;
    ftr_compared_test *test = &values->tests[name->number];
    if (side == FTR_NIGHT_EARLIER) {
        compare_figures(test, totals);
        widen_range(test, ftr_simulated_time(run));
    }
    test->runs[side]++;
    return name;
}

/* ---- values ---------------------------------------------------------------------------------- */

static ftr_compared_values *compared_of(ftr_night_values *values, size_t rule, size_t test,
                                        size_t generator)
{
    ftr_compared_values *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->key.rule = rule;
    made->key.test = test;
    made->key.generator = generator;
    const char *key = (const char *)&made->key;
    const size_t known = ftr_name_table_find(&values->keys, key, sizeof made->key, 0);
    if (known != FTR_NAME_UNKNOWN) {
        free(made);
        return values->compared[known];
    }
    if (!ftr_array_grow(&values->compared, &values->capacity, values->count,
                        sizeof(ftr_compared_values *)) ||
        !ftr_name_table_add(&values->keys, key, sizeof made->key, 0, values->count)) {
        free(made);
        return NULL;
    }
    return values->compared[values->count++] = made;
}

static void keep_extreme(ftr_compared_values *to, ftr_comparison comparison, long double value,
                         const ftr_total_row *row, const char *name, int time_scale)
{
    ftr_extreme_run *extreme = &to->extreme;
    if (extreme->run != NULL &&
        (ftr_is_upper_limit(comparison) ? value <= extreme->value : value >= extreme->value))
        return;
    *extreme = (ftr_extreme_run){.run = name, .value = value, .time_scale = time_scale};
    if (row->slow_count > 0)
        extreme->slowest = row->slowest[0].tx;
}

static bool add_value(ftr_night_values *values, ftr_night_side side, ftr_compared_values *to,
                      ftr_total_row *row, const char *name, int time_scale)
{
    const ftr_gate_rule *rule = &values->rules->rules[to->key.rule];
    const ftr_latency_bins *bins = ftr_total_row_bins(row, rule->metric.attribute);
    ftr_run_values *sample = &to->values[side];
    if (bins->count < ftr_least_count(rule->metric)) {
        to->too_short[side]++;
        return true;
    }
    if (!ftr_array_grow(&sample->of, &sample->capacity, sample->count, sizeof *sample->of))
        return false;
    long double value = ftr_figure_metric_value(rule->metric, row, time_scale);
    if (ftr_figure_metric_is_time(rule->metric))
        value *= powl(10, time_scale);
    sample->of[sample->count++] = value;
    if (side == FTR_NIGHT_JUDGED)
        keep_extreme(to, rule->comparison, value, row, name, time_scale);
    return true;
}

bool ftr_night_values_add(ftr_night_values *values, ftr_night_side side, const ftr_run_record *run,
                          ftr_run_totals *totals, const char *name)
{
    const ftr_name *test = add_to_test(values, side, run, totals);
    bool ok = test != NULL;
    for (size_t k = 0; k < values->rules->count && ok; k++) {
        const ftr_gate_rule *rule = &values->rules->rules[k];
        for (size_t i = 0; i < totals->row_count && rule->is_relative && ok; i++) {
            ftr_total_row *row = &totals->rows[i];
            if (!ftr_glob_list_matches(rule->pattern, row->name, row->name_size) ||
                !ftr_figure_metric_is_known(rule->metric, row))
                continue;
            const ftr_name *generator =
                ftr_names_intern(&values->generator_names, row->name, row->name_size);
            ftr_compared_values *to =
                generator != NULL ? compared_of(values, k, test->number, generator->number) : NULL;
            ok = to != NULL && add_value(values, side, to, row, name, totals->time_scale);
        }
    }
    return ok;
}

const ftr_compared_test *ftr_night_values_test(const ftr_night_values *values,
                                               const ftr_figure_text *name)
{
    const size_t number =
        ftr_name_table_find(&values->test_names.table, name->bytes, name->size, 0);
    return number != FTR_NAME_UNKNOWN && number < values->test_capacity ? &values->tests[number]
                                                                        : NULL;
}

void ftr_night_values_release(ftr_night_values *values)
{
    for (size_t i = 0; i < values->count; i++) {
        for (int side = 0; side < FTR_NIGHT_SIDES; side++)
            free(values->compared[i]->values[side].of);
        free(values->compared[i]);
    }
    free(values->compared);
    free(values->tests);
    ftr_name_table_release(&values->keys);
    ftr_names_release(&values->test_names);
    ftr_names_release(&values->generator_names);
}
