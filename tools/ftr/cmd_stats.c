/* ftr stats: prints statistics of generators as text, CSV or JSON, and tests them against
 * limits. */
#include "attribute_sizes.h"
#include "access_names.h"
#include "command.h"
#include "figure_table.h"
#include "gate_rules.h"
#include "name_glob.h"
#include "near_name.h"
#include "run_inputs.h"
#include "stats_matrix.h"
#include "text_bars.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RULES_MAX 64

typedef struct stats_options {
    ftr_input_options input;
    ftr_choice choice;
    ftr_row_format format;
    ftr_figure_columns columns;
    struct {
        const char *text;
        bool is_failure; /* the rule is an argument of --fail-if */
        ftr_gate_rule rule;
    } rules[RULES_MAX];
    size_t rule_count;
    bool histogram;
    bool matrix;
    bool for_spreadsheet; /* names in CSV that look like formulas are escaped */
} stats_options;

enum {
    OPTION_CSV = FTR_OPTION_OWN,
    OPTION_SPREADSHEET,
    OPTION_JSON,
    OPTION_RULE,
    OPTION_FAIL_IF,
    OPTION_PERCENTILES,
    OPTION_BY_STREAM,
    OPTION_HISTOGRAM,
    OPTION_PHASES,
    OPTION_BY,
    OPTION_MATRIX
};

static const struct option LONG_OPTIONS[] = {
    FTR_INPUT_LONG_OPTIONS,
    FTR_THREADS_LONG_OPTION,
    FTR_CHOICE_LONG_OPTIONS,
    {"csv", no_argument, NULL, OPTION_CSV},
    {"spreadsheet", no_argument, NULL, OPTION_SPREADSHEET},
    {"json", no_argument, NULL, OPTION_JSON},
    {"rule", required_argument, NULL, OPTION_RULE},
    {"fail-if", required_argument, NULL, OPTION_FAIL_IF},
    {"percentiles", required_argument, NULL, OPTION_PERCENTILES},
    {"histogram", no_argument, NULL, OPTION_HISTOGRAM},
    {"phases", no_argument, NULL, OPTION_PHASES},
    {"by", required_argument, NULL, OPTION_BY},
    {"matrix", no_argument, NULL, OPTION_MATRIX},
    {"by-stream", no_argument, NULL, OPTION_BY_STREAM},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* A file and the record of its run. */
typedef struct measured_file {
    const char *path;
    ftr_run_record run;
    ftr_run_record parts; /* figures of the parts of its generators */
    bool made;
    ftr_attribute_sizes attributes;
} measured_file;

/* The measured files, and the parts of their generators. */
typedef struct measured_files {
    measured_file *of;
    size_t count;
    ftr_value_parts parts;
} measured_files;

/* ---- tables ---------------------------------------------------------------------------------- */

static void print_title(ftr_printer *out, const char *title)
{
    ftr_print_plain(out, title, strlen(title));
    ftr_print_char(out, '\n');
}

static void describe_attribute(ftr_rows *rows, const void *row)
{
    const ftr_attribute_size *of = row;
    ftr_row_text(rows, FTR_IN_JSON, "name", of->name, of->name_size);
    ftr_row_count(rows, FTR_IN_TEXT, "bytes", of->bytes);
    ftr_row_count(rows, FTR_IN_ALL, "count", of->count);
    ftr_row_count(rows, FTR_IN_JSON, "bytes", of->bytes);
    ftr_row_text(rows, FTR_IN_TEXT, "attribute", of->name, of->name_size);
}

static bool print_attributes(ftr_printer *out, ftr_row_format format,
                             const ftr_attribute_sizes *attributes)
{
    ftr_rows rows;
    ftr_rows_begin(&rows, format, out);
    for (size_t i = 0; i < attributes->row_count; i++) {
        if (i == 0)
            ftr_rows_put_titles(&rows, describe_attribute, &attributes->rows[i]);
        ftr_rows_put(&rows, describe_attribute, &attributes->rows[i]);
    }
    return ftr_rows_end(&rows);
}

static bool print_histograms(ftr_printer *out, ftr_run_totals *totals)
{
    bool ok = true;
    for (size_t i = 0; ok && i < totals->row_count; i++) {
        ftr_total_row *row = &totals->rows[i];
        ok = ftr_print_histogram(out, &row->latency, totals->time_scale, row->name);
    }
    return ok;
}

static bool print_table(ftr_printer *out, const stats_options *options,
                        const ftr_figure_columns *columns, const char *title,
                        ftr_run_totals *totals, ftr_attribute_sizes *attributes)
{
    ftr_attribute_sizes_sort(attributes);
    if (options->format == FTR_ROWS_CSV)
        return ftr_figures_print(out, FTR_ROWS_CSV, columns, title, totals);
    if (options->format == FTR_ROWS_TEXT) {
        print_title(out, title);
        return ftr_figures_print(out, FTR_ROWS_TEXT, columns, title, totals) &&
               print_attributes(out, FTR_ROWS_TEXT, attributes) &&
               (!options->histogram || print_histograms(out, totals));
    }
    ftr_json json = {.out = out};
    ftr_json_open(&json, NULL, '{');
    ftr_json_string(&json, "file", title);
    ftr_figures_put_json(&json, columns, totals);
    ftr_json_open(&json, "attributes", '[');
    const bool ok = print_attributes(out, FTR_ROWS_JSON, attributes);
    ftr_json_close(&json, ']');
    ftr_json_end_line(&json);
    return ok;
}

/* Prints the table of @p count files of @p files, from @p first on, with the rows of parts. @return
 * false after an error message */
static bool print_parted_table(ftr_printer *out, const stats_options *options,
                               const measured_files *files, size_t first, size_t count,
                               const char *title, ftr_run_totals *totals,
                               ftr_attribute_sizes *attributes)
{
    ftr_figure_columns columns = options->columns;
    ftr_figure_parts rows = {0};
    ftr_run_totals parts = {.time_scale = totals->time_scale};
    bool ok = true;
    for (size_t i = first; ok && columns.by != NULL && i < first + count; i++)
        if (files->of[i].made && files->of[i].run.state < FTR_RUN_UNREADABLE)
            ok = ftr_figures_add_run(&parts, &files->of[i].parts, files->of[i].path, false);
    ftr_run_totals_settle(&parts);
    if (ok && columns.by != NULL) {
        ok = ftr_value_parts_rows(&files->parts, &parts, &rows);
        columns.parts = &rows;
    }
    ok = ok && print_table(out, options, &columns, title, totals, attributes);
    free(rows.of);
    ftr_run_totals_release(&parts);
    return ok;
}

/* Prints a table with a row for each file. */
static void describe_run(ftr_rows *rows, const void *row)
{
    const measured_file *of = row;
    const ftr_run_figures figures = ftr_run_figures_of(&of->run);
    ftr_row_count(rows, FTR_IN_TEXT, "count", of->run.transactions);
    ftr_row_count(rows, FTR_IN_TEXT, "errors", figures.errors);
    ftr_row_count(rows, FTR_IN_TEXT, "unfinished", figures.unfinished);
    ftr_row_count(rows, FTR_IN_TEXT, "losses", of->run.losses);
    ftr_row_time(rows, FTR_IN_TEXT, "longest", figures.longest, of->run.time_scale);
    ftr_row_string(rows, FTR_IN_TEXT, "state", ftr_run_state_name(of->run.state));
    ftr_row_string(rows, FTR_IN_TEXT, "file", of->path);
}

static bool print_runs(ftr_printer *out, const measured_file *files, size_t count)
{
    ftr_rows rows;
    ftr_rows_begin(&rows, FTR_ROWS_TEXT, out);
    ftr_rows_put_titles(&rows, describe_run, &(measured_file){.path = ""});
    for (size_t i = 0; i < count; i++)
        if (files[i].made)
            ftr_rows_put(&rows, describe_run, &files[i]);
    return ftr_rows_end(&rows);
}

/* ---- rules: --rule and --fail-if, which states the contrary ---------------------------------- */

/* Reads the argument of --fail-if (@p is_failure) or --rule.
 * @param[out] rule to be released with ftr_gate_rule_release()
 * @return false after an error message */
static bool parse_rule(const char *text, bool is_failure, ftr_gate_rule *rule)
{
    ftr_condition_error error;
    const char *option = is_failure ? "--fail-if" : "--rule";
    const ftr_status status = ftr_gate_rule_parse(text, is_failure, rule, &error);
    if (status == FTR_ERR_FORMAT)
        (void)ftr_misuse(&ftr_command_stats, "option '%s': '%s': column %u: %s", option, text,
                         error.column, error.message);
    else if (status != FTR_OK)
        ftr_print_error("%s", ftr_status_text(status));
    else if (rule->is_relative || rule->subject != FTR_GATE_GENERATORS)
        (void)ftr_misuse(&ftr_command_stats,
                         "option '%s': '%s': a baseline, losses and exit_status are for ftr gate",
                         option, text);
    return status == FTR_OK && !rule->is_relative && rule->subject == FTR_GATE_GENERATORS;
}

/* Prints the limit with a unit. */
static void print_limit(ftr_printer *out, const ftr_gate_rule *rule, int time_scale)
{
    if (rule->in_ticks) {
        ftr_print_time(out, (uint64_t)rule->value, time_scale);
        return;
    }
    ftr_print_string(out, rule->limit);
    if (rule->own_unit == rule->unit)
        return;
    const char *units = ftr_unit_names(rule->unit);
    ftr_print_char(out, ' ');
    ftr_print(out, units, strcspn(units, ","));
}

/* Warns on stderr that --fail-if is going to be removed, and prints the --rule that replaces this
 * option. Also warns of a time without a unit, which is a number of ticks of 10^@p time_scale
 * seconds. */
static void warn_of_fail_if(const ftr_gate_rule *rule, int time_scale)
{
    static ftr_printer limit, tick;
    char name[FTR_METRIC_NAME_SIZE];
    const char *quote = strpbrk(rule->pattern, " \t") != NULL ? "\"" : "";
    ftr_printer_init(&limit, -1);
    print_limit(&limit, rule, time_scale);
    ftr_print_error("warning: --fail-if will be removed in 0.3; write --rule '%s%s%s %s %s %.*s' "
                    "instead of '%s'",
                    quote, rule->pattern, quote, ftr_figure_metric_name(rule->metric, name),
                    ftr_comparison_text(rule->comparison), (int)limit.filled, limit.bytes,
                    rule->text);
    if (!rule->in_ticks || rule->value == 0)
        return;
    ftr_printer_init(&tick, -1);
    ftr_print_time(&tick, 1, time_scale);
    ftr_print_error("warning: --fail-if '%s' has a time without a unit: taken as ticks of %.*s",
                    rule->text, (int)tick.filled, tick.bytes);
}

/* A tested file, and the numbers of its generators. */
typedef struct tested {
    const ftr_gate_rule *rule;
    const char *file;
    char times[FTR_TIME_NAMES_SIZE]; /* attributes of type TIME of the first generator that matches
                                      */
    int time_scale;
    unsigned concerned; /* number of generators that match the pattern */
    unsigned measured;  /* number of these generators that have a value for the metric */
    unsigned failed;
} tested;

static void test_row(tested *t, ftr_total_row *row)
{
    const ftr_gate_rule *rule = t->rule;
    const bool is_time = ftr_figure_metric_is_time(rule->metric);
    char text[FTR_FIGURE_TEXT_SIZE];
    char name[FTR_METRIC_NAME_SIZE];
    if (t->concerned++ == 0)
        (void)ftr_time_names_text(row, t->times);
    if (!ftr_figure_metric_is_known(rule->metric, row))
        return;
    t->measured++;
    const long double measured = ftr_figure_metric_value(rule->metric, row, t->time_scale);
    const long double limit =
        is_time && !rule->in_ticks ? ftr_seconds_to_ticks(rule->value, t->time_scale) : rule->value;
    if (ftr_compare(measured, rule->comparison, limit))
        return;
    t->failed++;
    ftr_print_error("%s: %s: %s is %s: fails because of '%s'", t->file, row->name,
                    ftr_figure_metric_name(rule->metric, name),
                    ftr_figure_value_text(rule->metric, measured, t->time_scale, text), rule->text);
}

/* Prints why a rule has no value: no generator matches, or those that match have no transaction, or
 * no value of the rule's attribute. */
static void explain_no_value(const tested *t, const measured_file *file, const ftr_near_name *near)
{
    const ftr_gate_rule *rule = t->rule;
    const bool has_accesses = ftr_run_has_accesses(&file->run);
    char renamed[FTR_ACCESS_NAME_SIZE];
    if (t->concerned > 0 && rule->attribute != NULL) {
        const char *name =
            has_accesses ? ftr_access_attribute(rule->attribute, strlen(rule->attribute)) : NULL;
        ftr_print_error(
            "%s: no transaction of '%s' has a value of the attribute '%s' (%s%s): fails "
            "because of '%s'",
            t->file, rule->pattern, rule->attribute,
            name != NULL          ? "an access has the attribute "
            : t->times[0] != '\0' ? "there are distributions of "
                                  : "there is no distribution of an attribute",
            name != NULL ? name : t->times, rule->text);
        return;
    }
    const bool is_renamed =
        t->concerned == 0 && has_accesses &&
        ftr_access_pattern(rule->pattern, ftr_gate_rule_is_latency(rule), renamed, sizeof renamed);
    const char *nearest = is_renamed ? renamed : t->concerned == 0 ? ftr_near_name_get(near) : NULL;
    ftr_print_error("%s: %s '%s'%s%s%s: count is 0: fails because of '%s'", t->file,
                    t->concerned > 0 ? "no transaction of" : "no generator matches", rule->pattern,
                    is_renamed        ? " (the trace has accesses instead of calls, write '"
                    : nearest != NULL ? " (did you mean '"
                                      : "",
                    nearest != NULL ? nearest : "",
                    is_renamed        ? "')"
                    : nearest != NULL ? "'?)"
                                      : "",
                    rule->text);
}

/* Tests the rule for each generator of a file that matches the pattern, and prints each failure
 * with the measured value to stderr. The metric `count` of a generator without transactions is 0.
 * The rule also fails if no generator of the file has a value for the metric: a test must not pass
 * because its generator is missing.
 * @param totals the figures of the file, settled
 * @return number of failures */
static unsigned test_rule(const ftr_gate_rule *rule, const measured_file *file,
                          ftr_run_totals *totals)
{
    tested t = {.rule = rule, .file = file->path, .time_scale = totals->time_scale};
    ftr_near_name near;
    ftr_near_name_init(&near, rule->pattern, strlen(rule->pattern));
    for (size_t i = 0; i < totals->row_count; i++) {
        ftr_near_name_offer(&near, totals->rows[i].name, totals->rows[i].name_size);
        if (ftr_glob_list_matches(rule->pattern, totals->rows[i].name, totals->rows[i].name_size))
            test_row(&t, &totals->rows[i]);
    }
    if (t.measured == 0)
        explain_no_value(&t, file, &near);
    return t.measured > 0 ? t.failed : t.failed + 1;
}

/* ---- the pass -------------------------------------------------------------------------------- */

static int read_files(const stats_options *options, measured_files *files)
{
    int worst = FTR_EXIT_OK;
    size_t held = 0;
    for (size_t i = 0; i < files->count; i++) {
        measured_file *file = &files->of[i];
        const ftr_measuring measuring = {.input = &options->input,
                                         .held = held,
                                         .choice = &options->choice,
                                         .attribute_sizes = &file->attributes,
                                         .is_reduced = true,
                                         .lacks_streams = !options->columns.by_stream,
                                         .parts = &files->parts,
                                         .parts_run = &file->parts};
        const int status = ftr_measure_run(file->path, &measuring, &file->run, &file->made);
        held += file->made ? ftr_run_record_memory(&file->run) : 0;
        worst = status > worst ? status : worst;
    }
    for (size_t i = 0; i < files->parts.generator_count; i++)
        if (files->parts.generators[i].has_others)
            ftr_print_error("--by '%s': %s has more than %u values; the others share one row",
                            files->parts.attribute, files->parts.generators[i].name,
                            FTR_VALUES_MAX);
    return worst;
}

/* Returns the finest time scale of the files that could be read. */
static int finest_scale(const measured_files *files)
{
    int scale = FTR_COARSEST_SCALE;
    for (size_t i = 0; i < files->count; i++)
        if (files->of[i].made && files->of[i].run.state < FTR_RUN_UNREADABLE &&
            files->of[i].run.time_scale < scale)
            scale = files->of[i].run.time_scale;
    return scale;
}

/* Prints the statistics of one file and tests them against the rules. @return number of tests that
 * failed; -1 on an error */
static int report_file(ftr_printer *out, const stats_options *options, const measured_files *files,
                       size_t number, int scale)
{
    measured_file *file = &files->of[number];
    ftr_run_totals totals = {.time_scale = scale};
    unsigned failed = 0;
    bool ok = files->count > 1 || options->columns.by_stream
                  ? ftr_figures_add_run(&totals, &file->run, file->path, options->columns.by_stream)
                  : ftr_figures_take_run(&totals, &file->run, file->path);
    ftr_run_totals_settle(&totals);
    if (ok && (files->count == 1 || options->format != FTR_ROWS_TEXT))
        ok = print_parted_table(out, options, files, number, 1, file->path, &totals,
                                &file->attributes);
    /* Rules are tested for generators, so the figures of the streams cannot be used. */
    if (options->columns.by_stream && options->rule_count > 0) {
        ftr_run_totals_release(&totals);
        totals.time_scale = scale;
        ok = ok && ftr_figures_add_run(&totals, &file->run, file->path, false);
        ftr_run_totals_settle(&totals);
    }
    for (size_t k = 0; ok && k < options->rule_count; k++)
        failed += test_rule(&options->rules[k].rule, file, &totals);
    ftr_run_totals_release(&totals);
    return ok ? (int)failed : -1;
}

static bool report_together(ftr_printer *out, const stats_options *options,
                            const measured_files *all, int scale)
{
    const measured_file *files = all->of;
    const size_t count = all->count;
    static ftr_attribute_sizes attributes;
    ftr_run_totals totals = {.time_scale = scale};
    bool ok = options->format != FTR_ROWS_TEXT || print_runs(out, files, count);
    for (size_t i = 0; ok && i < count; i++)
        if (files[i].made && files[i].run.state < FTR_RUN_UNREADABLE)
            ok = ftr_figures_add_run(&totals, &files[i].run, files[i].path,
                                     options->columns.by_stream) &&
                 ftr_attribute_sizes_merge(&attributes, &files[i].attributes);
    ftr_run_totals_settle(&totals);
    ok = ok && print_parted_table(out, options, all, 0, count, "together", &totals, &attributes);
    ftr_run_totals_release(&totals);
    ftr_attribute_sizes_release(&attributes);
    return ok;
}

static int report(ftr_printer *out, const stats_options *options, const measured_files *files,
                  int worst)
{
    const int scale = finest_scale(files);
    unsigned failed = 0;
    for (size_t k = 0; k < options->rule_count; k++)
        if (options->rules[k].is_failure)
            warn_of_fail_if(&options->rules[k].rule, scale);
    if (options->format == FTR_ROWS_CSV)
        ftr_figures_print_csv_titles(out, &options->columns);
    for (size_t i = 0; i < files->count; i++) {
        if (!files->of[i].made || files->of[i].run.state >= FTR_RUN_UNREADABLE)
            continue;
        const int outcome = report_file(out, options, files, i, scale);
        failed += outcome > 0 ? (unsigned)outcome : 0;
        worst = outcome < 0 ? FTR_EXIT_TROUBLE : worst;
    }
    if (files->count > 1 && !report_together(out, options, files, scale))
        worst = FTR_EXIT_TROUBLE;
    if (!ftr_stdout_finish(out))
        return FTR_EXIT_TROUBLE;
    return failed > 0 && worst == FTR_EXIT_OK ? FTR_EXIT_FOUND : worst;
}

static int measure(const stats_options *options, ftr_printer *out, char **paths, size_t count)
{
    measured_files files = {.of = calloc(count, sizeof *files.of),
                            .count = count,
                            .parts = {.attribute = options->columns.by}};
    if (files.of == NULL) {
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
        return FTR_EXIT_TROUBLE;
    }
    for (size_t i = 0; i < count; i++)
        files.of[i].path = paths[i];
    const int worst = read_files(options, &files);
    const int status = report(out, options, &files, worst);
    for (size_t i = 0; i < count; i++) {
        ftr_attribute_sizes_release(&files.of[i].attributes);
        ftr_run_record_release(&files.of[i].parts);
        if (files.of[i].made)
            ftr_run_record_release(&files.of[i].run);
    }
    ftr_value_parts_release(&files.parts);
    free(files.of);
    return status;
}

static int print_matrices(const stats_options *options, ftr_printer *out, char **paths,
                          size_t count)
{
    const ftr_matrix_output output = {&options->input, &options->choice, options->format,
                                      count > 1};
    int worst = FTR_EXIT_OK;
    if (options->format == FTR_ROWS_CSV)
        ftr_matrix_print_csv_titles(out);
    for (size_t i = 0; i < count; i++) {
        const int status = ftr_matrix_print(out, paths[i], &output);
        worst = status > worst ? status : worst;
    }
    return ftr_stdout_finish(out) ? worst : FTR_EXIT_TROUBLE;
}

static bool parse_option(void *taken, int option, const char *argument)
{
    stats_options *options = taken;
    switch (option) {
    case FTR_OPTION_MEMORY:
    case FTR_OPTION_TYPES:
    case 'j':
        return ftr_input_parse_option(&options->input, option, argument);
    case OPTION_CSV:
        options->format = FTR_ROWS_CSV;
        return true;
    case OPTION_SPREADSHEET:
        options->for_spreadsheet = true;
        return true;
    case OPTION_JSON:
        options->format = FTR_ROWS_JSON;
        return true;
    case OPTION_RULE:
    case OPTION_FAIL_IF:
        if (options->rule_count == RULES_MAX)
            return false;
        options->rules[options->rule_count].text = argument;
        options->rules[options->rule_count++].is_failure = option == OPTION_FAIL_IF;
        return true;
    case OPTION_PERCENTILES:
        return ftr_figure_columns_parse(argument, &options->columns);
    case OPTION_HISTOGRAM:
        options->histogram = true;
        return true;
    case OPTION_BY_STREAM:
        options->columns.by_stream = true;
        return true;
    case OPTION_PHASES:
        options->columns.times = true;
        return true;
    case OPTION_BY:
        options->columns.by = argument;
        return *argument != '\0';
    case OPTION_MATRIX:
        options->matrix = true;
        return true;
    default:
        return ftr_choice_parse_option(&options->choice, option, argument);
    }
}

static bool parse_rules(stats_options *options)
{
    bool ok = true;
    for (size_t k = 0; ok && k < options->rule_count; k++)
        ok = parse_rule(options->rules[k].text, options->rules[k].is_failure,
                        &options->rules[k].rule);
    return ok;
}

static const ftr_option_set OPTIONS = {&ftr_command_stats, ":hj:", LONG_OPTIONS, parse_option};

/* Returns the option that cannot be combined with --matrix; NULL if there is none. */
static const char *option_beside_matrix(const stats_options *options)
{
    return options->rule_count > 0                 ? "--rule"
           : options->columns.by != NULL           ? "--by"
           : options->columns.times                ? "--phases"
           : options->columns.by_stream            ? "--by-stream"
           : options->histogram                    ? "--histogram"
           : options->columns.percentile_count > 0 ? "--percentiles"
                                                   : NULL;
}

static int run(int argc, char **argv)
{
    static stats_options options;
    static ftr_printer out;
    options.input.spool = true;
    options.input.names_calls = true;
    int status;
    if (!ftr_parse_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    if (optind == argc)
        return ftr_misuse(&ftr_command_stats, "a file is expected");
    if (options.histogram && options.format != FTR_ROWS_TEXT)
        return ftr_misuse(&ftr_command_stats, "--histogram is for text, not for --csv or --json");
    if (options.for_spreadsheet && options.format != FTR_ROWS_CSV)
        return ftr_misuse(&ftr_command_stats, "--spreadsheet is for --csv");
    if (options.columns.by != NULL && options.columns.by_stream)
        return ftr_misuse(&ftr_command_stats, "--by divides generators: it excludes --by-stream");
    if (options.matrix && option_beside_matrix(&options) != NULL)
        return ftr_misuse(&ftr_command_stats, "--matrix excludes %s",
                          option_beside_matrix(&options));
    status = FTR_EXIT_TROUBLE;
    ftr_printer_init(&out, STDOUT_FILENO);
    out.for_spreadsheet = options.for_spreadsheet;
    if (options.matrix)
        return print_matrices(&options, &out, argv + optind, (size_t)(argc - optind));
    if (parse_rules(&options))
        status = measure(&options, &out, argv + optind, (size_t)(argc - optind));
    for (size_t k = 0; k < options.rule_count; k++)
        ftr_gate_rule_release(&options.rules[k].rule);
    return status;
}

const ftr_command ftr_command_stats = {
    "stats",
    "measures latency, throughput and more for each generator",
    run,
    "[OPTION]... FILE...",
    "  --csv                   comma-separated, times in ticks of 10^time_scale seconds\n"
    "  --spreadsheet           with --csv: put ' before a name that a spreadsheet could take for "
    "a\n"
    "                          formula; default: the exact name\n"
    "  --json                  print one JSON object per file, times in ticks\n"
    "  --percentiles LIST      percentiles of the latencies, as 50,95,99.9; default 50,90,99\n"
    "  --histogram             print the latencies of each row as bars, on a logarithmic axis\n"
    "  --by-stream             print one row per stream instead of one row per generator\n"
    "  --phases                below each generator, print a row for each of its attributes of\n"
    "                          type TIME: request_time, response_time\n"
    "  --by ATTRIBUTE          below each generator, print a row for each value of the attribute\n"
    "  --matrix                print the TLM accesses of each initiator to each target instead\n"
    "  --rule RULE             exit with status 1 if a generator violates the rule:\n"
    "                          'top.cpu.* p99 <= 200 ns'; a pattern for stream.generator, and a\n"
    "                          limit of count min mean p50 p99.9 max outstanding errors\n"
    "                          unfinished bytes throughput bandwidth busy, or of an attribute:\n"
    "                          'top.dma.* request_time max <= 20 ns'; repeatable.\n"
    "                          A file without a transaction to measure also fails\n"
    "  --fail-if CONDITION     the contrary of a rule: 'top.cpu.*: p99 > 200 ns' (until "
    "0.3)\n" FTR_CHOICE_OPTIONS_TEXT FTR_INPUT_OPTIONS_TEXT FTR_THREADS_OPTION_TEXT
    "With several files, the text has one row per file and one table for all files. The streams "
    "ftr.* are\n"
    "not measured unless a pattern of --stream that begins with ftr. chooses them. Percentiles "
    "are\n"
    "exact up to 65536 different latencies of a generator, else within 0.1 %.\n",
};
