/* Executes a query over the table `tx` of a file and ignores its rows, so that callgrind counts the
 * cost of a scan by SQLite.
 *
 *     sql_workload QUERY FILE */
#include <stdio.h>

#include "extension.h"

#include "workload_data.h"

int main(int argc, char **argv)
{
    sqlite3 *db = NULL;
    ftr_sql_context *context = NULL;
    char *error = NULL;
    sqlite3_stmt *statement = NULL;
    if (argc != 3 ||
        sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
            SQLITE_OK ||
        ftr_sql_register(db, &context) != SQLITE_OK)
        return 2;
    context->numbering = FTR_READER_NUMBERING_DEPLOYED;
    if (ftr_sql_open(context, argv[2], &error) != SQLITE_OK ||
        ftr_sql_create_tables(context, &error) != SQLITE_OK ||
        sqlite3_prepare_v2(db, argv[1], -1, &statement, NULL) != SQLITE_OK) {
        (void)fprintf(stderr, "sql_workload: %s\n", error != NULL ? error : sqlite3_errmsg(db));
        return 2;
    }
    int result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW)
        WORKLOAD_USE(sqlite3_data_count(statement));
    (void)sqlite3_finalize(statement);
    sqlite3_close(db);
    return result == SQLITE_DONE ? 0 : 1;
}
