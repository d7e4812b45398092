/* Values of a trace as values of SQLite. docs/sql.md, "Values". */
#ifndef FTR_SQL_VALUE_H
#define FTR_SQL_VALUE_H

#include "interned_names.h"
#include "sqlite_api.h"

#include <ftr/reader.h>

bool ftr_sql_is_utf8(ftr_view view);

/* A copy of @p view in which bytes that are not UTF-8 are U+FFFD.
 * @param[out] size of the copy in bytes
 * @return the caller's to free(); NULL without memory */
char *ftr_sql_repair_utf8(ftr_view view, size_t *size);

/* An INTEGER; above 2^63-1, which SQLite's integers do not hold, the exact decimal number as TEXT.
 */
void ftr_sql_result_number(sqlite3_context *result, uint64_t number);

/* A name that lives as long as the connection; an error without memory if it is NULL. */
void ftr_sql_result_name(sqlite3_context *result, const ftr_name *name);

/* A copy of the text; NULL when the file does not define it. */
void ftr_sql_result_view(sqlite3_context *result, ftr_view view);

/* The value of an attribute. */
void ftr_sql_result_attribute(sqlite3_context *result, const ftr_attribute_value *attribute);

#endif
