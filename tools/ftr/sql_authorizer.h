/* Statements that could write a file, or load code into the process. `ftr sql` executes them only
 * with --write. */
#ifndef FTR_SQL_AUTHORIZER_H
#define FTR_SQL_AUTHORIZER_H

#include "sql_value.h"

typedef struct ftr_sql_authorizer {
    char denied[128]; /* the part of the statement that was denied last; "" if none was */
} ftr_sql_authorizer;

/* Protects the connection @p db, whose statements may then use no file but the traces. @p
 * authorizer must live as long as the connection. */
void ftr_sql_authorizer_install(ftr_sql_authorizer *authorizer, sqlite3 *db);

#endif
