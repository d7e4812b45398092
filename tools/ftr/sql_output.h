/* Rows of a query on stdout: as an aligned table, CSV, TSV or JSON lines. */
#ifndef FTR_SQL_OUTPUT_H
#define FTR_SQL_OUTPUT_H

#include "printer.h"
#include "sql_options.h"

#include <sqlite3.h>

typedef struct ftr_sql_output {
    ftr_sql_format format;
    bool without_header;
    ftr_printer out;
    /* Tables: the first rows are buffered to find the column widths. */
    struct ftr_sql_cell *cells; /* row by row */
    size_t cell_count, cell_capacity;
    size_t *widths;
    int columns;
    bool is_streaming; /* true: the widths are fixed, and rows are printed without buffering */
    uint64_t rows;
} ftr_sql_output;

void ftr_sql_output_init(ftr_sql_output *output, ftr_sql_format format);

/* Starts the output of a query. @p statement must be at its first row. @return false if out of
 * memory */
bool ftr_sql_output_begin(ftr_sql_output *output, sqlite3_stmt *statement);
bool ftr_sql_output_row(ftr_sql_output *output, sqlite3_stmt *statement);
/* @return false if stdout could not be written */
bool ftr_sql_output_end(ftr_sql_output *output);

/* Finds the format called @p name. @return false if there is none */
bool ftr_sql_format_of_name(const char *name, ftr_sql_format *format);

#endif
