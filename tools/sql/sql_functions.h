/* Functions for times, addresses and intervals. docs/sql.md, "Functions". */
#ifndef FTR_SQL_FUNCTIONS_H
#define FTR_SQL_FUNCTIONS_H

#include "trace_set.h"

int ftr_sql_register_functions(ftr_sql_context *context);

#endif
