/* A virtual table over a set of traces: the part that all kinds of tables share. Each kind adds its
 * columns and its rows. */
#ifndef FTR_TABLE_CURSOR_H
#define FTR_TABLE_CURSOR_H

#include "generator_columns.h"
#include "scan_bounds.h"
#include "trace_set.h"

typedef struct ftr_sql_cursor ftr_sql_cursor;

/* A kind of table. */
typedef struct ftr_sql_kind {
    const char *name;
    const ftr_sql_column *columns;
    int column_count;
    const char *key; /* columns that identify a row, comma-separated */
                     /* rows belong to transactions, so time windows and order by time apply */
    bool of_transactions;
    double rows_in_kilobyte; /* estimate for the query planner */
    double row_cost;
    double rows_of_id; /* estimate: rows with one transaction id */
    /* Starts before the first row of cursor->trace, which is acquired. May be called again without
     * `stop`. */
    int (*start)(ftr_sql_cursor *cursor);
    /* Moves to the next row of the run. @return SQLITE_OK; SQLITE_DONE after the last; an error */
    int (*next)(ftr_sql_cursor *cursor);
    int (*column)(ftr_sql_cursor *cursor, sqlite3_context *result, int column);
    /* Ends the iteration over cursor->trace. */
    void (*stop)(ftr_sql_cursor *cursor);
} ftr_sql_kind;

typedef struct ftr_sql_table {
    sqlite3_vtab base;
    const ftr_sql_kind *kind;
    ftr_sql_context *context;
    bool is_function; /* the query passes the files as an argument */
    ftr_sql_set set;
    /* The table of one generator: its names, and its attributes as columns after those of the kind.
     */
    char *stream, *generator; /* NULL: all generators */
    ftr_generator_columns columns;
} ftr_sql_table;

struct ftr_sql_cursor {
    sqlite3_vtab_cursor base;
    ftr_sql_table *table;
    ftr_sql_set set; /* for functions a copy; otherwise the table's set */
    ftr_sql_bounds bounds;
    size_t run;           /* index of the current run in the set; set.count: at the end */
    ftr_sql_trace *trace; /* the current run, acquired; NULL: none */
    /* current row in the run: index of stream or generator, number of attribute */
    size_t row;
    struct ftr_transaction_scan *scan;
    ftr_transaction tx;
    ftr_relation_cursor *relations;
    ftr_relation_info relation;
    const ftr_name *relation_name;
    ftr_attribute_value attribute;
    /* For the table of one generator: values of the current row, valid while trace->moves equals
     * `decoded_at`. */
    ftr_attribute_value *values;
    bool *has_value;
    uint64_t decoded_at;
    struct ftr_run_info *run_info; /* of the current run; NULL: not read yet */
};

/* Sets the message of an error that SQLite reports for @p cursor's table. @return @p result */
int ftr_sql_fail(ftr_sql_cursor *cursor, int result, char *message);

/* Converts the error @p status of the current run's reader to a result code, and sets a message. */
int ftr_sql_fail_reading(ftr_sql_cursor *cursor, ftr_status status);

#endif
