/* Owns the order of the statements of `ftr sql`. Does not know the options of the command. */
#include "sql_execute.h"

#include "command.h"
#include "sql_prompt.h"
#include "whole_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int ftr_sql_execute(const ftr_sql_options *options, char **files, size_t count, const char *query)
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
    session.output.out.for_spreadsheet = options->for_spreadsheet;
    if (!ftr_sql_session_open(&session, &options->input, files, count, options->may_write)) {
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
