/* Attributes as one JSON object, for columns that have all of them. */
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

/* @return false without memory; then there is nothing to end */
bool ftr_sql_json_begin(ftr_sql_json *json, sqlite3 *db);

/* A member; a number above 2^63-1 is a text, as it is everywhere in SQL. */
void ftr_sql_json_put(ftr_sql_json *json, ftr_view name, const ftr_attribute_value *value);

/* Makes the object the result, and frees. */
void ftr_sql_json_end(ftr_sql_json *json, sqlite3_context *result);

#endif
