/* A virtual table over a set of traces: what all of its kinds share. Each kind adds its columns and
 * its rows. */
#ifndef FTR_TRACE_TABLE_H
#define FTR_TRACE_TABLE_H

#include "generator_columns.h"
#include "scan_bounds.h"
#include "trace_set.h"

/* What a column is, as far as a scan can make use of a condition on it. */
typedef enum ftr_sql_role {
    FTR_ROLE_NONE,
    FTR_ROLE_RUN,
    FTR_ROLE_ID, /* of a transaction */
    FTR_ROLE_STREAM,
    FTR_ROLE_STREAM_ID,
    FTR_ROLE_GENERATOR,
    FTR_ROLE_GENERATOR_ID,
    FTR_ROLE_BEGIN, /* in ticks; in seconds */
    FTR_ROLE_END,
    FTR_ROLE_BEGIN_SECONDS,
    FTR_ROLE_END_SECONDS,
    FTR_ROLE_FROM, /* transactions of a relation */
    FTR_ROLE_TO
} ftr_sql_role;

typedef struct ftr_sql_column {
    const char *name;
    const char *type; /* declared; "" for columns that may hold numbers above 2^63-1 as TEXT */
    ftr_sql_role role;
} ftr_sql_column;

typedef struct ftr_sql_cursor ftr_sql_cursor;

/* A kind of table. */
typedef struct ftr_sql_kind {
    const char *name;
    const ftr_sql_column *columns;
    int column_count;
    const char *key;         /* columns that tell rows apart, comma-separated */
    bool of_transactions;    /* rows belong to transactions: time windows, order by time */
    double rows_in_kilobyte; /* an estimate, for the planner */
    double row_cost;
    /* Begins with the rows of cursor->trace, which is acquired, before the first; or begins again,
     * without a `stop` in between. */
    int (*start)(ftr_sql_cursor *cursor);
    /* Moves to the next row of the run. SQLITE_OK; SQLITE_DONE behind the last; an error. */
    int (*next)(ftr_sql_cursor *cursor);
    int (*column)(ftr_sql_cursor *cursor, sqlite3_context *result, int column);
    /* Ends with the rows of cursor->trace. */
    void (*stop)(ftr_sql_cursor *cursor);
} ftr_sql_kind;

typedef struct ftr_sql_table {
    sqlite3_vtab base;
    const ftr_sql_kind *kind;
    ftr_sql_context *context;
    bool is_function; /* the files are an argument of the query */
    ftr_sql_set set;
    /* A table of one generator: its name, and its attributes as columns behind those of the kind.
     */
    char *stream, *generator; /* NULL: of all */
    ftr_generator_columns columns;
} ftr_sql_table;

struct ftr_sql_cursor {
    sqlite3_vtab_cursor base;
    ftr_sql_table *table;
    ftr_sql_set set; /* a copy for functions; else the table's */
    ftr_sql_bounds bounds;
    size_t run;           /* index of the present run in the set; set.count: at the end */
    ftr_sql_trace *trace; /* of the present run, acquired; NULL: none is */
    size_t row;           /* of the run: streams and generators by index, attributes by number */
    struct ftr_transaction_scan *scan;
    ftr_transaction tx;
    ftr_relation_cursor *relations;
    ftr_relation_info relation;
    const ftr_name *relation_name;
    ftr_attribute_value attribute;
    /* A table of one generator: values of the present row, valid while trace->moves is
     * `decoded_at`. */
    ftr_attribute_value *values;
    bool *has_value;
    uint64_t decoded_at;
    struct ftr_run_info *run_info; /* of the present run; NULL: not read yet */
};

extern const ftr_sql_kind ftr_sql_runs;
extern const ftr_sql_kind ftr_sql_streams;
extern const ftr_sql_kind ftr_sql_generators;
extern const ftr_sql_kind ftr_sql_transactions;
extern const ftr_sql_kind ftr_sql_attributes;
extern const ftr_sql_kind ftr_sql_relations;

/* Registers the module `ftr` and the table-valued functions. */
int ftr_sql_register_tables(ftr_sql_context *context);

/* The message of an error that SQLite reports for @p cursor's table. @return @p result */
int ftr_sql_fail(ftr_sql_cursor *cursor, int result, char *message);

/* The result code and message for the error @p status of the reader of the present run. */
int ftr_sql_fail_reading(ftr_sql_cursor *cursor, ftr_status status);

#endif
