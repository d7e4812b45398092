/* The transactions of a run that a cursor is to visit: all in one order, group after group, or
 * those of one id. */
#ifndef FTR_TRANSACTION_SCAN_H
#define FTR_TRANSACTION_SCAN_H

#include "trace_table.h"

/* Begins, or begins again, with the transactions of cursor->trace. SQLITE_OK; an error */
int ftr_transaction_scan_start(ftr_sql_cursor *cursor);

/* Moves cursor->tx to the next. SQLITE_OK; SQLITE_DONE; an error */
int ftr_transaction_scan_next(ftr_sql_cursor *cursor);

/* Ends with this run. */
void ftr_transaction_scan_stop(ftr_sql_cursor *cursor);

#endif
