/* ftr gate: judges the runs of a summary by rules, and by an earlier summary. */
#include "command.h"
#include "gate_report.h"
#include "output_file.h"
#include "summary_view.h"
#include "whole_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RULES_SIZE_MAX ((size_t)16 << 20)
#define COARSEST_SCALE 127

typedef struct gate_arguments {
    const char *rules, *summary, *baseline, *junit;
    bool json;
    ftr_gate_options options;
} gate_arguments;

enum { OPTION_BASELINE = 0x100, OPTION_JUNIT, OPTION_JSON, OPTION_EFFECT, OPTION_ALPHA };

static const struct option LONG_OPTIONS[] = {
    {"baseline", required_argument, NULL, OPTION_BASELINE},
    {"junit", required_argument, NULL, OPTION_JUNIT},
    {"json", no_argument, NULL, OPTION_JSON},
    {"effect", required_argument, NULL, OPTION_EFFECT},
    {"alpha", required_argument, NULL, OPTION_ALPHA},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* ---- summaries ------------------------------------------------------------------------------- */

/* A summary that is read more than once. */
typedef struct run_set {
    ftr_summary_index *index;
    size_t count;
    int time_scale;
    char *folder; /* common directory prefix of all files of runs */
    size_t folder_size;
} run_set;

static void close_runs(run_set *of)
{
    ftr_summary_index_destroy(of->index);
    free(of->folder);
    *of = (run_set){0};
}

/* Shortens the shared directories to those of @p file. */
static bool share_folder(run_set *of, const char *file)
{
    if (of->folder == NULL) {
        const char *slash = strrchr(file, '/');
        of->folder_size = slash != NULL ? (size_t)(slash - file) + 1 : 0;
        of->folder = strndup(file, of->folder_size);
        return of->folder != NULL;
    }
    size_t same = 0;
    while (same < of->folder_size && file[same] == of->folder[same])
        same++;
    while (same > 0 && of->folder[same - 1] != '/')
        same--;
    of->folder_size = same;
    return true;
}

static bool open_runs(run_set *of, const char *path)
{
    ftr_summary_problem problem = {.message = ""};
    *of = (run_set){.time_scale = COARSEST_SCALE};
    errno = 0;
    ftr_status status = ftr_summary_index_create(&of->index);
    if (status == FTR_OK)
        status = ftr_summary_index_add_file(of->index, path, &problem);
    if (status != FTR_OK) {
        if (status == FTR_ERR_FORMAT)
            ftr_print_error("%s: byte %" PRIu64 ": %s", path, problem.offset, problem.message);
        else
            ftr_print_error("%s: %s", path,
                            status == FTR_ERR_IO ? strerror(errno) : ftr_status_text(status));
        return false;
    }
    of->count = ftr_summary_index_settle(of->index);
    for (size_t i = 0; i < of->count; i++) {
        ftr_run_record run;
        if (!ftr_summary_read_run(of->index, i, &run))
            return false;
        if (run.state == FTR_RUN_SOUND && run.time_scale < of->time_scale)
            of->time_scale = run.time_scale;
        const bool ok = share_folder(of, run.file.bytes);
        ftr_run_record_release(&run);
        if (!ok) {
            ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
            return false;
        }
    }
    return true;
}

typedef ftr_status take_run(void *user, const ftr_run_record *run, const char *name);

/* Gives all runs to a function, with the names of their files without the shared directories. */
static bool for_each_run(run_set *of, const char *path, take_run *take, void *user)
{
    for (size_t i = 0; i < of->count; i++) {
        ftr_run_record run;
        if (!ftr_summary_read_run(of->index, i, &run))
            return false;
        const ftr_status status = take(user, &run, run.file.bytes + of->folder_size);
        if (status != FTR_OK)
            ftr_print_error("%s: %s: %s", path, run.file.bytes, ftr_status_text(status));
        ftr_run_record_release(&run);
        if (status != FTR_OK)
            return false;
    }
    return true;
}

static ftr_status add_to_baseline(void *user, const ftr_run_record *run, const char *name)
{
    return ftr_gate_baseline_add(user, run, name);
}

static ftr_status judge_run(void *user, const ftr_run_record *run, const char *name)
{
    return ftr_gate_judge(user, run, name);
}

/* ---- rules ----------------------------------------------------------------------------------- */

static bool read_rules(const char *path, ftr_gate_rules *rules)
{
    size_t size;
    ftr_gate_syntax_error error;
    char *text = ftr_read_whole_file(path, RULES_SIZE_MAX, &size);
    if (text == NULL) {
        ftr_print_error("%s: %s", path, errno == EFBIG ? "larger than 16 MiB" : strerror(errno));
        return false;
    }
    const ftr_status status = ftr_gate_rules_parse(text, size, rules, &error);
    if (status == FTR_ERR_FORMAT)
        ftr_print_error("%s:%u:%u: %s", path, error.line, error.column, error.message);
    else if (status != FTR_OK)
        ftr_print_error("%s: %s", path, ftr_status_text(status));
    free(text);
    if (status != FTR_OK)
        ftr_gate_rules_release(rules);
    return status == FTR_OK;
}

/* ---- reports --------------------------------------------------------------------------------- */

static bool write_to_file(void *user, const char *bytes, size_t size)
{
    while (size > 0) {
        const int64_t written = ftr_atomic_file_write(user, bytes, size);
        if (written < 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

static bool write_junit(const gate_arguments *arguments, const ftr_gate *gate)
{
    char *paths[] = {(char *)arguments->rules, (char *)arguments->summary,
                     (char *)arguments->baseline};
    const ftr_input_paths inputs = {paths, arguments->baseline != NULL ? 3 : 2, NULL};
    static ftr_printer out;
    ftr_output_file output;
    if (!ftr_output_create(&output, arguments->junit, false, false, &inputs))
        return false;
    ftr_printer_init(&out, -1);
    out.take = write_to_file;
    out.user = &output.file;
    ftr_gate_print_junit(&out, gate);
    const bool ok = ftr_printer_flush(&out);
    if (!ok)
        ftr_print_error("%s: %s", output.path, strerror(output.file.system_error));
    return ftr_output_finish(&output, ok);
}

static int report(const gate_arguments *arguments, const ftr_gate *gate)
{
    static ftr_printer out;
    bool ok = arguments->junit == NULL || write_junit(arguments, gate);
    const bool to_stdout = arguments->junit != NULL && strcmp(arguments->junit, "-") == 0;
    ftr_printer_init(&out, to_stdout ? STDERR_FILENO : STDOUT_FILENO);
    if (arguments->json)
        ftr_gate_print_json(&out, gate);
    else
        ftr_gate_print_text(&out, gate);
    if (!ftr_printer_flush(&out)) {
        ftr_print_error("stdout could not be written");
        ok = false;
    }
    if (!ok)
        return FTR_EXIT_TROUBLE;
    return ftr_gate_failed(gate) > 0 ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}

static int judge(const gate_arguments *arguments, const ftr_gate_rules *rules,
                 ftr_gate_baseline *baseline)
{
    run_set judged;
    ftr_gate *gate = NULL;
    bool ok = open_runs(&judged, arguments->summary);
    ftr_status status = FTR_OK;
    if (ok) {
        status = ftr_gate_create(rules, baseline, &arguments->options, &gate);
        ok = status == FTR_OK && for_each_run(&judged, arguments->summary, judge_run, gate);
    }
    if (ok)
        status = ftr_gate_finish(gate);
    if (status != FTR_OK)
        ftr_print_error("%s", ftr_status_text(status));
    const int result = ok && status == FTR_OK ? report(arguments, gate) : FTR_EXIT_TROUBLE;
    ftr_gate_destroy(gate);
    close_runs(&judged);
    return result;
}

static int run_gate(const gate_arguments *arguments)
{
    ftr_gate_rules rules;
    if (!read_rules(arguments->rules, &rules))
        return FTR_EXIT_TROUBLE;
    int result = FTR_EXIT_TROUBLE;
    if (arguments->baseline == NULL) {
        result = judge(arguments, &rules, NULL);
    } else {
        run_set earlier;
        ftr_gate_baseline baseline;
        if (open_runs(&earlier, arguments->baseline)) {
            ftr_gate_baseline_init(&baseline, &rules, earlier.time_scale);
            if (for_each_run(&earlier, arguments->baseline, add_to_baseline, &baseline))
                result = judge(arguments, &rules, &baseline);
            ftr_gate_baseline_release(&baseline);
        }
        close_runs(&earlier);
    }
    ftr_gate_rules_release(&rules);
    return result;
}

/* ---- options --------------------------------------------------------------------------------- */

static bool parse_real(const char *argument, double greatest, double *value)
{
    char *end;
    *value = strtod(argument, &end);
    return end != argument && *end == '\0' && *value >= 0 && *value <= greatest;
}

static bool parse_option(void *taken, int option, const char *argument)
{
    gate_arguments *arguments = taken;
    double value;
    switch (option) {
    case OPTION_BASELINE:
        arguments->baseline = argument;
        return true;
    case OPTION_JUNIT:
        arguments->junit = argument;
        return true;
    case OPTION_JSON:
        arguments->json = true;
        return true;
    case OPTION_EFFECT:
        if (!parse_real(argument, 1e6, &value))
            return false;
        arguments->options.effect = value;
        return true;
    default:
        return parse_real(argument, 1, &arguments->options.alpha);
    }
}

static const ftr_option_set OPTIONS = {&ftr_command_gate, ":h", LONG_OPTIONS, parse_option};

static int run(int argc, char **argv)
{
    gate_arguments arguments = {.options = {.effect = 1, .alpha = 0.001}};
    int status;
    if (!ftr_parse_options(&OPTIONS, argc, argv, &arguments, &status))
        return status;
    if (argc - optind != 2)
        return ftr_misuse(&ftr_command_gate, "a file of rules and a summary are expected");
    arguments.rules = argv[optind];
    arguments.summary = argv[optind + 1];
    return run_gate(&arguments);
}

const ftr_command ftr_command_gate = {
    "gate",
    "tests the runs of a summary against rules and an earlier summary",
    run,
    "[OPTION]... RULES SUMMARY",
    "  --baseline SUMMARY      compare with the runs of an earlier summary\n"
    "  --junit FILE            write JUnit XML as well: one suite per rule, one case per run\n"
    "  --json                  print one JSON object instead of text\n"
    "  --effect PERCENT        smallest difference from the baseline that can fail; default 1\n"
    "  --alpha NUMBER          greatest probability that a difference from the baseline is\n"
    "                          chance; default 0.001\n"
    "A rule is a line: a pattern for stream.generator, a metric, an operator and a limit:\n"
    "  bus.*_bl.* p99 <= 500 ns                  # a comment\n"
    "  bus.*      p99 <= baseline + 5 %\n"
    "  cpu.*      count >= 1 in every run\n"
    "  *          losses == 0\n"
    "Metrics: count, errors, unfinished, bytes, outstanding, throughput, bandwidth, busy, min,\n"
    "mean, max, p50 and other percentiles; of runs: losses, exit_status. Units are required:\n"
    "s ms us ns ps fs, B kB MB GB, tx/s ktx/s Mtx/s, B/s kB/s MB/s GB/s, %. A rule without a\n"
    "match fails, and so does a run that is absent, torn or not closed, or that lacks a stream\n"
    "of the baseline.\n",
};
