/* ftr sql: queries traces and summaries with SQL. */
#include "command.h"
#include "sql_options.h"

enum {
    OPTION_CSV = FTR_OPTION_FIRST_FREE,
    OPTION_TSV,
    OPTION_JSON,
    OPTION_NO_HEADER,
    OPTION_SPREADSHEET,
    OPTION_WRITE
};

static const struct option LONG_OPTIONS[] = {
    FTR_INPUT_LONG_OPTIONS,
    {"csv", no_argument, NULL, OPTION_CSV},
    {"tsv", no_argument, NULL, OPTION_TSV},
    {"json", no_argument, NULL, OPTION_JSON},
    {"no-header", no_argument, NULL, OPTION_NO_HEADER},
    {"spreadsheet", no_argument, NULL, OPTION_SPREADSHEET},
    {"write", no_argument, NULL, OPTION_WRITE},
    {"file", required_argument, NULL, 'f'},
    {"interactive", no_argument, NULL, 'i'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool parse_option(void *taken, int option, const char *argument)
{
    ftr_sql_options *options = taken;
    switch (option) {
    case OPTION_CSV:
        options->format = FTR_SQL_CSV;
        return true;
    case OPTION_TSV:
        options->format = FTR_SQL_TSV;
        return true;
    case OPTION_JSON:
        options->format = FTR_SQL_JSON;
        return true;
    case OPTION_NO_HEADER:
        options->without_header = true;
        return true;
    case OPTION_SPREADSHEET:
        options->for_spreadsheet = true;
        return true;
    case OPTION_WRITE:
        options->may_write = true;
        return true;
    case 'f':
        options->script = argument;
        return true;
    case 'i':
        options->is_interactive = true;
        return true;
    default:
        return ftr_input_parse_option(&options->input, option, argument);
    }
}

static const ftr_option_set OPTIONS = {&ftr_command_sql, ":f:ih", LONG_OPTIONS, parse_option};

static int run(int argc, char **argv)
{
    ftr_sql_options options = {0};
    int status;
    if (!ftr_parse_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    const bool has_query = options.script == NULL && !options.is_interactive;
    const int files = argc - optind - (has_query ? 1 : 0);
    if (files < 1)
        return ftr_misuse(&ftr_command_sql,
                          has_query ? "a file and a query are expected" : "a file is expected");
    if (options.for_spreadsheet && options.format != FTR_SQL_CSV && options.format != FTR_SQL_TSV)
        return ftr_misuse(&ftr_command_sql, "--spreadsheet is for --csv and --tsv");
    return ftr_sql_execute(&options, argv + optind, (size_t)files,
                           has_query ? argv[argc - 1] : NULL);
}

#define INPUT_OPTIONS_TEXT FTR_INPUT_OPTIONS_TEXT_WITH("96M")

const ftr_command ftr_command_sql = {
    "sql",
    "runs SQL queries on traces or on summaries of runs",
    run,
    "[OPTION]... FILE... QUERY",
    "  --csv, --tsv, --json    comma-separated, tab-separated, one JSON object per row; default:\n"
    "                          an aligned table\n"
    "  --no-header             omit the names of the columns\n"
    "  --spreadsheet           with --csv or --tsv: put ' before text that a spreadsheet could "
    "take\n"
    "                          for a formula; default: the exact text\n"
    "  -f, --file SCRIPT       execute the statements in this file instead of QUERY; - is stdin\n"
    "  --write                 allow statements that can write files: ATTACH, VACUUM INTO, "
    "pragmas\n"
    "  -i, --interactive       prompt for statements; .help lists the "
    "commands\n" INPUT_OPTIONS_TEXT
    "A FILE is a trace or a summary. Tables of traces: run, stream, generator, tx, attribute,\n"
    "relation, event, hop, error, and one for each generator. Tables of summaries: run, stream,\n"
    "figures, latency_bin, slowest, series. The files are never changed.\n",
};
