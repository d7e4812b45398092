/* A JSON object with the attributes of a transaction, for a column that contains all attributes. */
#ifndef FTR_SQL_JSON_H
#define FTR_SQL_JSON_H

#include "printer.h"
#include "sqlite_api.h"

#include <ftr/reader.h>

typedef struct ftr_sql_json {
    sqlite3_str *text;
    ftr_printer *out;
    bool has_member;
} ftr_sql_json;

/* @return false if out of memory; then the caller must not call ftr_sql_json_end() */
bool ftr_sql_json_begin(ftr_sql_json *json, sqlite3 *db);

/* Adds a member. Numbers above 2^63-1 become strings, as everywhere in SQL. */
void ftr_sql_json_put(ftr_sql_json *json, ftr_view name, const ftr_attribute_value *value);

/* Makes the object the result of @p context, and frees the memory. */
void ftr_sql_json_end(ftr_sql_json *json, sqlite3_context *result);

#endif
