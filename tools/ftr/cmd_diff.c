/* ftr diff: differences between two traces, or between the traces with the same names in two
 * directories. */
#include "command.h"

#include "diff_report.h"
#include "json_writer.h"
#include "name_warnings.h"
#include "selection_options.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIDES 2
#define RENAMINGS_MAX 64
/* Memory of each of the two readers in bytes. With this limit, the command needs less than 256 MiB,
 * including the transactions that wait for a partner. */
#define READER_MEMORY ((size_t)48 << 20)

typedef struct diff_options {
    ftr_input_options input;
    ftr_choice choice;
    ftr_patterns ignored, only, key;
    ftr_stream_renaming renamings[RENAMINGS_MAX];
    size_t renaming_count;
    ftr_diff_times times;
    ftr_time_value tolerance;
    const char *where;
    bool quiet, json, all, summary;
} diff_options;

enum {
    OPTION_TIME = FTR_OPTION_OWN,
    OPTION_TOLERANCE,
    OPTION_IGNORE,
    OPTION_ONLY,
    OPTION_KEY,
    OPTION_WHERE,
    OPTION_MAP,
    OPTION_ALL,
    OPTION_SUMMARY,
    OPTION_JSON
};

static const struct option LONG_OPTIONS[] = {
    FTR_INPUT_LONG_OPTIONS,
    FTR_THREADS_LONG_OPTION,
    FTR_CHOICE_LONG_OPTIONS,
    {"time", required_argument, NULL, OPTION_TIME},
    {"tolerance", required_argument, NULL, OPTION_TOLERANCE},
    {"time-tolerance", required_argument, NULL, OPTION_TOLERANCE},
    {"ignore", required_argument, NULL, OPTION_IGNORE},
    {"only", required_argument, NULL, OPTION_ONLY},
    {"key", required_argument, NULL, OPTION_KEY},
    {"where", required_argument, NULL, OPTION_WHERE},
    {"map", required_argument, NULL, OPTION_MAP},
    {"all", no_argument, NULL, OPTION_ALL},
    {"summary", no_argument, NULL, OPTION_SUMMARY},
    {"json", no_argument, NULL, OPTION_JSON},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* ---- two files ------------------------------------------------------------------------------- */

typedef struct comparison {
    const diff_options *options;
    ftr_input input[SIDES];
    ftr_filter **filters[SIDES]; /* for each side: an array with a filter for each reading thread;
                                    NULL: no filter */
    ftr_trace_diff diff;
    ftr_diff_view view;
    ftr_diff_report *report; /* NULL: there is no text report, because differences are only counted
                                or are printed as JSON */
} comparison;

static ftr_printer out;

static bool accepts(void *user, unsigned side, unsigned thread, ftr_reader *reader,
                    ftr_transaction *tx)
{
    const comparison *c = user;
    return ftr_filter_accepts(c->filters[side][thread], reader, tx);
}

static void add_difference(void *user, const ftr_difference *difference)
{
    comparison *c = user;
    if (c->report != NULL)
        ftr_diff_report_add(c->report, difference);
    else if (c->view.out != NULL)
        ftr_diff_json_difference(&c->view, difference);
}

static void add_relation(void *user, const ftr_relation_difference *difference)
{
    comparison *c = user;
    if (c->report != NULL)
        ftr_diff_report_add_relation(c->report, difference);
    else if (c->view.out != NULL)
        ftr_diff_json_relation(&c->view, difference);
}

static ftr_pattern_lists lists_of(const ftr_patterns *patterns)
{
    return (ftr_pattern_lists){patterns->pattern, patterns->count};
}

/* Creates a filter for each reading thread. @return false after an error message */
static bool open_filters(comparison *c, unsigned side)
{
    const unsigned count = c->input[side].threads;
    const char *where = c->options->where;
    if (where == NULL)
        return true;
    c->filters[side] = calloc(count, sizeof(void *));
    if (c->filters[side] == NULL) {
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
        return false;
    }
    for (unsigned k = 0; k < count; k++) {
        c->filters[side][k] = ftr_filter_create(where, c->view.time_scale[side]);
        if (c->filters[side][k] == NULL)
            return false;
    }
    ftr_warn_of_bare_time(&c->input[side], c->filters[side][0]);
    return true;
}

static void close_filters(comparison *c, unsigned side)
{
    for (unsigned k = 0; c->filters[side] != NULL && k < c->input[side].threads; k++)
        ftr_filter_destroy(c->filters[side][k]);
    free(c->filters[side]);
}

static bool prepare(comparison *c, ftr_diff_options *options)
{
    ftr_file_info info;
    for (unsigned s = 0; s < SIDES; s++) {
        ftr_reader_get_info(c->input[s].reader, &info);
        c->view.time_scale[s] = info.time_scale;
        if (!ftr_choice_query(&c->options->choice, &c->input[s], &options->query[s]) ||
            !open_filters(c, s))
            return false;
        if (ftr_run_links_read(c->input[s].reader, &c->view.links[s]) != FTR_OK) {
            ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
            return false;
        }
        c->view.input[s] = &c->input[s];
        c->view.sides.reader[s] = c->input[s].reader;
    }
    if (!ftr_compared_inputs_prepare(c->input, &c->options->tolerance, &c->diff, options))
        return false;
    options->rules.ignored = lists_of(&c->options->ignored);
    options->rules.only = lists_of(&c->options->only);
    options->rules.key = lists_of(&c->options->key);
    memcpy(c->view.sides.factor, c->diff.factor, sizeof c->diff.factor);
    c->view.sides.rules = ftr_diff_rules(options);
    c->view.sides.tolerance = options->tolerance;
    c->view.diff = &c->diff;
    return true;
}

static void warn_of_patterns(comparison *c, const ftr_query *query, const char *option,
                             const ftr_patterns *patterns, uint64_t matches)
{
    for (size_t i = 0; i < patterns->count; i++)
        if ((matches >> i & 1) == 0)
            ftr_warn_of_attribute(&c->input[0], query, option,
                                  (ftr_view){patterns->pattern[i], strlen(patterns->pattern[i])});
}

/* Warns of names that the options contain, but neither file. */
static void warn_of_names(comparison *c, const ftr_diff_options *options)
{
    const ftr_query *query = &options->query[0];
    for (unsigned s = 0; s < SIDES && c->filters[s] != NULL; s++) {
        for (unsigned k = 1; k < c->input[s].threads; k++)
            ftr_filter_gather(c->filters[s][0], c->filters[s][k]);
        ftr_warn_of_filter(&c->input[s], &options->query[s], c->filters[s][0]);
    }
    warn_of_patterns(c, query, "--ignore", &c->options->ignored, c->diff.matches.ignored);
    warn_of_patterns(c, query, "--only", &c->options->only, c->diff.matches.only);
    warn_of_patterns(c, query, "--key", &c->options->key, c->diff.matches.key);
    for (size_t i = 0; i < c->options->renaming_count; i++)
        if ((c->diff.renamed >> i & 1) == 0)
            ftr_print_error("%s: warning: --map '%.*s' matches no stream", c->input[0].path,
                            (int)c->options->renamings[i].from_size, c->options->renamings[i].from);
}

/* Compares the files. Prints the differences if the view has an output. */
static int compare_open(comparison *c)
{
    const diff_options *given = c->options;
    ftr_diff_options options = {.times = given->times,
                                .renamings = given->renamings,
                                .renaming_count = given->renaming_count,
                                .accepts = given->where != NULL ? accepts : NULL,
                                .differs = add_difference,
                                .relation_differs = add_relation,
                                .user = c};
    if (!prepare(c, &options))
        return FTR_EXIT_TROUBLE;
    ftr_reader *const readers[SIDES] = {c->input[0].reader, c->input[1].reader};
    const ftr_status status = ftr_diff_run(&c->diff, &options, readers);
    bool ok = status == FTR_OK;
    if (ok)
        warn_of_names(c, &options);
    if (ok && c->report != NULL)
        ok = ftr_diff_report_print(c->report, &c->view);
    else if (ok && c->view.out != NULL)
        ftr_diff_json_end(&c->view);
    if (!ftr_compared_inputs_check_end(c->input, &c->diff, status) || !ok)
        return FTR_EXIT_TROUBLE;
    return ftr_diff_is_equal(&c->diff) ? FTR_EXIT_OK : FTR_EXIT_FOUND;
}

/* @param shown true: prints the differences; false: only counts them in c->diff, which the caller
 * must release */
static int compare_files(comparison *c, const diff_options *options, const char *const *paths,
                         bool shown)
{
    int status = FTR_EXIT_TROUBLE;
    *c = (comparison){.options = options};
    c->view.all = options->all;
    c->view.summary = options->summary;
    c->view.out = shown ? &out : NULL;
    if (!ftr_input_open(&c->input[0], paths[0], &options->input))
        return status;
    if (ftr_input_open(&c->input[1], paths[1], &options->input)) {
        if (shown && !options->json)
            c->report = ftr_diff_report_create(&c->view);
        status = compare_open(c);
        for (unsigned s = 0; s < SIDES; s++) {
            ftr_tx_lookup_release(&c->view.lookup[s]);
            ftr_link_names_release(&c->view.links[s]);
            close_filters(c, s);
        }
        ftr_diff_report_destroy(c->report);
        ftr_input_close(&c->input[1]);
    }
    ftr_input_close(&c->input[0]);
    return status;
}

/* ---- two directories ------------------------------------------------------------------------- */

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int is_trace(const struct dirent *entry)
{
    const size_t size = strlen(entry->d_name);
    return size > 4 && strcmp(entry->d_name + size - 4, ".ftr") == 0;
}

typedef struct totals {
    uint64_t equal, different, alone, failed;
    int worst;
} totals;

static void print_run(const diff_options *options, const char *name, const char *verdict,
                      const ftr_trace_diff *diff)
{
    if (options->quiet)
        return;
    if (options->json) {
        ftr_json json = {.out = &out};
        ftr_json_open(&json, NULL, '{');
        ftr_json_string(&json, "record", "run");
        ftr_json_string(&json, "file", name);
        ftr_json_string(&json, "verdict", verdict);
        if (diff != NULL)
            ftr_json_count(&json, "differences", ftr_diff_total(diff));
        ftr_json_end_line(&json);
        return;
    }
    ftr_print_plain(&out, name, strlen(name));
    ftr_print_string(&out, ": ");
    if (diff != NULL)
        ftr_diff_print_counts(&out, diff);
    else
        ftr_print_string(&out, verdict);
    ftr_print_char(&out, '\n');
}

static void compare_runs(const diff_options *options, const char *const *directories,
                         const char *name, totals *sums)
{
    static comparison c;
    char paths[SIDES][4096];
    const char *const both[SIDES] = {paths[0], paths[1]};
    for (unsigned s = 0; s < SIDES; s++)
        (void)snprintf(paths[s], sizeof paths[s], "%s/%s", directories[s], name);
    (void)ftr_printer_flush(&out); /* so that messages on stderr come after the printed lines */
    const int status = compare_files(&c, options, both, false);
    if (status == FTR_EXIT_TROUBLE)
        print_run(options, name, "failed", NULL);
    else
        print_run(options, name, status == FTR_EXIT_OK ? "equal" : "different", &c.diff);
    ftr_diff_release(&c.diff);
    sums->equal += status == FTR_EXIT_OK;
    sums->different += status == FTR_EXIT_FOUND;
    sums->failed += status == FTR_EXIT_TROUBLE;
    sums->worst = status > sums->worst ? status : sums->worst;
}

static void print_totals(const diff_options *options, const totals *sums)
{
    if (options->quiet)
        return;
    if (options->json) {
        ftr_json json = {.out = &out};
        ftr_json_open(&json, NULL, '{');
        ftr_json_string(&json, "record", "total");
        ftr_json_count(&json, "equal", sums->equal);
        ftr_json_count(&json, "different", sums->different);
        ftr_json_count(&json, "in_one_only", sums->alone);
        ftr_json_count(&json, "failed", sums->failed);
        ftr_json_end_line(&json);
        return;
    }
    char text[256];
    (void)snprintf(text, sizeof text,
                   "%" PRIu64 " equal, %" PRIu64 " different, %" PRIu64
                   " in one directory only, %" PRIu64 " failed\n",
                   sums->equal, sums->different, sums->alone, sums->failed);
    ftr_print_string(&out, text);
}

static int compare_directories(const diff_options *options, const char *const *paths)
{
    struct dirent **names[SIDES] = {NULL, NULL};
    int counts[SIDES] = {0, 0};
    int at[SIDES] = {0, 0};
    totals sums = {.worst = FTR_EXIT_OK};
    for (unsigned s = 0; s < SIDES; s++) {
        counts[s] = scandir(paths[s], &names[s], is_trace, alphasort);
        if (counts[s] < 0) {
            ftr_print_error("%s: %s", paths[s], strerror(errno));
            counts[s] = 0;
            sums.worst = FTR_EXIT_TROUBLE;
        }
    }
    while (at[0] < counts[0] || at[1] < counts[1]) {
        int order = at[0] == counts[0] ? 1 : -1;
        if (at[0] < counts[0] && at[1] < counts[1])
            order = strcoll(names[0][at[0]]->d_name, names[1][at[1]]->d_name);
        if (order == 0)
            compare_runs(options, paths, names[0][at[0]]->d_name, &sums);
        else if (order < 0)
            print_run(options, names[0][at[0]]->d_name, "only in the first directory", NULL);
        else
            print_run(options, names[1][at[1]]->d_name, "only in the second directory", NULL);
        if (order != 0) {
            sums.alone++;
            sums.worst = sums.worst > FTR_EXIT_FOUND ? sums.worst : FTR_EXIT_FOUND;
        }
        if (order <= 0)
            free(names[0][at[0]++]);
        if (order >= 0)
            free(names[1][at[1]++]);
    }
    for (unsigned s = 0; s < SIDES; s++)
        free(names[s]);
    print_totals(options, &sums);
    return sums.worst;
}

/* ---- options --------------------------------------------------------------------------------- */

static bool parse_renaming(diff_options *options, const char *argument)
{
    const char *equals = strchr(argument, '=');
    if (equals == NULL || equals == argument || equals[1] == '\0' ||
        options->renaming_count == RENAMINGS_MAX)
        return false;
    options->renamings[options->renaming_count++] =
        (ftr_stream_renaming){argument, equals + 1, (size_t)(equals - argument)};
    return true;
}

static bool parse_times(diff_options *options, const char *argument)
{
    static const char *const NAMES[] = {[FTR_DIFF_RELATIVE] = "relative",
                                        [FTR_DIFF_ABSOLUTE] = "absolute",
                                        [FTR_DIFF_IGNORE_TIMES] = "ignore"};
    for (unsigned i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (strcmp(argument, NAMES[i]) == 0) {
            options->times = (ftr_diff_times)i;
            return true;
        }
    return false;
}

static bool parse_option(void *taken, int option, const char *argument)
{
    diff_options *options = taken;
    switch (option) {
    case FTR_OPTION_MEMORY:
    case FTR_OPTION_TYPES:
    case 'j':
        return ftr_input_parse_option(&options->input, option, argument);
    case OPTION_TIME:
        return parse_times(options, argument);
    case OPTION_TOLERANCE:
        return ftr_time_parse(argument, &options->tolerance, NULL);
    case OPTION_IGNORE:
        return ftr_patterns_add(&options->ignored, argument);
    case OPTION_ONLY:
        return ftr_patterns_add(&options->only, argument);
    case OPTION_KEY:
        return ftr_patterns_add(&options->key, argument);
    case OPTION_MAP:
        return parse_renaming(options, argument);
    case OPTION_WHERE:
        options->where = argument;
        return true;
    case OPTION_ALL:
        options->all = true;
        return true;
    case OPTION_SUMMARY:
        options->summary = true;
        return true;
    case OPTION_JSON:
        options->json = true;
        return true;
    case 'q':
        options->quiet = true;
        return true;
    default:
        return ftr_choice_parse_option(&options->choice, option, argument);
    }
}

static const ftr_option_set OPTIONS = {&ftr_command_diff, ":hqj:", LONG_OPTIONS, parse_option};

static int run(int argc, char **argv)
{
    static diff_options options;
    static comparison c;
    options.input = (ftr_input_options){.memory = READER_MEMORY, .spool = true};
    options.tolerance.in_ticks = true;
    int status;
    if (!ftr_parse_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    if (optind != argc - 2)
        return ftr_misuse(&ftr_command_diff, "two files, or two directories, are expected");
    const char *const paths[SIDES] = {argv[optind], argv[optind + 1]};
    ftr_printer_init(&out, STDOUT_FILENO);
    if (is_directory(paths[0]) && is_directory(paths[1])) {
        status = compare_directories(&options, paths);
    } else {
        status = compare_files(&c, &options, paths, !options.quiet);
        ftr_diff_release(&c.diff);
    }
    if (!ftr_stdout_finish(&out))
        return FTR_EXIT_TROUBLE;
    return status;
}

const ftr_command ftr_command_diff = {
    "diff",
    "prints the differences between two traces, transaction by transaction",
    run,
    "[OPTION]... FILE FILE | DIRECTORY DIRECTORY",
    "  --time MODE             relative (default): report a displacement once, where it begins;\n"
    "                          absolute: report every displaced transaction; ignore: report none\n"
    "  --tolerance TIME        times with at most this difference are equal\n"
    "  --ignore GLOBS          attributes not to compare; repeatable, comma-separated\n"
    "  --only GLOBS            compare only these attributes\n"
    "  --key GLOBS             attributes that identify a transaction; default: all of class "
    "begin\n"
    "  --where CONDITION       only transactions that fulfil the condition; see ftr dump\n"
    "  --map OLD=NEW           compare stream OLD of the first file with stream NEW of the "
    "second;\n"
    "                          a * in both stands for the same text; repeatable\n"
    "  --all                   list every difference; default: the first ten of each kind\n"
    "  --summary               print counts of each stream instead of a list\n"
    "  --json                  print one JSON object per difference, and a summary at the end\n"
    "  -q, --quiet             print nothing; only the exit status\n" FTR_CHOICE_OPTIONS_TEXT
        FTR_INPUT_OPTIONS_TEXT FTR_THREADS_OPTION_TEXT
    "Transactions are aligned in each stream by generator and identifying attributes. Relations\n"
    "are compared by the transactions that they connect; ids are not compared. The stream "
    "ftr.run,\n"
    "in which an attached run describes itself, is compared only if --stream names it. Of two\n"
    "directories, the traces (*.ftr) of the same name are compared, with one line for each.\n"
    "Exit status: 0 equal, 1 different, 2 error or damaged file.\n",
};
