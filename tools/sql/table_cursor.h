/* A virtual table over a set of traces: the part that all kinds of tables have in common. Each kind
 * defines its columns and delivers its rows. */
#ifndef FTR_TABLE_CURSOR_H
#define FTR_TABLE_CURSOR_H

#include "generator_columns.h"
#include "scan_bounds.h"
#include "trace_set.h"

typedef struct ftr_sql_cursor ftr_sql_cursor;

#define FTR_NOT_DECODED UINT64_MAX

/* A part of ftr_sql_volume. */
typedef enum ftr_sql_part { FTR_PART_FILE, FTR_PART_TRANSACTIONS, FTR_PART_RELATIONS } ftr_sql_part;

/* A kind of table. */
typedef struct ftr_sql_kind {
    const char *name;
    const ftr_sql_column *columns;
    int column_count;
    const char *key; /* columns that identify a row, comma-separated */

    /* each row belongs to a transaction, so a scan can use conditions on time and deliver rows in
     * order of time */
    bool of_transactions;
    ftr_sql_part part;       /* the part of a file that contains the rows */
    double rows_in_kilobyte; /* estimated number of rows in 1 KiB of that part */
    /* estimated number of entries that 1 KiB of that part has in the index of this kind */
    double ids_in_kilobyte;
    double row_cost;   /* estimated cost of a row; 1: cost of a row of `tx` */
    double rows_of_id; /* estimated number of rows with the same transaction id */
    /* Returns true for the streams whose transactions have rows. NULL: all streams */
    bool (*wants_stream)(const ftr_stream_info *stream);
    /* Moves before the first row of cursor->trace, which is open. May be called a second time
     * without a call of `stop` between the two calls. */
    int (*start)(ftr_sql_cursor *cursor);
    /* Moves to the next row of the run. @return SQLITE_OK; SQLITE_DONE after the last row; an
     * error */
    int (*next)(ftr_sql_cursor *cursor);
    /* Sets the result to a value of the current row, for columns with the roles NONE, FROM and TO.
     */
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
    /* Only for the table of one generator: the names of the stream and of the generator, and the
     * columns of its attributes, which follow the columns of the kind. */
    char *stream, *generator; /* NULL: all generators */
    ftr_generator_columns columns;
} ftr_sql_table;

struct ftr_sql_cursor {
    sqlite3_vtab_cursor base;
    ftr_sql_table *table;
    /* the traces to read: for a function, owned by the cursor; otherwise borrowed from the table */
    ftr_sql_set set;
    ftr_sql_bounds bounds;
    size_t run;           /* index of the current run in the set; set.count: at the end */
    ftr_sql_trace *trace; /* the current run, acquired; NULL: none */
    /* position of the current row in the run; its meaning depends on the kind of table */
    size_t row;
    struct ftr_transaction_scan *scan;
    ftr_transaction tx;
    ftr_relation_cursor *relations;
    ftr_relation_info relation;
    const ftr_name *relation_name;
    /* Only if by_index: the next key of the wanted transaction in the trace's index of relations,
     * and the number of keys left. */
    const ftr_relation_key *keys;
    size_t keys_left;
    bool by_index;
    ftr_attribute_value attribute;
    /* For the table of one generator: values of the current row, valid while trace->moves equals
     * `decoded_at`. FTR_NOT_DECODED: not valid */
    ftr_attribute_value *values;
    bool *has_value;
    uint64_t decoded_at;
    struct ftr_run_info *run_info; /* information about the current run; NULL: not read yet */
};

/* The kinds of tables. Each kind is defined in a file table_*.c. */
extern const ftr_sql_kind ftr_sql_runs;
extern const ftr_sql_kind ftr_sql_streams;
extern const ftr_sql_kind ftr_sql_generators;
extern const ftr_sql_kind ftr_sql_transactions;
extern const ftr_sql_kind ftr_sql_hops;
extern const ftr_sql_kind ftr_sql_attributes;
extern const ftr_sql_kind ftr_sql_relations;

/* Sets the error message that SQLite reports for the table of @p cursor. @return @p result */
int ftr_sql_fail(ftr_sql_cursor *cursor, int result, char *message);

/* Converts the error @p status of the current run's reader to a result code, and sets a message. */
int ftr_sql_fail_reading(ftr_sql_cursor *cursor, ftr_status status);

/* Starts or restarts the scan of cursor->trace, before its first transaction. @return SQLITE_OK; an
 * error */
int ftr_transaction_scan_start(ftr_sql_cursor *cursor);

/* Moves cursor->tx to the next transaction. @return SQLITE_OK; SQLITE_DONE; an error */
int ftr_transaction_scan_next(ftr_sql_cursor *cursor);

/* Ends the scan of this run. */
void ftr_transaction_scan_stop(ftr_sql_cursor *cursor);

/* The conditions and the order that a scan uses are chosen when a query is planned, and stored as a
 * text that EXPLAIN QUERY PLAN shows. */

/* Bits of the number of a plan (idxNum). */
enum {
    FTR_SQL_PLAN_BOUND = 1, /* the scan uses conditions or order */
    FTR_SQL_PLAN_FILES = 2  /* the first argument of the plan is the pattern of the traces */
};

/* Chooses the plan of a scan. Has the type of the method xBestIndex of SQLite. */
int ftr_sql_plan(sqlite3_vtab *planned, sqlite3_index_info *info);

/* Parses the plan @p text, and adds its conditions with their values to @p bounds.
 * @param[out] bounds must be released with ftr_sql_bounds_release(), also after an error */
int ftr_sql_plan_read(const ftr_sql_kind *kind, const char *text, int count, sqlite3_value **values,
                      ftr_sql_bounds *bounds);

#endif
