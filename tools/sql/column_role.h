/* The columns of a table, and their meaning for a scan. */
#ifndef FTR_COLUMN_ROLE_H
#define FTR_COLUMN_ROLE_H

/* The meaning of a column. It decides which conditions on the column a scan can use. The roles from
 * RUN to END_SECONDS also decide the values of the column. The roles from ID to END_SECONDS are
 * properties of the row's transaction. */
typedef enum ftr_sql_role {
    FTR_ROLE_NONE,
    FTR_ROLE_RUN,
    FTR_ROLE_ID, /* id of the row's transaction */
    FTR_ROLE_STREAM,
    FTR_ROLE_STREAM_ID,
    FTR_ROLE_GENERATOR,
    FTR_ROLE_GENERATOR_ID,
    FTR_ROLE_BEGIN, /* BEGIN and END are in ticks, BEGIN_SECONDS and END_SECONDS in seconds */
    FTR_ROLE_END,
    FTR_ROLE_BEGIN_SECONDS,
    FTR_ROLE_END_SECONDS,
    FTR_ROLE_FROM, /* FROM and TO: the transactions of a relation */
    FTR_ROLE_TO
} ftr_sql_role;

typedef struct ftr_sql_column {
    const char *name;
    /* declared type; "" (none) if numbers above 2^63-1, which are TEXT, may occur in the column. A
     * hidden column with such numbers has the type "BLOB HIDDEN": the type "HIDDEN" would have the
     * affinity NUMERIC, and BLOB has none. */
    const char *type;
    ftr_sql_role role;
} ftr_sql_column;

#endif
