/* The options of `ftr sql`. */
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
    bool for_spreadsheet; /* no text of CSV and TSV is a formula */
    bool is_interactive;
    bool may_write;     /* statements may write files */
    const char *script; /* path of a file with statements; NULL: none */
} ftr_sql_options;

#endif
