/* The transactions of a run that a cursor visits: all in one order, group by group, or those with
 * one id. */
#ifndef FTR_TRANSACTION_SCAN_H
#define FTR_TRANSACTION_SCAN_H

#include "table_cursor.h"

/* Starts, or restarts, with the transactions of cursor->trace. @return SQLITE_OK; an error */
int ftr_transaction_scan_start(ftr_sql_cursor *cursor);

/* Moves cursor->tx to the next one. @return SQLITE_OK; SQLITE_DONE; an error */
int ftr_transaction_scan_next(ftr_sql_cursor *cursor);

/* Ends the scan of this run. */
void ftr_transaction_scan_stop(ftr_sql_cursor *cursor);

#endif
