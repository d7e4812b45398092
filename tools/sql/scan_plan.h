/* The conditions and the order that a scan uses. They are chosen when a query is planned, and
 * stored as a text that EXPLAIN QUERY PLAN shows. */
#ifndef FTR_SCAN_PLAN_H
#define FTR_SCAN_PLAN_H

#include "table_cursor.h"

/* Bits of the number of a plan (idxNum). */
enum {
    FTR_SQL_PLAN_BOUND = 1, /* the scan uses conditions or order */
    FTR_SQL_PLAN_FILES = 2  /* the first argument of the plan is the pattern of the traces */
};

/* SQLite's xBestIndex. */
int ftr_sql_plan(sqlite3_vtab *planned, sqlite3_index_info *info);

/* Parses the plan @p text and adds the values of its conditions.
 * @param[out] bounds must be released with ftr_sql_bounds_release(), also after an error */
int ftr_sql_plan_read(const ftr_sql_kind *kind, const char *text, int count, sqlite3_value **values,
                      ftr_sql_bounds *bounds);

#endif
