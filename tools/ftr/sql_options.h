/* The options and statements of `ftr sql`. A separate program executes the statements, so that
 * other commands do not load SQLite. */
#ifndef FTR_SQL_OPTIONS_H
#define FTR_SQL_OPTIONS_H

#include "input_file.h"

typedef enum ftr_sql_format {
    FTR_SQL_TABLE,
    FTR_SQL_CSV,
    FTR_SQL_TSV,
    FTR_SQL_JSON
} ftr_sql_format;

typedef struct ftr_sql_options {
    ftr_input_options input;
    ftr_sql_format format;
    bool without_header;
    bool for_spreadsheet; /* texts in CSV and TSV that look like formulas are escaped */
    bool is_interactive;
    bool may_write;     /* statements may write files */
    const char *script; /* path of a file with statements; NULL: none */
} ftr_sql_options;

/* Executes the script, then @p query, and then statements of the prompt, as far as they are given.
 * @param files names or patterns of traces
 * @param query NULL: none
 * @return an exit status */
int ftr_sql_execute(const ftr_sql_options *options, char **files, size_t count, const char *query);

#endif
