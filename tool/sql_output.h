/* Rows of a query on stdout: as an aligned table, CSV, TSV or lines of JSON. */
#ifndef FTR_SQL_OUTPUT_H
#define FTR_SQL_OUTPUT_H

#include "printer.h"

#include <sqlite3.h>

typedef enum ftr_sql_format {
    FTR_SQL_TABLE,
    FTR_SQL_CSV,
    FTR_SQL_TSV,
    FTR_SQL_JSON
} ftr_sql_format;

typedef struct ftr_sql_output {
    ftr_sql_format format;
    bool without_header;
    ftr_printer out;
    /* Of a table: the first rows are kept until their widths are known. */
    char **cells; /* row after row; NULL: no value */
    bool *is_number;
    size_t cell_count, cell_capacity;
    size_t *widths;
    int columns;
    bool is_streaming; /* the widths are settled */
    uint64_t rows;
} ftr_sql_output;

void ftr_sql_output_init(ftr_sql_output *output, ftr_sql_format format);

/* Begins with the rows of @p statement, ends with them. @return false without memory */
bool ftr_sql_output_begin(ftr_sql_output *output, sqlite3_stmt *statement);
bool ftr_sql_output_row(ftr_sql_output *output, sqlite3_stmt *statement);
/* @return false when stdout could not be written */
bool ftr_sql_output_end(ftr_sql_output *output);

/* Whether @p name is a format; its number. */
bool ftr_sql_format_of_name(const char *name, ftr_sql_format *format);

#endif
