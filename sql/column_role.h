/* The columns of a table, and the meaning that conditions give them. */
#ifndef FTR_COLUMN_ROLE_H
#define FTR_COLUMN_ROLE_H

/* The meaning of a column, for conditions that a scan can use. */
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
    /* declared type; "" for columns that may contain numbers above 2^63-1 as TEXT */
    const char *type;
    ftr_sql_role role;
} ftr_sql_column;

#endif
