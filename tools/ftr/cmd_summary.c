/* ftr summary: writes the statistics of runs to files that can be merged, and prints them. */
#include "command.h"
#include "figure_table.h"
#include "output_file.h"
#include "plain_message.h"
#include "run_inputs.h"
#include "whole_file.h"
#include "work_queue.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOBS_MAX 256
#define TOP_DEFAULT 20

typedef struct summary_options {
    ftr_input_options input;
    ftr_choice choice;
    const char *output, *files_from;
    bool merge, strict, shown;
    ftr_summary_view view;
    size_t jobs;
} summary_options;

enum {
    OPTION_CSV = FTR_OPTION_OWN,
    OPTION_SPREADSHEET,
    OPTION_JSON,
    OPTION_TABLE,
    OPTION_MERGE,
    OPTION_STRICT,
    OPTION_PERCENTILES,
    OPTION_BY_STREAM,
    OPTION_TOP,
    OPTION_FILES_FROM
};

static const struct option LONG_OPTIONS[] = {
    FTR_INPUT_LONG_OPTIONS,
    FTR_CHOICE_LONG_OPTIONS,
    {"output", required_argument, NULL, 'o'},
    {"merge", no_argument, NULL, OPTION_MERGE},
    {"strict", no_argument, NULL, OPTION_STRICT},
    {"table", no_argument, NULL, OPTION_TABLE},
    {"csv", no_argument, NULL, OPTION_CSV},
    {"spreadsheet", no_argument, NULL, OPTION_SPREADSHEET},
    {"json", no_argument, NULL, OPTION_JSON},
    {"percentiles", required_argument, NULL, OPTION_PERCENTILES},
    {"by-stream", no_argument, NULL, OPTION_BY_STREAM},
    {"top", required_argument, NULL, OPTION_TOP},
    {"jobs", required_argument, NULL, 'j'},
    {"files-from", required_argument, NULL, OPTION_FILES_FROM},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* ---- names of files, from the command line and from a file ----------------------------------- */

typedef struct path_list {
    char **paths;
    size_t count;
    char *text; /* content of the file; the names from the file point into this text */
} path_list;

/* Ends each name in the text with NUL, and drops empty names. */
static void split(path_list *list, size_t size)
{
    const char end = memchr(list->text, '\0', size) != NULL ? '\0' : '\n';
    for (char *name = list->text, *last = list->text + size; name < last;) {
        char *stop = memchr(name, end, (size_t)(last - name));
        if (stop == NULL)
            stop = last;
        *stop = '\0';
        if (stop > name)
            list->paths[list->count++] = name;
        name = stop + 1;
    }
}

/* @return an upper bound of the number of names */
static size_t count_ends(const char *text, size_t size)
{
    size_t names = 1;
    for (size_t i = 0; i < size; i++)
        names += text[i] == '\0' || text[i] == '\n';
    return names;
}

static void close_paths(path_list *list)
{
    free(list->paths);
    free(list->text);
    *list = (path_list){0};
}

/* Fills @p list with @p count names of the command line, which are borrowed, and the names in
 * @p file (NULL: none; "-": stdin). The names in the file end with NUL bytes if it contains a NUL
 * byte, otherwise with newlines. Prints a message on failure.
 * @return false if the file cannot be read or memory is exhausted; @p list is then released */
static bool open_paths(path_list *list, char *const *paths, size_t count, const char *file)
{
    size_t size = 0;
    *list = (path_list){0};
    if (file != NULL) {
        errno = 0;
        list->text = ftr_read_whole_file(file, SIZE_MAX, &size);
        if (list->text == NULL) {
            ftr_print_error("%s: %s", file, strerror(errno));
            return false;
        }
    }
    const size_t most = count + (file != NULL ? count_ends(list->text, size) : 0);
    list->paths = calloc(most > 0 ? most : 1, sizeof *list->paths);
    if (list->paths == NULL) {
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
        close_paths(list);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        list->paths[list->count++] = paths[i];
    if (file != NULL)
        split(list, size);
    return true;
}

/* A thread, and the runs that the thread has read. */
typedef struct worker {
    ftr_summary_index *index;
    int worst;
} worker;

typedef struct work {
    const summary_options *options;
    char *const *paths;
    unsigned threads; /* number of threads that read one trace */
    size_t memory;    /* limit for one trace */
    worker *workers;
} work;

/* ---- reading --------------------------------------------------------------------------------- */

/* Adds the run of a trace. A file that cannot be read is also added as a run, with its state; the
 * exit status is then FTR_EXIT_FOUND. */
static int add_trace(ftr_summary_index *index, const char *path, const work *shared)
{
    ftr_input_options input = shared->options->input;
    const ftr_measuring measuring = {
        .input = &input, .choice = &shared->options->choice, .index = index};
    input.threads = shared->threads;
    input.memory = shared->memory;
    return ftr_measure_into(path, &measuring);
}

/* Adds the runs of a summary. */
static int add_summary(ftr_summary_index *index, const char *path, bool is_strict)
{
    if (!is_strict)
        return ftr_summary_input_add(index, path);
    return ftr_summary_input_add_file(index, path) ? FTR_EXIT_OK : FTR_EXIT_TROUBLE;
}

static void read_file(void *user, unsigned thread, size_t piece)
{
    const work *shared = user;
    worker *self = &shared->workers[thread];
    const char *path = shared->paths[piece];
    const int status = shared->options->merge || ftr_is_summary(path)
                           ? add_summary(self->index, path, shared->options->strict)
                           : add_trace(self->index, path, shared);
    self->worst = status > self->worst ? status : self->worst;
}

/* Adds the runs of all workers to the index of the first worker. */
static int join(worker *workers, size_t count)
{
    int worst = workers[0].worst;
    for (size_t i = 1; i < count; i++) {
        worst = workers[i].worst > worst ? workers[i].worst : worst;
        if (ftr_summary_index_move(workers[0].index, workers[i].index) != FTR_OK) {
            ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
            worst = FTR_EXIT_TROUBLE;
        }
    }
    return worst;
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool write_file(ftr_summary_index *index, size_t count, const summary_options *options,
                       const ftr_input_paths *inputs)
{
    ftr_output_file output;
    if (!ftr_output_create(&output, options->output, false, true, inputs))
        return false;
    errno = 0;
    const ftr_status status = ftr_summary_index_write(index, ftr_atomic_file_write, &output.file);
    if (status != FTR_OK)
        ftr_print_error("%s: %s", output.path,
                        status == FTR_ERR_IO ? strerror(errno) : ftr_status_text(status));
    if (!ftr_output_finish(&output, status == FTR_OK))
        return false;
    ftr_print_message(ftr_output_messages(options->output), "", "%s: %zu run%s", output.path, count,
                      count == 1 ? "" : "s");
    return true;
}

static int finish(ftr_summary_index *index, const summary_options *options,
                  const ftr_input_paths *inputs, int worst)
{
    const size_t count = ftr_summary_index_settle(index);
    /* No file is written, because a summary cannot show that some of the requested runs are
     * missing. */
    if (worst == FTR_EXIT_TROUBLE)
        return worst;
    if (options->output != NULL && !write_file(index, count, options, inputs))
        return FTR_EXIT_TROUBLE;
    if (options->shown && !ftr_summary_print(index, count, &options->view))
        return FTR_EXIT_TROUBLE;
    return worst;
}

static int summarize(const summary_options *options, char **paths, size_t count)
{
    const ftr_input_paths inputs = {paths, count, NULL};
    work shared = {.options = options, .paths = paths};
    size_t jobs = options->jobs > 0 ? options->jobs : ftr_input_threads(&options->input);
    jobs = jobs < 1 ? 1 : jobs < JOBS_MAX ? jobs : JOBS_MAX;
    shared.threads = count < jobs ? (unsigned)(jobs / count) : 1;
    /* One thread is sufficient for merging, because merging reads little of each file. */
    jobs = options->merge ? 1 : jobs < count ? jobs : count;
    shared.memory = (options->input.memory > 0 ? options->input.memory : FTR_INPUT_MEMORY) / jobs;
    worker *workers = shared.workers = calloc(jobs, sizeof *workers);
    bool ok = workers != NULL;
    int status = FTR_EXIT_TROUBLE;
    for (size_t i = 0; ok && i < jobs; i++)
        ok = ftr_summary_index_create(&workers[i].index) == FTR_OK;
    if (ok) {
        ftr_parallel_for(count, (unsigned)jobs, read_file, &shared);
        status = finish(workers[0].index, options, &inputs, join(workers, jobs));
    } else {
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
    }
    for (size_t i = 0; workers != NULL && i < jobs; i++)
        ftr_summary_index_destroy(workers[i].index);
    free(workers);
    return status;
}

/* ---- options --------------------------------------------------------------------------------- */

static bool parse_number(const char *argument, size_t *number)
{
    char *end;
    errno = 0;
    const unsigned long value = strtoul(argument, &end, 10);
    if (end == argument || *end != '\0' || *argument == '-' || errno != 0)
        return false;
    *number = value;
    return true;
}

static bool select_view(summary_options *options, ftr_row_format format)
{
    options->shown = true;
    options->view.format = format;
    return true;
}

static bool parse_option(void *taken, int option, const char *argument)
{
    summary_options *options = taken;
    switch (option) {
    case FTR_OPTION_MEMORY:
    case FTR_OPTION_TYPES:
        return ftr_input_parse_option(&options->input, option, argument);
    case 'o':
        options->output = argument;
        return true;
    case OPTION_MERGE:
        options->merge = true;
        return true;
    case OPTION_STRICT:
        options->strict = true;
        return true;
    case OPTION_TABLE:
        return select_view(options, FTR_ROWS_TEXT);
    case OPTION_CSV:
        return select_view(options, FTR_ROWS_CSV);
    case OPTION_SPREADSHEET:
        options->view.for_spreadsheet = true;
        return true;
    case OPTION_JSON:
        return select_view(options, FTR_ROWS_JSON);
    case OPTION_PERCENTILES:
        return ftr_figure_columns_parse(argument, &options->view.columns);
    case OPTION_BY_STREAM:
        options->view.columns.by_stream = true;
        return true;
    case OPTION_TOP:
        return parse_number(argument, &options->view.top);
    case 'j':
        return parse_number(argument, &options->jobs);
    case OPTION_FILES_FROM:
        options->files_from = argument;
        return true;
    default:
        return ftr_choice_parse_option(&options->choice, option, argument);
    }
}

/* With --merge, an operand `-` stands for `--files-from -`. Removes this operand from the @p count
 * operands. @return false after a message about wrong usage */
static bool take_stdin_operand(summary_options *options, char **operands, int *count)
{
    int kept = 0;
    for (int i = 0; i < *count; i++) {
        if (!options->merge || strcmp(operands[i], "-") != 0) {
            operands[kept++] = operands[i];
            continue;
        }
        if (options->files_from != NULL) {
            (void)ftr_misuse(&ftr_command_summary, "'-' and --files-from are both lists of names");
            return false;
        }
        options->files_from = "-";
    }
    *count = kept;
    return true;
}

static const ftr_option_set OPTIONS = {&ftr_command_summary, ":ho:j:", LONG_OPTIONS, parse_option};

static int run(int argc, char **argv)
{
    static summary_options options;
    options.input.spool = true;
    options.view.top = TOP_DEFAULT;
    options.view.columns.slowest = true;
    int status;
    if (!ftr_parse_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    int count = argc - optind;
    if (!take_stdin_operand(&options, argv + optind, &count))
        return FTR_EXIT_TROUBLE;
    if (count == 0 && options.files_from == NULL)
        return ftr_misuse(&ftr_command_summary, "a file is expected");
    if (options.output == NULL && !options.shown)
        return ftr_misuse(&ftr_command_summary, "one of -o, --table, --csv and --json is expected");
    if (options.view.for_spreadsheet && (!options.shown || options.view.format != FTR_ROWS_CSV))
        return ftr_misuse(&ftr_command_summary, "--spreadsheet is for --csv");
    if (options.shown && options.output != NULL && strcmp(options.output, "-") == 0)
        return ftr_misuse(&ftr_command_summary, "a table and '-o -' both need the standard output");
    path_list list;
    if (!open_paths(&list, argv + optind, (size_t)count, options.files_from))
        return FTR_EXIT_TROUBLE;
    if (list.count == 0) {
        ftr_print_error("%s: the list has no names", options.files_from);
        status = FTR_EXIT_TROUBLE;
    } else {
        status = summarize(&options, list.paths, list.count);
    }
    close_paths(&list);
    return status;
}

const ftr_command ftr_command_summary = {
    "summary",
    "writes the statistics of many runs to a small file, and prints them",
    run,
    "[OPTION]... FILE...",
    "  -o, --output FILE       write the figures of all runs to this file, usually *.fts\n"
    "  --merge                 accept summaries only; a trace is an error. A FILE - stands for\n"
    "                          --files-from -\n"
    "  --strict                end without output if a summary cannot be read\n"
    "  --table                 print the runs, slowest first, and all of them together\n"
    "  --csv                   print comma-separated lines, times in ticks\n"
    "  --spreadsheet           with --csv: put ' before a name that a spreadsheet could take for "
    "a\n"
    "                          formula; default: the exact name\n"
    "  --json                  print one JSON object per run with all its figures, and one for\n"
    "                          all runs together\n"
    "  --percentiles LIST      percentiles of the latencies, as 50,95,99.9; default 50,90,99\n"
    "  --by-stream             print one row per stream instead of one row per generator\n"
    "  --top COUNT             number of runs that --table lists, 0 for all; default 20\n"
    "  -j, --jobs COUNT        number of threads that read, each another trace if there are\n"
    "                          several; default: the number of processors\n"
    "  --files-from LIST       read names of files from LIST (-: stdin); each name ends with a\n"
    "                          newline, or with NUL if LIST contains NUL\n" FTR_CHOICE_OPTIONS_TEXT
        FTR_INPUT_OPTIONS_TEXT
    "A FILE is a trace or a summary. A run that is in several files is counted once, with its "
    "most\n"
    "complete record. Summaries can be merged in any order and grouping: the result has the same\n"
    "bytes. The summary of a killed run is completed from its journal. A FILE that cannot be read\n"
    "becomes a run with the state torn, unreadable or absent, and the exit status is 1.\n",
};
