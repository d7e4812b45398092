/* The transactions of a run that a cursor visits: all of them in one order, all of them group by
 * group, or those with one id. */
#ifndef FTR_TRANSACTION_SCAN_H
#define FTR_TRANSACTION_SCAN_H

#include "table_cursor.h"

/* Starts or restarts the scan of cursor->trace, before its first transaction. @return SQLITE_OK; an
 * error */
int ftr_transaction_scan_start(ftr_sql_cursor *cursor);

/* Moves cursor->tx to the next transaction. @return SQLITE_OK; SQLITE_DONE; an error */
int ftr_transaction_scan_next(ftr_sql_cursor *cursor);

/* Ends the scan of this run. */
void ftr_transaction_scan_stop(ftr_sql_cursor *cursor);

#endif
