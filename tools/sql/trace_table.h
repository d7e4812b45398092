/* The virtual tables over sets of traces, implemented as modules of SQLite. */
#ifndef FTR_TRACE_TABLE_H
#define FTR_TRACE_TABLE_H

#include "trace_set.h"

/* Registers the module `ftr` and the table-valued functions, and tests how SQLite passes patterns
 * (ftr_sql_context). */
int ftr_sql_register_tables(ftr_sql_context *context);

#endif
