/* percentile(), percentile_cont(), percentile_disc() and median(). docs/sql.md, "Functions". */
#ifndef FTR_PERCENTILE_H
#define FTR_PERCENTILE_H

#include "trace_set.h"

int ftr_sql_register_percentiles(ftr_sql_context *context);

#endif
