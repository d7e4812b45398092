/* The interface of SQLite, and the conversion of values of a trace to values of SQLite
 * (docs/sql.md, "Values"). */
#ifndef FTR_SQL_VALUE_H
#define FTR_SQL_VALUE_H

#include "name_table.h"
#include "printer.h"

#include <ftr/reader.h>

#include <sqlite3ext.h>

/* The code is compiled twice: linked with SQLite, and as an extension that SQLite loads. The
 * extension calls SQLite through a table of functions, which sql_value.c defines. */
#ifdef FTR_SQL_ENTRY_POINT
SQLITE_EXTENSION_INIT1
#else
SQLITE_EXTENSION_INIT3
#endif

/* Interns a name, in which bytes that are not UTF-8 become U+FFFD. @return NULL if out of memory */
const ftr_name *ftr_sql_intern(ftr_names *names, ftr_view view);

/* Returns the text of an argument of CREATE VIRTUAL TABLE without its quotes. The caller must
 * sqlite3_free() it. @return NULL if out of memory */
char *ftr_sql_unquote(const char *text);

/* Sets the result to an INTEGER. A number above 2^63-1, the limit of SQLite's integers, becomes a
 * TEXT with the exact decimal number. */
void ftr_sql_result_number(sqlite3_context *result, uint64_t number);

/* Sets the result to -@p number: an INTEGER, or a TEXT below -2^63. */
void ftr_sql_result_negative(sqlite3_context *result, uint64_t number);

/* Sets the result to @p name, which must live as long as the connection. If @p name is NULL, sets
 * an out-of-memory error. */
void ftr_sql_result_name(sqlite3_context *result, const ftr_name *name);

/* Sets the result to a copy of the text; to NULL if the file does not define the text. */
void ftr_sql_result_view(sqlite3_context *result, ftr_view view);

/* Sets the result to an INTEGER if the text is a decimal integer as SQLite prints it; else to a
 * copy of the text. */
void ftr_sql_result_decimal(sqlite3_context *result, ftr_view view);

/* Sets the result to the value of an attribute. */
void ftr_sql_result_attribute(sqlite3_context *result, const ftr_attribute_value *attribute);

/* A JSON object with the attributes of a transaction, for a column that contains all attributes. */
typedef struct ftr_sql_json {
    ftr_text_buffer text;
    ftr_printer *out;
    bool has_member;
} ftr_sql_json;

/* @return false if out of memory; then the caller must not call ftr_sql_json_end() */
bool ftr_sql_json_begin(ftr_sql_json *json);

/* Adds a member. Numbers above 2^63-1 become strings, as everywhere in SQL. */
void ftr_sql_json_put(ftr_sql_json *json, ftr_view name, const ftr_attribute_value *value);

/* Sets the result to the object, and frees the memory. */
void ftr_sql_json_end(ftr_sql_json *json, sqlite3_context *result);

#endif
