/* Prints histories. */
#include "history_view.h"

#include "command.h"
#include "night_cases.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* ---- nights ---------------------------------------------------------------------------------- */

static void describe_night(ftr_rows *rows, const void *row)
{
    const ftr_history_entry *night = row;
    ftr_row_string(rows, FTR_IN_TEXT, "night", night->name);
    ftr_row_string(rows, FTR_IN_JSON, "name", night->name);
    ftr_row_int(rows, FTR_IN_JSON, "time", night->time);
    ftr_row_count(rows, FTR_IN_ALL, "runs", night->runs);
    ftr_row_count(rows, FTR_IN_ALL, "complete", night->complete);
}

static bool print_nights(ftr_printer *out, const ftr_history *history, size_t first)
{
    ftr_rows rows;
    ftr_rows_begin(&rows, FTR_ROWS_TEXT, out);
    if (first < history->count)
        ftr_rows_put_titles(&rows, describe_night, &history->nights[first]);
    for (size_t i = first; i < history->count; i++)
        ftr_rows_put(&rows, describe_night, &history->nights[i]);
    return ftr_rows_end(&rows);
}

/* ---- changes as text ------------------------------------------------------------------------- */

/* The metric of a series, with its attribute. */
static ftr_figure_metric metric_of(const ftr_night_changes *changes,
                                   const ftr_night_medians *medians)
{
    ftr_figure_metric metric = changes->options->metrics[medians->key.metric];
    if (medians->key.attribute > 0)
        metric.attribute = changes->attribute_names.names[medians->key.attribute - 1]->text;
    return metric;
}

static const char *test_name(const ftr_night_changes *changes, const ftr_night_medians *medians)
{
    return medians->key.test == FTR_ALL_TESTS ? "(all tests)"
                                              : changes->test_names.names[medians->key.test]->text;
}

static const char *generator_name(const ftr_night_changes *changes,
                                  const ftr_night_medians *medians)
{
    return changes->generator_names.names[medians->key.generator]->text;
}

static void print_size(ftr_printer *out, const ftr_night_change *change)
{
    char text[64];
    const double size = ftr_night_change_size(change);
    if (isinf(size))
        return;
    (void)snprintf(text, sizeof text, "%+.3g %% ", 100 * size);
    ftr_print_string(out, text);
}

/* Prints a group of changes: one figure that changed in the same night in one or more tests. */
static void print_group(ftr_printer *out, const ftr_night_changes *changes, size_t first,
                        size_t count)
{
    const ftr_night_change *change = &changes->changes[first];
    const ftr_night_medians *of = change->of;
    const ftr_figure_metric metric = metric_of(changes, of);
    char name[FTR_METRIC_NAME_SIZE], text[FTR_FIGURE_TEXT_SIZE];
    ftr_print_string(out, "since ");
    ftr_print_plain(out, changes->names[change->night], strlen(changes->names[change->night]));
    ftr_print_string(out, ": ");
    ftr_print_plain(out, generator_name(changes, of), strlen(generator_name(changes, of)));
    ftr_print_char(out, ' ');
    (void)ftr_figure_metric_name(metric, name);
    ftr_print_plain(out, name, strlen(name));
    ftr_print_char(out, ' ');
    print_size(out, change);
    if (of->key.test == FTR_ALL_TESTS) {
        ftr_print_string(out, "as mean of ");
        ftr_print_uint(out, of->tests);
        ftr_print_string(out, " tests");
    } else {
        ftr_print_string(out, "in ");
        ftr_print_plain(out, test_name(changes, of), strlen(test_name(changes, of)));
        ftr_print_string(out, " (");
        ftr_print_string(out, ftr_gate_value_text(metric, change->before, text));
        ftr_print_string(out, ", then ");
        ftr_print_string(out, ftr_gate_value_text(metric, change->after, text));
        ftr_print_char(out, ')');
    }
    if (count > 1) {
        ftr_print_string(out, " and in ");
        ftr_print_uint(out, count - 1);
        ftr_print_string(out, count == 2 ? " other test" : " other tests");
    }
    if (change->back > 0) {
        ftr_print_string(out, "; as before since ");
        ftr_print_plain(out, changes->names[change->back], strlen(changes->names[change->back]));
    }
    ftr_print_char(out, '\n');
}

static void print_changes(ftr_printer *out, const ftr_night_changes *changes, size_t top)
{
    size_t groups = 0;
    for (size_t i = 0; i < changes->change_count;) {
        const size_t count = ftr_night_changes_group(changes, i);
        if (groups == 0)
            ftr_print_char(out, '\n');
        if (top == 0 || groups < top)
            print_group(out, changes, i, count);
        groups++;
        i += count;
    }
    if (groups == 0)
        ftr_print_string(out, "\nno figure has changed\n");
    if (top > 0 && groups > top) {
        ftr_print_uint(out, groups - top);
        ftr_print_string(out, " further changes; --top 0 prints all\n");
    }
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static void print_cell(ftr_printer *out, const char *text)
{
    ftr_print_csv_field(out, text, strlen(text));
    ftr_print_char(out, ',');
}

/* Prints a line for each night of a test's figure that has a value. */
static void print_csv_series(ftr_printer *out, const ftr_night_changes *changes,
                             const ftr_night_medians *of)
{
    ftr_figure_metric metric = changes->options->metrics[of->key.metric];
    char name[FTR_METRIC_NAME_SIZE];
    (void)ftr_figure_metric_name(metric, name);
    metric = metric_of(changes, of);
    for (size_t i = 0; i < of->nights; i++) {
        if (isnan(of->of[i]))
            continue;
        print_cell(out, changes->names[i]);
        print_cell(out, test_name(changes, of));
        print_cell(out, generator_name(changes, of));
        print_cell(out, metric.attribute != NULL ? metric.attribute : "");
        print_cell(out, name);
        ftr_print_real(out, of->of[i], sizeof of->of[i]);
        ftr_print_char(out, '\n');
    }
}

static void print_csv(ftr_printer *out, const ftr_night_changes *changes)
{
    ftr_print_string(out, "night,test,generator,attribute,metric,median\n");
    for (size_t i = 0; i < changes->count; i++)
        if (changes->medians[i]->key.test != FTR_ALL_TESTS)
            print_csv_series(out, changes, changes->medians[i]);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_figure(ftr_json *json, const ftr_night_changes *changes,
                       const ftr_night_medians *of)
{
    const ftr_figure_metric metric = metric_of(changes, of);
    char name[FTR_METRIC_NAME_SIZE];
    if (of->key.test == FTR_ALL_TESTS)
        ftr_json_null(json, "test");
    else
        ftr_json_string(json, "test", test_name(changes, of));
    ftr_json_string(json, "generator", generator_name(changes, of));
    ftr_json_string(json, "metric", ftr_figure_metric_name(metric, name));
}

static void put_changes(ftr_json *json, const ftr_night_changes *changes)
{
    ftr_json_open(json, "changes", '[');
    for (size_t i = 0; i < changes->change_count; i++) {
        const ftr_night_change *change = &changes->changes[i];
        ftr_json_open(json, NULL, '{');
        ftr_json_string(json, "night", changes->names[change->night]);
        put_figure(json, changes, change->of);
        ftr_json_real(json, "before", change->before);
        ftr_json_real(json, "after", change->after);
        if (change->back > 0)
            ftr_json_string(json, "back", changes->names[change->back]);
        else
            ftr_json_null(json, "back");
        ftr_json_close(json, '}');
    }
    ftr_json_close(json, ']');
}

static void put_medians(ftr_json *json, const ftr_night_changes *changes)
{
    ftr_json_open(json, "figures", '[');
    for (size_t i = 0; i < changes->count; i++) {
        const ftr_night_medians *of = changes->medians[i];
        ftr_json_open(json, NULL, '{');
        put_figure(json, changes, of);
        ftr_json_open(json, "medians", '[');
        for (size_t k = 0; k < changes->nights; k++)
            if (k < of->nights && !isnan(of->of[k]))
                ftr_json_real(json, NULL, of->of[k]);
            else
                ftr_json_null(json, NULL);
        ftr_json_close(json, ']');
        ftr_json_close(json, '}');
    }
    ftr_json_close(json, ']');
}

static void print_json(ftr_printer *out, const ftr_history *history, size_t first,
                       const ftr_night_changes *changes)
{
    ftr_rows rows;
    ftr_rows_begin(&rows, FTR_ROWS_JSON, out);
    ftr_json_open(&rows.json, NULL, '{');
    ftr_json_open(&rows.json, "nights", '[');
    for (size_t i = first; i < history->count; i++)
        ftr_rows_put(&rows, describe_night, &history->nights[i]);
    ftr_json_close(&rows.json, ']');
    put_changes(&rows.json, changes);
    put_medians(&rows.json, changes);
    ftr_json_close(&rows.json, '}');
    (void)ftr_rows_end(&rows);
    ftr_print_char(out, '\n');
}

bool ftr_history_print(const ftr_history *history, size_t first, const ftr_night_changes *changes,
                       const ftr_history_view *view)
{
    static ftr_printer out;
    bool ok = true;
    ftr_printer_init(&out, STDOUT_FILENO);
    out.for_spreadsheet = view->for_spreadsheet;
    if (view->format == FTR_ROWS_JSON) {
        print_json(&out, history, first, changes);
    } else if (view->format == FTR_ROWS_CSV) {
        print_csv(&out, changes);
    } else {
        ok = print_nights(&out, history, first);
        print_changes(&out, changes, view->top);
    }
    if (!ok)
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
    return ftr_stdout_finish(&out) && ok;
}
