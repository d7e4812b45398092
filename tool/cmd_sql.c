/* ftr sql: queries traces with SQL. */
#include "command.h"
#include "sql_prompt.h"
#include "whole_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sql_options {
    ftr_input_options input;
    ftr_sql_format format;
    bool without_header;
    bool is_interactive;
    const char *script;
} sql_options;

enum { OPTION_CSV = FTR_OPTION_FIRST_FREE, OPTION_TSV, OPTION_JSON, OPTION_NO_HEADER };

static const struct option LONG_OPTIONS[] = {
    FTR_INPUT_LONG_OPTIONS,
    {"csv", no_argument, NULL, OPTION_CSV},
    {"tsv", no_argument, NULL, OPTION_TSV},
    {"json", no_argument, NULL, OPTION_JSON},
    {"no-header", no_argument, NULL, OPTION_NO_HEADER},
    {"file", required_argument, NULL, 'f'},
    {"interactive", no_argument, NULL, 'i'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool parse_option(void *taken, int option, const char *argument)
{
    sql_options *options = taken;
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

static int execute(const sql_options *options, char **files, size_t count, const char *query)
{
    static ftr_sql_session session; /* static because its output buffer is large */
    char *script = NULL;
    size_t size;
    if (options->script != NULL) {
        script = ftr_read_whole_file(options->script, SIZE_MAX, &size);
        if (script == NULL) {
            ftr_print_error("%s: %s", options->script, strerror(errno));
            return FTR_EXIT_TROUBLE;
        }
    }
    ftr_sql_output_init(&session.output, options->format);
    session.output.without_header = options->without_header;
    if (!ftr_sql_session_open(&session, &options->input, files, count)) {
        free(script);
        return FTR_EXIT_TROUBLE;
    }
    bool is_done = true;
    if (script != NULL)
        is_done = ftr_sql_session_run(&session, script);
    if (is_done && query != NULL)
        is_done = ftr_sql_session_run(&session, query);
    if (is_done && options->is_interactive)
        ftr_sql_prompt(&session);
    free(script);
    ftr_sql_session_close(&session);
    if (!is_done)
        return FTR_EXIT_TROUBLE;
    return session.damages > 0 ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}

static int run(int argc, char **argv)
{
    sql_options options = {0};
    int status;
    if (!ftr_parse_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    const bool has_query = options.script == NULL && !options.is_interactive;
    const int files = argc - optind - (has_query ? 1 : 0);
    if (files < 1)
        return ftr_misuse(&ftr_command_sql,
                          has_query ? "a file and a query are expected" : "a file is expected");
    return execute(&options, argv + optind, (size_t)files, has_query ? argv[argc - 1] : NULL);
}

const ftr_command ftr_command_sql = {
    "sql",
    "runs SQL queries on one or several traces",
    run,
    "[OPTION]... FILE... QUERY",
    "  --csv, --tsv, --json    comma-separated, tab-separated, one JSON object per row; default:\n"
    "                          an aligned table\n"
    "  --no-header             omit the names of the columns\n"
    "  -f, --file SCRIPT       execute the statements in this file instead of QUERY; - is stdin\n"
    "  -i, --interactive       prompt for statements; .help lists the "
    "commands\n" FTR_INPUT_OPTIONS_TEXT
    "Tables: run, stream, generator, tx, attribute, relation, and one for each generator. The\n"
    "traces are never changed.\n",
};
