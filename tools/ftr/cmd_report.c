/* ftr report: writes one HTML file that shows a run, the runs of a summary, or the differences
 * between two traces. Can also print a run as text, or serve it over HTTP. */
#include "command.h"
#include "plain_message.h"
#include "report_modes.h"
#include "run_inputs.h"

#include <ftr/detail/size_text.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUDGET_DEFAULT ((size_t)10000000)
#define BUDGET_MIN ((size_t)500000)
/* Number of reports of failed runs. */
#define REPORTS_DEFAULT 50
/* Memory of the reader in bytes. With this limit, the whole command needs less than 256 MiB. */
#define READER_MEMORY ((size_t)96 << 20)

enum {
    OPTION_BUDGET = FTR_OPTION_OWN,
    OPTION_RULES,
    OPTION_BASELINE,
    OPTION_DIFF,
    OPTION_TEXT,
    OPTION_SERVE,
    OPTION_PORT,
    OPTION_TOLERANCE,
    OPTION_HISTORY,
    OPTION_LAST,
    OPTION_WITH_REPORTS
};

static const struct option LONG_OPTIONS[] = {
    FTR_INPUT_LONG_OPTIONS,
    FTR_THREADS_LONG_OPTION,
    FTR_CHOICE_LONG_OPTIONS,
    {"output", required_argument, NULL, 'o'},
    {"force", no_argument, NULL, 'f'},
    {"budget", required_argument, NULL, OPTION_BUDGET},
    {"rules", required_argument, NULL, OPTION_RULES},
    {"baseline", required_argument, NULL, OPTION_BASELINE},
    {"history", required_argument, NULL, OPTION_HISTORY},
    {"last", required_argument, NULL, OPTION_LAST},
    {"with-reports", optional_argument, NULL, OPTION_WITH_REPORTS},
    {"serve", no_argument, NULL, OPTION_SERVE},
    {"port", required_argument, NULL, OPTION_PORT},
    {"text", no_argument, NULL, OPTION_TEXT},
    {"diff", no_argument, NULL, OPTION_DIFF},
    {"tolerance", required_argument, NULL, OPTION_TOLERANCE},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool parse_budget(const char *argument, size_t *budget)
{
    uint64_t size;
    if (!ftr_size_parse(argument, &size) || size < BUDGET_MIN || size > SIZE_MAX / 64)
        return false;
    *budget = (size_t)size;
    return true;
}

static bool parse_port(const char *argument, uint16_t *port)
{
    char *end;
    const unsigned long number = strtoul(argument, &end, 10);
    if (argument[0] < '0' || argument[0] > '9' || *end != '\0' || number > UINT16_MAX)
        return false;
    *port = (uint16_t)number;
    return true;
}

static bool parse_count(const char *argument, size_t *count)
{
    char *end;
    const unsigned long number = strtoul(argument, &end, 10);
    *count = number;
    return argument[0] >= '1' && argument[0] <= '9' && *end == '\0' && number <= UINT32_MAX;
}

/* The arguments of --baseline; room for each word of the command line. */
static const char **baselines;

static bool parse_option(void *taken, int option, const char *argument)
{
    ftr_report_arguments *arguments = taken;
    switch (option) {
    case 'o':
        arguments->output = argument;
        return true;
    case 'f':
        arguments->force = true;
        return true;
    case OPTION_BUDGET:
        return parse_budget(argument, &arguments->budget);
    case OPTION_RULES:
        arguments->rules = argument;
        return true;
    case OPTION_BASELINE:
        baselines[arguments->baseline_count++] = argument;
        return true;
    case OPTION_HISTORY:
        arguments->history = argument;
        return true;
    case OPTION_LAST:
        return parse_count(argument, &arguments->last);
    case OPTION_WITH_REPORTS:
        arguments->reports = REPORTS_DEFAULT;
        return argument == NULL || parse_count(argument, &arguments->reports);
    case OPTION_SERVE:
        arguments->serve = true;
        return true;
    case OPTION_PORT:
        return parse_port(argument, &arguments->port);
    case OPTION_TEXT:
        arguments->text = true;
        return true;
    case OPTION_DIFF:
        arguments->diff = true;
        return true;
    case OPTION_TOLERANCE:
        return ftr_time_parse(argument, &arguments->tolerance, NULL);
    case FTR_OPTION_MEMORY:
    case FTR_OPTION_TYPES:
    case 'j':
        return ftr_input_parse_option(&arguments->input, option, argument);
    default:
        return ftr_choice_parse_option(&arguments->choice, option, argument);
    }
}

static const ftr_option_set OPTIONS = {&ftr_command_report, ":hj:o:", LONG_OPTIONS, parse_option};

static bool has_choice(const ftr_choice *choice)
{
    return choice->streams.count > 0 || choice->generators.count > 0 || choice->has_from ||
           choice->has_to;
}

/* Returns a message if the given options and paths cannot be combined; NULL if they can. */
static const char *find_misuse(const ftr_report_arguments *arguments, char *const *paths, int count)
{
    const bool is_summary = count == 1 && ftr_report_is_summary(paths[0]);
    if (count != (arguments->diff ? 2 : 1))
        return arguments->diff ? "--diff needs two traces"
               : count == 0    ? "a file is expected"
                               : "one file is expected; --diff shows two traces";
    if (arguments->text && (arguments->diff || is_summary || arguments->output != NULL))
        return "--text is for one trace, and prints to stdout";
    if (arguments->serve &&
        (arguments->diff || is_summary || arguments->output != NULL || arguments->text))
        return "--serve is for one trace, and writes no file";
    if (arguments->port > 0 && !arguments->serve)
        return "--port needs --serve";
    if (arguments->output == NULL && arguments->diff)
        return "-o FILE is expected: the HTML file to write";
    if (arguments->output == NULL && strcmp(paths[0], "-") == 0 && !arguments->text &&
        !arguments->serve)
        return "stdin has no name: -o FILE is expected, the HTML file to write";
    if (arguments->baseline_count > 0 && arguments->rules == NULL)
        return "--baseline needs --rules";
    if ((arguments->history != NULL || arguments->reports > 0) && !is_summary)
        return "--history and --with-reports need a summary (.fts)";
    if (arguments->reports > 0 && arguments->output != NULL && strcmp(arguments->output, "-") == 0)
        return "--with-reports needs a file as output";
    if (arguments->rules != NULL && !is_summary)
        return "--rules needs a summary (.fts)";
    if (arguments->tolerance.mantissa > 0 && !arguments->diff)
        return "--tolerance needs --diff";
    if (is_summary && has_choice(&arguments->choice))
        return "--stream, --generator, --from and --to are for a trace";
    return NULL;
}

static int serve(const ftr_report_arguments *arguments, const char *path)
{
#ifdef FTR_HAS_REPORT_SERVER
    return ftr_report_serve(arguments, path);
#else
    (void)arguments;
    ftr_print_error("%s: this ftr was built without libmicrohttpd, so it cannot serve", path);
    return FTR_EXIT_TROUBLE;
#endif
}

/* Makes the default name of the report about the file at @p path, for example run.html for
 * folder/run.ftr. The report is in the current folder.
 * @return false after an error message */
static bool name_report(const char *path, char *name, size_t size)
{
    static const char END[] = ".html";
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    const size_t stem = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);
    if (stem == 0 || stem + sizeof END > size) {
        ftr_print_error("%s: the report cannot be named after this path; name it with -o", path);
        return false;
    }
    memcpy(name, base, stem);
    memcpy(name + stem, END, sizeof END);
    return true;
}

static int report(int argc, char **argv, ftr_report_arguments *arguments)
{
    int status;
    if (!ftr_parse_options(&OPTIONS, argc, argv, arguments, &status))
        return status;
    char *const *paths = argv + optind;
    const char *misuse = find_misuse(arguments, paths, argc - optind);
    if (misuse != NULL)
        return ftr_misuse(&ftr_command_report, "%s", misuse);
    if (arguments->serve)
        return serve(arguments, paths[0]);
    if (arguments->text)
        return ftr_report_text(arguments, paths[0]);
    if (arguments->diff)
        return ftr_report_diff(arguments, paths);
    static char name[NAME_MAX + 1]; /* arguments->output points to this array */
    const bool named = arguments->output == NULL;
    if (named && !name_report(paths[0], name, sizeof name))
        return FTR_EXIT_TROUBLE;
    if (named)
        arguments->output = name;
    status = ftr_report_is_summary(paths[0]) ? ftr_report_campaign(arguments, paths[0])
                                             : ftr_report_run(arguments, paths[0]);
    if (named && status != FTR_EXIT_TROUBLE)
        ftr_print_message(stdout, "", "%s", name);
    return status;
}

static int run(int argc, char **argv)
{
    static ftr_report_arguments arguments = {
        .input = {.memory = READER_MEMORY, .spool = true, .names_calls = true},
        .budget = BUDGET_DEFAULT,
        .last = FTR_GATE_LAST_DEFAULT,
        .tolerance = {.in_ticks = true},
    };
    baselines = calloc((size_t)argc, sizeof(const char *));
    if (baselines == NULL) {
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
        return FTR_EXIT_TROUBLE;
    }
    arguments.baselines = baselines;
    const int status = report(argc, argv, &arguments);
    free(baselines);
    return status;
}

const ftr_command ftr_command_report = {
    "report",
    "shows a run, many runs or a difference in one HTML file",
    run,
    "[OPTION]... [-o REPORT.html] FILE | --diff -o REPORT.html FILE FILE | --text FILE | --serve "
    "FILE",
    "FILE is a trace, or a summary (.fts) of ftr summary.\n"
    "  -o, --output REPORT     the HTML file to write; - is stdout; default for run.ftr: run.html\n"
    "                          in the current folder, whose name is printed\n"
    "  --force                 replace REPORT even if it is an FTR trace\n"
    "  --budget SIZE           size of the report (K, M, G), at least 500000; default 10000000.\n"
    "                          Transactions that do not fit are counted in the figures, and a\n"
    "                          part of them is shown whole: the slowest with their parents and\n"
    "                          children, those with errors, and a sample\n"
    "  --text                  print a run in at most 40 lines instead\n"
    "  --serve                 print an address for a browser on this computer, and answer until\n"
    "                          interrupted: all details on demand, also while the file grows\n"
    "  --port PORT             of --serve; default 0, any free port\n"
    "  --diff                  show two traces and their differences, as ftr diff finds them\n"
    "  --tolerance TIME        of --diff: times with at most this difference are equal\n"
    "  --rules RULES           of a summary: show the verdicts of ftr gate with these rules\n"
    "  --baseline SUMMARY      compare with the runs of an earlier night; once for each night,\n"
    "                          the last night at the end\n"
    "  --history FILE          show the figures of the nights of a history (ftr history), and\n"
    "                          compare with the last of them\n"
    "  --last NUMBER           with --history: greatest number of nights that --rules compares;\n"
    "                          default 7\n"
    "  --with-reports[=NUMBER] write a report of each failed run whose trace exists, at most\n"
    "                          NUMBER (default 50), to the folder REPORT without its suffix\n"
    "" FTR_CHOICE_OPTIONS_TEXT FTR_INPUT_OPTIONS_TEXT FTR_THREADS_OPTION_TEXT
    "The report needs no network and no program but a browser. The streams ftr.* are not shown.\n"
    "Exit status with --diff: 0 equal, 1 different, 2 error or damaged file.\n",
};
