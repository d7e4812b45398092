/* Finds the changes of figures over nights. */
#include "night_changes.h"

#include "growing_array.h"
#include "name_glob.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_values(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts values and returns their median; NAN if there are none. */
static double median_of(double *values, size_t count)
{
    if (count == 0)
        return FTR_VALUE_MISSING;
    qsort(values, count, sizeof *values, compare_values);
    const size_t half = count / 2;
    return count % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/* ---- medians --------------------------------------------------------------------------------- */

/* Returns the medians with a key; makes them if needed. @return NULL if memory is exhausted */
static ftr_night_medians *medians_of(ftr_night_changes *to, const ftr_night_medians *like)
{
    const char *bytes = (const char *)&like->key;
    const size_t known = ftr_name_table_find(&to->keys, bytes, sizeof like->key, 0);
    if (known != FTR_NAME_UNKNOWN)
        return to->medians[known];
    ftr_night_medians *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->key = like->key;
    made->tests = 1;
    if (!ftr_array_grow(&to->medians, &to->capacity, to->count, sizeof(ftr_night_medians *)) ||
        !ftr_name_table_add(&to->keys, (const char *)&made->key, sizeof made->key, 0, to->count)) {
        free(made);
        return NULL;
    }
    return to->medians[to->count++] = made;
}

static bool set_median(ftr_night_medians *medians, size_t night, double value)
{
    double *of = realloc(medians->of, (night + 1) * sizeof *of);
    if (of == NULL)
        return false;
    medians->of = of;
    while (medians->nights < night)
        of[medians->nights++] = FTR_VALUE_MISSING;
    of[night] = value;
    medians->nights = night + 1;
    return true;
}

/* Adds the medians of one generator of one test. @param values room for a value of each run */
static bool add_series(ftr_night_changes *to, const ftr_history_night *night,
                       const ftr_night_series *series, ftr_night_medians *like, double *values)
{
    for (size_t i = 0; i < to->options->metric_count; i++) {
        const size_t metric = ftr_history_night_metric(night, to->options->metrics[i]);
        size_t count = 0;
        for (size_t k = 0; k < series->runs && metric != FTR_NAME_UNKNOWN; k++) {
            const double value = series->values[k * night->metric_count + metric];
            if (isfinite(value))
                values[count++] = value;
        }
        if (count == 0)
            continue;
        like->key.metric = i;
        ftr_night_medians *medians = medians_of(to, like);
        if (medians == NULL || !set_median(medians, to->nights, median_of(values, count)))
            return false;
    }
    return true;
}

static bool add_night_series(ftr_night_changes *to, const ftr_history_night *night,
                             const ftr_night_series *series, double *values)
{
    const ftr_name *test = night->test_names.names[series->key.test];
    const ftr_name *generator = night->generator_names.names[series->key.generator];
    const char *attribute = ftr_night_series_attribute(night, series);
    ftr_night_medians like = {0};
    if ((to->options->tests != NULL &&
         !ftr_glob_list_matches(to->options->tests, test->text, test->size)) ||
        (to->options->generators != NULL &&
         !ftr_glob_list_matches(to->options->generators, generator->text, generator->size)))
        return true;
    test = ftr_names_intern(&to->test_names, test->text, test->size);
    generator = ftr_names_intern(&to->generator_names, generator->text, generator->size);
    if (test == NULL || generator == NULL)
        return false;
    like.key.test = test->number;
    like.key.generator = generator->number;
    if (attribute != NULL) {
        const ftr_name *name = ftr_names_intern(&to->attribute_names, attribute, strlen(attribute));
        if (name == NULL)
            return false;
        like.key.attribute = name->number + 1;
    }
    return add_series(to, night, series, &like, values);
}

bool ftr_night_changes_add(ftr_night_changes *to, const ftr_history_night *night)
{
    size_t runs = 1;
    for (size_t i = 0; i < night->series_count; i++)
        runs = night->series[i]->runs > runs ? night->series[i]->runs : runs;
    double *values = malloc(runs * sizeof *values);
    bool ok = values != NULL &&
              ftr_array_grow(&to->names, &to->night_capacity, to->nights, sizeof *to->names);
    if (ok)
        memcpy(to->names[to->nights], night->name, sizeof night->name);
    for (size_t i = 0; i < night->series_count && ok; i++)
        ok = add_night_series(to, night, night->series[i], values);
    to->nights += ok;
    free(values);
    return ok;
}

/* ---- all tests together ---------------------------------------------------------------------- */

/* The sums of the tests of a generator, in each night. */
typedef struct together {
    double *sums;
    size_t *tests;
    size_t test_count; /* of all nights */
} together;

/* Adds a test, in proportion to its median of all nights. A test with values in so few nights that
 * they cannot have a change is omitted. @param values room for a value of each night */
static void add_test(together *to, const ftr_night_medians *test, size_t least, double *values)
{
    size_t count = 0;
    for (size_t i = 0; i < test->nights; i++)
        if (!isnan(test->of[i]))
            values[count++] = test->of[i];
    const double usual = median_of(values, count);
    if (!(usual > 0) || count < 2 * least)
        return;
    to->test_count++;
    for (size_t i = 0; i < test->nights; i++)
        if (!isnan(test->of[i])) {
            to->sums[i] += test->of[i] / usual;
            to->tests[i]++;
        }
}

static bool is_same_generator(const ftr_night_medians *a, const ftr_night_medians *b)
{
    return a->key.generator == b->key.generator && a->key.attribute == b->key.attribute &&
           a->key.metric == b->key.metric;
}

static int compare_medians(const void *a, const void *b)
{
    const ftr_night_medians *const x = *(ftr_night_medians *const *)a;
    const ftr_night_medians *const y = *(ftr_night_medians *const *)b;
    const size_t of_x[] = {x->key.generator, x->key.attribute, x->key.metric, x->key.test};
    const size_t of_y[] = {y->key.generator, y->key.attribute, y->key.metric, y->key.test};
    for (size_t i = 0; i < sizeof of_x / sizeof of_x[0]; i++)
        if (of_x[i] != of_y[i])
            return of_x[i] < of_y[i] ? -1 : 1;
    return 0;
}

/* Makes the series of all tests together from @p count series of tests. */
static bool join_tests(ftr_night_changes *of, ftr_night_medians *const *tests, size_t count,
                       together *sum, double *values)
{
    memset(sum->sums, 0, of->nights * sizeof *sum->sums);
    memset(sum->tests, 0, of->nights * sizeof *sum->tests);
    sum->test_count = 0;
    for (size_t i = 0; i < count; i++)
        add_test(sum, tests[i], of->options->points.least, values);
    if (sum->test_count < 2)
        return true;
    ftr_night_medians like = {.key = tests[0]->key};
    like.key.test = FTR_ALL_TESTS;
    ftr_night_medians *medians = medians_of(of, &like);
    if (medians != NULL)
        medians->tests = sum->test_count;
    for (size_t i = 0; i < of->nights && medians != NULL; i++)
        if (sum->tests[i] > 0 && !set_median(medians, i, sum->sums[i] / (double)sum->tests[i]))
            return false;
    return medians != NULL;
}

/* Adds a series of all tests together for each figure. @param sorted,sum,values working memory */
static bool join_sorted(ftr_night_changes *of, ftr_night_medians **sorted, together *sum,
                        double *values)
{
    const size_t count = of->count;
    if (count == 0)
        return true;
    memcpy(sorted, of->medians, count * sizeof(ftr_night_medians *));
    qsort(sorted, count, sizeof(ftr_night_medians *), compare_medians);
    for (size_t first = 0; first < count;) {
        size_t end = first + 1;
        while (end < count && is_same_generator(sorted[first], sorted[end]))
            end++;
        if (!join_tests(of, &sorted[first], end - first, sum, values))
            return false;
        first = end;
    }
    return true;
}

static bool join_all_tests(ftr_night_changes *of)
{
    ftr_night_medians **sorted = malloc((of->count + 1) * sizeof(ftr_night_medians *));
    together sum = {.sums = malloc((of->nights + 1) * sizeof *sum.sums),
                    .tests = malloc((of->nights + 1) * sizeof *sum.tests)};
    double *values = malloc((of->nights + 1) * sizeof *values);
    const bool ok = sorted != NULL && sum.sums != NULL && sum.tests != NULL && values != NULL &&
                    join_sorted(of, sorted, &sum, values);
    free(sorted);
    free(sum.sums);
    free(sum.tests);
    free(values);
    return ok;
}

/* ---- changes --------------------------------------------------------------------------------- */

double ftr_night_change_size(const ftr_night_change *change)
{
    return change->before != 0 ? change->after / change->before - 1
                               : (change->after > 0 ? (double)INFINITY : 0);
}

/* Returns whether the difference of two values is large enough to matter. */
static bool matters(const ftr_night_changes *of, const ftr_night_medians *medians, double before,
                    double after)
{
    const double difference = fabs(after - before);
    return ftr_figure_metric_is_count(of->options->metrics[medians->key.metric]) &&
                   medians->key.test != FTR_ALL_TESTS
               ? difference >= of->options->count_effect
               : difference > fabs(before) * of->options->effect / 100;
}

/* The nights in which a figure has a value, divided by its changes. */
typedef struct segments {
    const ftr_night_medians *of;
    double *values; /* the values */
    size_t *nights; /* their nights */
    size_t count;
    size_t *points; /* indices of the first values after the changes */
    size_t point_count;
    double *sorted;
} segments;

/* Returns the median of the values of segment number @p at. */
static double level_of(const segments *s, size_t at)
{
    const size_t begin = at > 0 ? s->points[at - 1] : 0;
    const size_t end = at < s->point_count ? s->points[at] : s->count;
    memcpy(s->sorted, s->values + begin, (end - begin) * sizeof *s->sorted);
    return median_of(s->sorted, end - begin);
}

static bool add_change(ftr_night_changes *of, const segments *s, size_t at)
{
    ftr_night_change change = {.of = s->of,
                               .night = s->nights[s->points[at]],
                               .before = level_of(s, at),
                               .after = level_of(s, at + 1)};
    if (!matters(of, s->of, change.before, change.after))
        return true;
    for (size_t i = at + 1; i < s->point_count && change.back == 0; i++)
        if (!matters(of, s->of, change.before, level_of(s, i + 1)))
            change.back = s->nights[s->points[i]];
    if (!ftr_array_grow(&of->changes, &of->change_capacity, of->change_count, sizeof *of->changes))
        return false;
    of->changes[of->change_count++] = change;
    return true;
}

/* Returns whether a change of all tests together comes from tests that have changes themselves: of
 * the same figure, in the same direction, at most one night away, and together at least half as
 * large. @param tests number of changes of single tests, which are the first ones */
static bool is_told_by_tests(const ftr_night_changes *of, size_t tests,
                             const ftr_night_change *change)
{
    const double size = ftr_night_change_size(change);
    double told = 0;
    for (size_t i = 0; i < tests; i++) {
        const ftr_night_change *other = &of->changes[i];
        const size_t distance = other->night > change->night ? other->night - change->night
                                                             : change->night - other->night;
        if (distance <= 1 && is_same_generator(other->of, change->of))
            told += ftr_night_change_size(other) / (double)change->of->tests;
    }
    return (told > 0) == (size > 0) && fabs(told) >= fabs(size) / 2;
}

static ftr_status find_changes_of(ftr_night_changes *of, const ftr_night_medians *medians,
                                  segments *s)
{
    s->of = medians;
    s->count = 0;
    for (size_t i = 0; i < medians->nights; i++)
        if (!isnan(medians->of[i])) {
            s->nights[s->count] = i;
            s->values[s->count++] = medians->of[i];
        }
    const ftr_status status =
        ftr_change_points(s->values, s->count, &of->options->points, s->points, &s->point_count);
    for (size_t i = 0; i < s->point_count && status == FTR_OK; i++)
        if (!add_change(of, s, i))
            return FTR_ERR_MEMORY;
    return status;
}

static int compare_changes(const void *a, const void *b)
{
    const ftr_night_change *x = a;
    const ftr_night_change *y = b;
    const double size_x = ftr_night_change_size(x);
    const double size_y = ftr_night_change_size(y);
    const size_t of_x[] = {x->night, x->of->key.generator, x->of->key.attribute, x->of->key.metric,
                           size_x > 0};
    const size_t of_y[] = {y->night, y->of->key.generator, y->of->key.attribute, y->of->key.metric,
                           size_y > 0};
    for (size_t i = 0; i < sizeof of_x / sizeof of_x[0]; i++)
        if (of_x[i] != of_y[i])
            return of_x[i] < of_y[i] ? -1 : 1;
    if (fabs(size_x) != fabs(size_y))
        return fabs(size_x) > fabs(size_y) ? -1 : 1;
    return (x->of->key.test > y->of->key.test) - (x->of->key.test < y->of->key.test);
}

/* Finds the changes of single tests, and then of all tests together those that no test tells.
 * @param tests number of medians of single tests */
static ftr_status find_all(ftr_night_changes *of, size_t tests, segments *s)
{
    size_t of_tests = 0;
    for (size_t i = 0; i < of->count; i++) {
        const size_t before = of->change_count;
        if (i == tests)
            of_tests = before;
        const ftr_status status = find_changes_of(of, of->medians[i], s);
        if (status != FTR_OK)
            return status;
        for (size_t k = before; k < of->change_count && i >= tests;)
            if (is_told_by_tests(of, of_tests, &of->changes[k]))
                of->changes[k] = of->changes[--of->change_count];
            else
                k++;
    }
    return FTR_OK;
}

ftr_status ftr_night_changes_find(ftr_night_changes *of)
{
    const size_t tests = of->count;
    double *values = malloc((of->nights + 1) * sizeof *values);
    double *sorted = malloc((of->nights + 1) * sizeof *sorted);
    size_t *nights = malloc((of->nights + 1) * sizeof *nights);
    size_t *points = malloc((of->nights + 1) * sizeof *points);
    segments s = {.values = values, .nights = nights, .points = points, .sorted = sorted};
    ftr_status status = FTR_ERR_MEMORY;
    if (values != NULL && sorted != NULL && nights != NULL && points != NULL && join_all_tests(of))
        status = find_all(of, tests, &s);
    free(values);
    free(sorted);
    free(nights);
    free(points);
    if (status == FTR_OK && of->change_count > 1)
        qsort(of->changes, of->change_count, sizeof *of->changes, compare_changes);
    return status;
}

size_t ftr_night_changes_group(const ftr_night_changes *of, size_t first)
{
    const ftr_night_change *begin = &of->changes[first];
    size_t end = first + 1;
    while (end < of->change_count && of->changes[end].night == begin->night &&
           is_same_generator(of->changes[end].of, begin->of) &&
           (ftr_night_change_size(&of->changes[end]) > 0) == (ftr_night_change_size(begin) > 0))
        end++;
    return end - first;
}

void ftr_night_changes_release(ftr_night_changes *of)
{
    for (size_t i = 0; i < of->count; i++) {
        free(of->medians[i]->of);
        free(of->medians[i]);
    }
    free(of->names);
    free(of->medians);
    free(of->changes);
    ftr_name_table_release(&of->keys);
    ftr_names_release(&of->test_names);
    ftr_names_release(&of->generator_names);
    ftr_names_release(&of->attribute_names);
    *of = (ftr_night_changes){0};
}
