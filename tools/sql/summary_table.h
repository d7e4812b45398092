/* A virtual table over the runs of summaries: the part that all kinds of these tables have in
 * common. Each kind defines its columns, and how many rows a run, a stream or a generator has. */
#ifndef FTR_SUMMARY_TABLE_H
#define FTR_SUMMARY_TABLE_H

#include "column_role.h"
#include "summary_set.h"
#include "trace_set.h"

/* The position of a row. */
typedef struct ftr_summary_row {
    ftr_sql_run *run;
    const ftr_stream_figures *stream;       /* NULL: a row of the run itself */
    const ftr_generator_figures *generator; /* NULL: a row of the run or of the stream itself */
    uint64_t number; /* number of the row in the run, the stream or the generator, from 0 */
} ftr_summary_row;

typedef struct ftr_summary_kind {
    const char *name;
    const ftr_sql_column *columns; /* of the roles, only RUN, STREAM and GENERATOR are used */
    int column_count;
    const char *order; /* the columns by which rows are sorted, comma-separated */
    bool of_runs;      /* a run has one row; streams and generators have none */
    double rows;       /* estimated number of rows of a run */
    /* Returns the number of rows of a stream (generator NULL) or generator. */
    uint64_t (*count)(const ftr_stream_figures *stream, const ftr_generator_figures *generator);
    /* Sets the result to a value of the row. @return a result code of SQLite */
    int (*column)(const ftr_summary_row *row, sqlite3_context *result, int column);
} ftr_summary_kind;

extern const ftr_summary_kind ftr_summary_runs;
extern const ftr_summary_kind ftr_summary_streams;
extern const ftr_summary_kind ftr_summary_figures;
extern const ftr_summary_kind ftr_summary_bins;
extern const ftr_summary_kind ftr_summary_slowest;
extern const ftr_summary_kind ftr_summary_series;

/* Registers the module ftr_summary_NAME of a kind. @return a result code of SQLite */
int ftr_summary_register(ftr_sql_context *context, const ftr_summary_kind *kind);

/* Sets the result to ticks of the run's time scale in seconds. */
void ftr_summary_result_seconds(const ftr_summary_row *row, sqlite3_context *result,
                                long double ticks);

/* Sets the result to a text that a summary stores; to NULL if it is empty. */
void ftr_summary_result_text(sqlite3_context *result, const ftr_figure_text *text);

#endif
