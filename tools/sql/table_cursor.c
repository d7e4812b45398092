/* Sets the messages of the errors of a cursor. */
#include "table_cursor.h"

int ftr_sql_fail(ftr_sql_cursor *cursor, int result, char *message)
{
    sqlite3_free(cursor->table->base.zErrMsg);
    cursor->table->base.zErrMsg = message;
    return result;
}

int ftr_sql_fail_reading(ftr_sql_cursor *cursor, ftr_status status)
{
    if (status == FTR_ERR_MEMORY)
        return SQLITE_NOMEM;
    return ftr_sql_fail(cursor, SQLITE_IOERR,
                        sqlite3_mprintf("ftr: %s: %s", cursor->trace->path,
                                        status == FTR_ERR_LIMIT
                                            ? "the memory budget is too small; raise --memory"
                                            : ftr_status_text(status)));
}
