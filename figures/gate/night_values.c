/* Collects the values that a night is compared by. */
#include "night_values.h"

#include "growing_array.h"
#include "name_glob.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- tests ----------------------------------------------------------------------------------- */

/* Returns the test with this name; makes it if needed. @return NULL if memory is exhausted */
static const ftr_name *test_of(ftr_night_values *values, const char *text, size_t size)
{
    const ftr_name *name = ftr_names_intern(&values->test_names, text, size);
    return name != NULL && ftr_array_reach(&values->tests, &values->test_capacity, name->number,
                                           sizeof *values->tests)
               ? name
               : NULL;
}

/* Adds the runs of an earlier night to their test. */
static void add_test(ftr_compared_test *to, const ftr_night_test *night)
{
    const bool is_first = to->runs[FTR_NIGHT_EARLIER] == 0;
    if (night->complete == 0)
        return;
    if (is_first)
        memcpy(to->figures, night->figures, sizeof to->figures);
    to->has_spread |=
        night->has_spread || memcmp(to->figures, night->figures, sizeof to->figures) != 0;
    to->shortest = is_first ? night->shortest : fmin(to->shortest, night->shortest);
    to->longest = is_first ? night->longest : fmax(to->longest, night->longest);
    to->runs[FTR_NIGHT_EARLIER] += night->complete;
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

static void keep_extreme(ftr_compared_values *to, ftr_comparison comparison, double value,
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

/* Adds a value of a run: of its metric, or the reason why there is none. */
static bool add_value(ftr_compared_values *to, ftr_night_side side, double value)
{
    ftr_run_values *sample = &to->values[side];
    if (isinf(value))
        to->too_short[side]++;
    if (!isfinite(value))
        return true;
    if (!ftr_array_grow(&sample->of, &sample->capacity, sample->count, sizeof *sample->of))
        return false;
    sample->of[sample->count++] = value;
    return true;
}

/* ---- earlier nights -------------------------------------------------------------------------- */

const ftr_gate_rule *ftr_night_lacking(const ftr_gate_rules *rules, const ftr_history_night *night)
{
    for (size_t i = 0; i < rules->count; i++)
        if (rules->rules[i].is_relative &&
            ftr_history_night_metric(night, rules->rules[i].metric) == FTR_NAME_UNKNOWN)
            return &rules->rules[i];
    return NULL;
}

static bool is_about(const ftr_gate_rule *rule, const char *attribute, const ftr_name *generator)
{
    return rule->is_relative && (attribute == NULL) == (rule->attribute == NULL) &&
           (attribute == NULL || strcmp(attribute, rule->attribute) == 0) &&
           ftr_glob_list_matches(rule->pattern, generator->text, generator->size);
}

/* Adds a series to the values of each rule that matches it. @param test number of the test */
static bool add_series(ftr_night_values *values, const ftr_history_night *night,
                       const ftr_night_series *series, size_t test)
{
    const ftr_name *from = night->generator_names.names[series->key.generator];
    const char *attribute = ftr_night_series_attribute(night, series);
    for (size_t k = 0; k < values->rules->count; k++) {
        const ftr_gate_rule *rule = &values->rules->rules[k];
        if (!is_about(rule, attribute, from))
            continue;
        const ftr_name *generator =
            ftr_names_intern(&values->generator_names, from->text, from->size);
        ftr_compared_values *to =
            generator != NULL ? compared_of(values, k, test, generator->number) : NULL;
        const size_t metric = ftr_history_night_metric(night, rule->metric);
        if (to == NULL)
            return false;
        for (size_t i = 0; i < series->runs; i++)
            if (!add_value(to, FTR_NIGHT_EARLIER, series->values[i * night->metric_count + metric]))
                return false;
    }
    return true;
}

bool ftr_night_values_add_night(ftr_night_values *values, const ftr_history_night *night)
{
    const size_t tests = night->test_names.count;
    size_t *numbers = malloc((tests + 1) * sizeof *numbers);
    bool ok = numbers != NULL;
    for (size_t i = 0; i < tests && ok; i++) {
        const ftr_name *from = night->test_names.names[i];
        const ftr_name *name = test_of(values, from->text, from->size);
        ok = name != NULL;
        if (ok) {
            numbers[i] = name->number;
            add_test(&values->tests[name->number], &night->tests[i]);
        }
    }
    for (size_t i = 0; i < night->series_count && ok; i++)
        ok = add_series(values, night, night->series[i], numbers[night->series[i]->key.test]);
    free(numbers);
    return ok;
}

/* ---- the judged night ------------------------------------------------------------------------ */

bool ftr_night_values_add(ftr_night_values *values, const ftr_run_record *run,
                          ftr_run_totals *totals, const char *name)
{
    const ftr_name *test = test_of(values, run->test.bytes, run->test.size);
    bool ok = test != NULL;
    if (ok)
        values->tests[test->number].runs[FTR_NIGHT_JUDGED]++;
    for (size_t k = 0; k < values->rules->count && ok; k++) {
        const ftr_gate_rule *rule = &values->rules->rules[k];
        for (size_t i = 0; i < totals->row_count && rule->is_relative && ok; i++) {
            ftr_total_row *row = &totals->rows[i];
            if (!ftr_glob_list_matches(rule->pattern, row->name, row->name_size) ||
                !ftr_figure_metric_is_known(rule->metric, row))
                continue;
            const double value = ftr_run_value(rule->metric, row, totals->time_scale);
            const ftr_name *generator =
                ftr_names_intern(&values->generator_names, row->name, row->name_size);
            ftr_compared_values *to =
                generator != NULL ? compared_of(values, k, test->number, generator->number) : NULL;
            ok = to != NULL && add_value(to, FTR_NIGHT_JUDGED, value);
            if (ok && isfinite(value))
                keep_extreme(to, rule->comparison, value, row, name, totals->time_scale);
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
