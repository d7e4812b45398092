/* A connection to the traces of `ftr sql`, which executes statements. */
#ifndef FTR_SQL_SESSION_H
#define FTR_SQL_SESSION_H

#include "extension.h"
#include "input_file.h"
#include "sql_output.h"

typedef struct ftr_sql_session {
    sqlite3 *db;
    ftr_sql_context *context;
    ftr_sql_output output;
    uint64_t damages; /* number of findings of severity ERROR in the traces */
    char denied[128]; /* the part of a statement that was denied last, because it could write a file
                         or load code; "" if none was */
} ftr_sql_session;

/* Opens the files that the @p count names or patterns in @p files match. Statements may write files
 * only if @p may_write is set.
 * @return false after an error message, with the session closed */
bool ftr_sql_session_open(ftr_sql_session *session, const ftr_input_options *options, char **files,
                          size_t count, bool may_write);
void ftr_sql_session_close(ftr_sql_session *session);

/* Executes all statements in @p text and prints their rows. SIGINT interrupts the current
 * statement.
 * @return false after an error message about the first statement that failed */
bool ftr_sql_session_run(ftr_sql_session *session, const char *text);

#endif
