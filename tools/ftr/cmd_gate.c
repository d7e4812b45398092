/* ftr gate: judges the runs of a summary by rules and by comparison with earlier summaries. */
#include "command.h"
#include "gate.h"
#include "output_file.h"
#include "run_inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct gate_arguments {
    ftr_gate_files files;
    const char **baselines; /* `files` refers to them */
    const char *junit;
    bool json;
} gate_arguments;

enum {
    OPTION_BASELINE = 0x100,
    OPTION_JUNIT,
    OPTION_JSON,
    OPTION_EFFECT,
    OPTION_COUNT_EFFECT,
    OPTION_KEY,
    OPTION_EXPECT,
    OPTION_RATE,
    OPTION_HISTORY,
    OPTION_LAST
};

static const struct option LONG_OPTIONS[] = {
    {"baseline", required_argument, NULL, OPTION_BASELINE},
    {"junit", required_argument, NULL, OPTION_JUNIT},
    {"json", no_argument, NULL, OPTION_JSON},
    {"effect", required_argument, NULL, OPTION_EFFECT},
    {"count-effect", required_argument, NULL, OPTION_COUNT_EFFECT},
    {"key", required_argument, NULL, OPTION_KEY},
    {"expect", required_argument, NULL, OPTION_EXPECT},
    {"rate", required_argument, NULL, OPTION_RATE},
    {"history", required_argument, NULL, OPTION_HISTORY},
    {"last", required_argument, NULL, OPTION_LAST},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

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
    static ftr_printer out;
    ftr_output_file output;
    const size_t count = arguments->files.baseline_count;
    char **paths = malloc((count + 3) * sizeof *paths);
    if (paths == NULL) {
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
        return false;
    }
    paths[0] = (char *)arguments->files.rules;
    paths[1] = (char *)arguments->files.summary;
    for (size_t i = 0; i < count; i++)
        paths[2 + i] = (char *)arguments->baselines[i];
    const bool has_history = arguments->files.history != NULL;
    paths[2 + count] = (char *)arguments->files.history;
    const ftr_input_paths inputs = {paths, count + 2 + has_history, NULL};
    const bool is_open = ftr_output_create(&output, arguments->junit, false, false, &inputs);
    free(paths);
    if (!is_open)
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

static int report(void *user, const ftr_gate *gate)
{
    const gate_arguments *arguments = user;
    static ftr_printer out;
    bool ok = arguments->junit == NULL || write_junit(arguments, gate);
    const bool to_stdout = arguments->junit != NULL && strcmp(arguments->junit, "-") == 0;
    ftr_printer_init(&out, to_stdout ? STDERR_FILENO : STDOUT_FILENO);
    if (arguments->json)
        ftr_gate_print_json(&out, gate);
    else
        ftr_gate_print_text(&out, gate);
    ok &= ftr_stdout_finish(&out);
    if (!ok)
        return FTR_EXIT_TROUBLE;
    return ftr_gate_failed(gate) > 0 ? FTR_EXIT_FOUND : FTR_EXIT_OK;
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
        arguments->baselines[arguments->files.baseline_count++] = argument;
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
        arguments->files.options.effect = value;
        return true;
    case OPTION_COUNT_EFFECT:
        if (!parse_real(argument, 1e15, &value))
            return false;
        arguments->files.options.count_effect = value;
        return true;
    case OPTION_KEY:
        arguments->files.key = argument;
        return argument[0] != '\0';
    case OPTION_EXPECT:
        arguments->files.expected = argument;
        return true;
    case OPTION_HISTORY:
        arguments->files.history = argument;
        return true;
    case OPTION_LAST:
        if (!parse_real(argument, 1e6, &value) || value < 1 || value != (double)(size_t)value)
            return false;
        arguments->files.last = (size_t)value;
        return true;
    default:
        return parse_real(argument, 1, &arguments->files.options.rate);
    }
}

static const ftr_option_set OPTIONS = {&ftr_command_gate, ":h", LONG_OPTIONS, parse_option};

static int judge(int argc, char **argv, gate_arguments *arguments)
{
    int status;
    if (!ftr_parse_options(&OPTIONS, argc, argv, arguments, &status))
        return status;
    if (argc - optind != 2)
        return ftr_misuse(&ftr_command_gate, "a file of rules and a summary are expected");
    arguments->files.rules = argv[optind];
    arguments->files.summary = argv[optind + 1];
    arguments->files.baselines = arguments->baselines;
    return ftr_gate_judge_files(&arguments->files, report, arguments);
}

static int run(int argc, char **argv)
{
    gate_arguments arguments = {
        .files = {.options = FTR_NIGHT_OPTIONS_DEFAULT, .last = FTR_GATE_LAST_DEFAULT},
        .baselines = calloc((size_t)argc, sizeof(char *))};
    if (arguments.baselines == NULL) {
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
        return FTR_EXIT_TROUBLE;
    }
    const int status = judge(argc, argv, &arguments);
    free(arguments.baselines);
    return status;
}

const ftr_command ftr_command_gate = {
    "gate",
    "tests the runs of a summary against rules and earlier summaries",
    run,
    "[OPTION]... RULES SUMMARY",
    "  --baseline SUMMARY      compare with the runs of an earlier night; once for each night,\n"
    "                          the last night at the end\n"
    "  --history FILE          compare with the last nights of a history (ftr history) before "
    "this\n"
    "                          night\n"
    "  --last NUMBER           with --history: greatest number of nights; default 7\n"
    "  --junit FILE            write JUnit XML as well: one suite per rule\n"
    "  --json                  print one JSON object instead of text\n"
    "  --expect NUMBER|FILE    fail if there are fewer runs, or if a run or test that a line of "
    "the\n"
    "                          file names is absent\n"
    "  --key TAG,...           name the test of a run by the values of its tags (FTR_TAGS)\n"
    "  --effect PERCENT        smallest difference of times and rates from the baseline that can\n"
    "                          fail; default 1\n"
    "  --count-effect NUMBER   smallest difference of counts that can fail; default 1\n"
    "  --rate NUMBER           expected part of the failed comparisons that is chance (false\n"
    "                          discovery rate); default 0.005\n"
    "A rule is a line: a pattern for stream.generator, a metric, an operator and a limit:\n"
    "  bus.out*   p99 <= 500 ns                  # a comment\n"
    "  bus.*      p99 <= baseline + 5 %\n"
    "  dma.*      request_time max <= 20 ns       # an attribute of type TIME\n"
    "  cpu.*      count >= 1 in every run\n"
    "  *          losses == 0\n"
    "  sql long:  SELECT run, last_time_s FROM run WHERE last_time_s > 0.01\n"
    "Metrics: count, errors, unfinished, bytes, outstanding, throughput, bandwidth, busy, min,\n"
    "mean, max, p50 and other percentiles; of runs: losses, exit_status. Units are required:\n"
    "s ms us ns ps fs, B kB MB GB, tx/s ktx/s Mtx/s, B/s kB/s MB/s GB/s, %. A rule without a\n"
    "match fails, and so does a run that is absent, torn or not closed, or that lacks a stream\n"
    "of the baseline. A query (sql NAME: SELECT ...) over the tables of ftr sql fails for each "
    "row\n"
    "that it returns; lines that begin with a blank continue it.\n",
};
