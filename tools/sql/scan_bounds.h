/* The bounds of a scan. A scan delivers all rows within the bounds, and may deliver others, because
 * SQLite tests each delivered row again. */
#ifndef FTR_SCAN_BOUNDS_H
#define FTR_SCAN_BOUNDS_H

#include "column_role.h"
#include "trace_set.h"

enum {
    FTR_SQL_TESTS_MAX = 16,
    FTR_SQL_GROUP_MAX = 4,
    FTR_SQL_OP_EQUAL = '=',
    FTR_SQL_OP_IN = '~',      /* equal to one of the values of IN: a number never equals a name */
    FTR_SQL_OP_GREATER = '>', /* greater or equal */
    FTR_SQL_OP_LESS = '<',    /* less or equal */
    FTR_SQL_OP_GLOB = '*',
    FTR_SQL_OP_LIKE = '%'
};

/* A condition on a stream or generator. */
typedef struct ftr_sql_test {
    int role; /* ftr_sql_role */
    int op;
    sqlite3_value *value; /* a copy */
} ftr_sql_test;

typedef struct ftr_sql_bounds {
    bool is_empty; /* no row can match */
    bool has_run, has_id, has_tx_from, has_tx_to;
    sqlite3_int64 run;
    uint64_t id;
    uint64_t tx_from, tx_to; /* only for the table `relation`: ids of the transactions */
    uint64_t from, to;       /* ticks; rows with begin <= to and end >= from are delivered */
    bool is_windowed;
    bool has_from_seconds, has_to_seconds;
    double from_seconds, to_seconds;
    ftr_sql_test tests[FTR_SQL_TESTS_MAX];
    int test_count;
    ftr_order order;
    bool order_is_of_values; /* the rows are ordered as SQLite orders the column in ticks */
    /* borrowed; names of the generator if the table has only one generator; NULL: all generators */
    const char *stream, *generator;
    int group[FTR_SQL_GROUP_MAX]; /* roles of the columns that group the rows */
    int group_count;
} ftr_sql_bounds;

/* Adds a condition. @return SQLITE_OK; SQLITE_NOMEM */
int ftr_sql_bounds_add(ftr_sql_bounds *bounds, int role, int op, sqlite3_value *value);
void ftr_sql_bounds_release(ftr_sql_bounds *bounds);

/* Computes the window in ticks of @p trace, from the bounds in ticks and in seconds: transactions
 * with begin <= @p to and end >= @p from. If @p from is greater than @p to, these are the
 * transactions that last from @p to to @p from or longer. @return false if no transaction can match
 */
bool ftr_sql_bounds_window(const ftr_sql_bounds *bounds, const ftr_sql_trace *trace, uint64_t *from,
                           uint64_t *to);

bool ftr_sql_bounds_want_stream(const ftr_sql_bounds *bounds, ftr_sql_trace *trace,
                                const ftr_stream_info *stream);
/* Tests the conditions on the name and id of the generator, but not those on its stream. */
bool ftr_sql_bounds_want_generator(const ftr_sql_bounds *bounds, ftr_sql_trace *trace,
                                   const ftr_generator_info *generator);

#endif
