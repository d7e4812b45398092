/* The kinds of tables. Each kind is implemented in a separate file. */
#ifndef FTR_TABLE_KINDS_H
#define FTR_TABLE_KINDS_H

#include "table_cursor.h"

extern const ftr_sql_kind ftr_sql_runs;
extern const ftr_sql_kind ftr_sql_streams;
extern const ftr_sql_kind ftr_sql_generators;
extern const ftr_sql_kind ftr_sql_transactions;
extern const ftr_sql_kind ftr_sql_attributes;
extern const ftr_sql_kind ftr_sql_relations;

#endif
