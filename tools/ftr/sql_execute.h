/* The statements of `ftr sql`. They are executed by a program of their own, so that other commands
 * do not load SQLite. */
#ifndef FTR_SQL_EXECUTE_H
#define FTR_SQL_EXECUTE_H

#include "sql_options.h"

/* Executes the script, then @p query, and then statements of the prompt, as far as they are given.
 * @param files names or patterns of traces
 * @param query NULL: none
 * @return an exit status */
int ftr_sql_execute(const ftr_sql_options *options, char **files, size_t count, const char *query);

#endif
