/* Writes the nights of a history, and their changes, to the report of a night. */
#include "report_modes.h"

#include "command.h"
#include "earlier_nights.h"
#include "night_changes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Greatest number of figures in the report. Those with changes are written first. */
#define FIGURES_MAX 4000u

static const ftr_figure_metric METRICS[] = {
    {.kind = FTR_METRIC_COUNT},     {.kind = FTR_METRIC_ERRORS},
    {.kind = FTR_METRIC_MEAN},      {.kind = FTR_METRIC_PERCENTILE, .percent = 99 * FTR_PERCENT},
    {.kind = FTR_METRIC_BANDWIDTH},
};

static const ftr_night_change_options OPTIONS = {
    .points = FTR_CHANGE_OPTIONS_DEFAULT,
    .effect = 1,
    .count_effect = 1,
    .metrics = METRICS,
    .metric_count = sizeof METRICS / sizeof METRICS[0],
};

/* ---- nights ---------------------------------------------------------------------------------- */

static void put_night(ftr_json *json, const char *name, uint64_t runs, uint64_t complete)
{
    ftr_json_open(json, NULL, '{');
    ftr_json_string(json, "name", name);
    ftr_json_count(json, "runs", runs);
    ftr_json_count(json, "complete", complete);
    ftr_json_close(json, '}');
}

static bool add_night(ftr_night_changes *changes, const char *path, const ftr_history_night *night)
{
    const bool ok = ftr_night_changes_add(changes, night);
    if (!ok)
        ftr_print_error("%s: %s", path, ftr_status_text(FTR_ERR_MEMORY));
    return ok;
}

/* Adds the night of the report. Its tests are named as those of the history. */
static bool add_tonight(ftr_night_changes *changes, const ftr_history *history, const char *summary,
                        const char *key, ftr_json *json)
{
    ftr_history_night night;
    ftr_history_night_init(&night);
    for (size_t i = 0; i < OPTIONS.metric_count; i++)
        (void)ftr_history_night_measure(&night, METRICS[i]);
    bool ok = ftr_night_read_summary(&night, summary, key, NULL);
    if (ok && ftr_history_find(history, night.identity) == NULL) {
        put_night(json, "this night", night.run_count, night.complete);
        memcpy(night.name, "this night", sizeof "this night");
        ok = add_night(changes, summary, &night);
    }
    ftr_history_night_release(&night);
    return ok;
}

static bool add_nights(ftr_night_changes *changes, const ftr_history *history, const char *path,
                       const char *summary, ftr_json *json)
{
    char *key = NULL;
    bool ok = true;
    ftr_json_open(json, "nights", '[');
    for (size_t i = 0; i < history->count && ok; i++) {
        ftr_history_night night;
        ftr_summary_problem problem;
        ok = ftr_history_is_read(ftr_history_read(history, i, &night, &problem), path, &problem) &&
             add_night(changes, path, &night);
        put_night(json, history->nights[i].name, history->nights[i].runs,
                  history->nights[i].complete);
        free(key);
        key = ok && night.key != NULL ? strdup(night.key) : NULL;
        ftr_history_night_release(&night);
    }
    ok = ok && add_tonight(changes, history, summary, key, json);
    free(key);
    ftr_json_close(json, ']');
    return ok;
}

/* ---- figures --------------------------------------------------------------------------------- */

static const char *unit_of(ftr_figure_metric metric)
{
    if (ftr_figure_metric_is_time(metric))
        return "s";
    return metric.kind == FTR_METRIC_BANDWIDTH ? "B/s" : "";
}

static void put_figure(ftr_json *json, const ftr_night_changes *changes,
                       const ftr_night_medians *of)
{
    ftr_figure_metric metric = METRICS[of->key.metric];
    char name[FTR_METRIC_NAME_SIZE];
    const bool is_together = of->key.test == FTR_ALL_TESTS;
    if (of->key.attribute > 0)
        metric.attribute = changes->attribute_names.names[of->key.attribute - 1]->text;
    ftr_json_open(json, NULL, '{');
    if (is_together)
        ftr_json_null(json, "test");
    else
        ftr_json_string(json, "test", changes->test_names.names[of->key.test]->text);
    ftr_json_string(json, "generator", changes->generator_names.names[of->key.generator]->text);
    ftr_json_string(json, "metric", ftr_figure_metric_name(metric, name));
    ftr_json_string(json, "unit", is_together ? "%" : unit_of(metric));
    ftr_json_open(json, "medians", '[');
    for (size_t i = 0; i < changes->nights; i++)
        if (i < of->nights && !isnan(of->of[i]))
            ftr_json_real(json, NULL, of->of[i]);
        else
            ftr_json_null(json, NULL);
    ftr_json_close(json, ']');
    ftr_json_close(json, '}');
}

static void put_change(ftr_json *json, const ftr_night_change *change, size_t figure)
{
    ftr_json_open(json, NULL, '{');
    ftr_json_count(json, "figure", figure);
    ftr_json_count(json, "night", change->night);
    if (change->back > 0)
        ftr_json_count(json, "back", change->back);
    else
        ftr_json_null(json, "back");
    ftr_json_real(json, "before", change->before);
    ftr_json_real(json, "after", change->after);
    ftr_json_close(json, '}');
}

/* Returns whether a figure that has no change is shown: those of all tests together are shown only
 * with a change, and so are counts of errors that were always 0. */
static bool is_shown(const ftr_night_medians *of)
{
    bool has_any = false;
    for (size_t i = 0; i < of->nights; i++)
        has_any |= of->of[i] > 0;
    return of->key.test != FTR_ALL_TESTS && has_any;
}

/* Writes the figures with changes, then others. @param numbers receives the numbers of the written
 * figures, in the order of changes->medians; SIZE_MAX: not written */
static void put_figures(ftr_json *json, const ftr_night_changes *changes, size_t *numbers)
{
    size_t written = 0, omitted = 0;
    for (size_t i = 0; i < changes->count; i++)
        numbers[i] = SIZE_MAX;
    ftr_json_open(json, "figures", '[');
    for (size_t i = 0; i < changes->change_count && written < FIGURES_MAX; i++)
        for (size_t k = 0; k < changes->count; k++)
            if (changes->medians[k] == changes->changes[i].of && numbers[k] == SIZE_MAX) {
                put_figure(json, changes, changes->medians[k]);
                numbers[k] = written++;
            }
    for (size_t k = 0; k < changes->count; k++) {
        if (numbers[k] != SIZE_MAX || !is_shown(changes->medians[k]))
            continue;
        if (written < FIGURES_MAX) {
            put_figure(json, changes, changes->medians[k]);
            numbers[k] = written++;
        } else {
            omitted++;
        }
    }
    ftr_json_close(json, ']');
    ftr_json_count(json, "omitted", omitted);
}

static bool put_changes(ftr_json *json, const ftr_night_changes *changes)
{
    size_t *numbers = malloc((changes->count + 1) * sizeof *numbers);
    if (numbers == NULL)
        return false;
    put_figures(json, changes, numbers);
    ftr_json_open(json, "changes", '[');
    for (size_t i = 0; i < changes->change_count; i++)
        for (size_t k = 0; k < changes->count; k++)
            if (changes->medians[k] == changes->changes[i].of && numbers[k] != SIZE_MAX)
                put_change(json, &changes->changes[i], numbers[k]);
    ftr_json_close(json, ']');
    free(numbers);
    return true;
}

bool ftr_report_put_history(ftr_json *json, const ftr_report_arguments *arguments,
                            const char *summary)
{
    const char *path = arguments->history;
    ftr_history history;
    ftr_night_changes changes = {.options = &OPTIONS};
    bool ok = ftr_history_input_open(&history, path);
    if (ok) {
        ftr_json_open(json, "history", '{');
        ftr_json_string(json, "file", path);
        ok = add_nights(&changes, &history, path, summary, json);
        if (ok && (ftr_night_changes_find(&changes) != FTR_OK || !put_changes(json, &changes))) {
            ftr_print_error("%s: %s", path, ftr_status_text(FTR_ERR_MEMORY));
            ok = false;
        }
        ftr_json_close(json, '}');
    }
    ftr_night_changes_release(&changes);
    ftr_history_close(&history);
    return ok;
}
