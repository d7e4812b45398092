/* Rows of SQL queries over a summary, for commands that are not linked with SQLite. */
#ifndef FTR_QUERY_ROWS_H
#define FTR_QUERY_ROWS_H

#include <stdbool.h>
#include <stddef.h>

/* Receives a row.
 * @param run value of the column `run`; 0: there is none
 * @param text the column `message`, or the names and values of all other columns
 * @return false to end the query */
typedef bool ftr_take_row(void *user, size_t run, const char *text);

/* Executes a query over the summary at @p path, by the program of `ftr sql`.
 * @param place the place of the query in a file, for messages: "rules.txt:5"
 * @return false after an error message, or if @p take returned false */
bool ftr_query_rows(const char *path, const char *query, const char *place, ftr_take_row *take,
                    void *user);

#endif
