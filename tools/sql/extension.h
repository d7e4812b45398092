/* The tables and functions of a connection. */
#ifndef FTR_SQL_EXTENSION_H
#define FTR_SQL_EXTENSION_H

#include "trace_set.h"

/* Registers modules and functions.
 * @param[out] registered the context of the connection; lives as long as the connection
 * @return a result code of SQLite */
int ftr_sql_register(sqlite3 *db, ftr_sql_context **registered);

/* Adds the files that match @p pattern to the opened traces, which are the source of all tables
 * without a file argument, or to the opened summaries. Also chooses a table name for each generator
 * of these traces. Traces and summaries together are an error.
 * @return a result code of SQLite; on error, @p error receives a message that the caller must
 * sqlite3_free() */
int ftr_sql_open(ftr_sql_context *context, const char *pattern, char **error);

/* Returns the names of the tables and views of the opened files, without the tables of
 * generators. */
const char *const *ftr_sql_table_names(const ftr_sql_context *context, size_t *count);

/* Creates these tables and views as temporary ones; replaces earlier tables of these names. */
int ftr_sql_create_tables(ftr_sql_context *context, char **error);

/* Creates the table of one generator, unless it exists. */
int ftr_sql_create_generator_table(ftr_sql_context *context, const ftr_table_name *name,
                                   char **error);

#endif
