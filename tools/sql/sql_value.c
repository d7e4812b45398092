/* Converts a trace's values to SQLite values. */
#define FTR_SQL_ENTRY_POINT
#include "sql_value.h"

#include "utf8.h"
#include "json_writer.h"

#include <ftr/detail/decimal.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const ftr_name *ftr_sql_intern(ftr_names *names, ftr_view view)
{
    const uint8_t *text = (const uint8_t *)view.data;
    if (view.data == NULL || ftr_utf8_is_valid(text, view.size))
        return ftr_names_intern(names, view.data, view.data != NULL ? view.size : 0);
    uint8_t *repaired = malloc(view.size * 3);
    if (repaired == NULL)
        return NULL;
    const size_t size = ftr_utf8_repair(text, view.size, repaired);
    const ftr_name *name = ftr_names_intern(names, (const char *)repaired, size);
    free(repaired);
    return name;
}

char *ftr_sql_unquote(const char *text)
{
    char *copy = sqlite3_mprintf("%s", text);
    if (copy == NULL || (*copy != '\'' && *copy != '"'))
        return copy;
    const char quote = *copy;
    size_t filled = 0;
    for (size_t i = 1; copy[i] != '\0'; i++) {
        if (copy[i] == quote && copy[++i] != quote)
            break;
        copy[filled++] = copy[i];
    }
    copy[filled] = '\0';
    return copy;
}

void ftr_sql_result_number(sqlite3_context *result, uint64_t number)
{
    if (number <= INT64_MAX) {
        sqlite3_result_int64(result, (sqlite3_int64)number);
        return;
    }
    char text[24];
    const int size = snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    sqlite3_result_text(result, text, size, SQLITE_TRANSIENT);
}

void ftr_sql_result_negative(sqlite3_context *result, uint64_t number)
{
    if (number <= (uint64_t)INT64_MAX + 1) {
        sqlite3_result_int64(result, (sqlite3_int64)(0 - number));
        return;
    }
    char text[24];
    const int size = snprintf(text, sizeof text, "-%llu", (unsigned long long)number);
    sqlite3_result_text(result, text, size, SQLITE_TRANSIENT);
}

void ftr_sql_result_name(sqlite3_context *result, const ftr_name *name)
{
    if (name == NULL)
        sqlite3_result_error_nomem(result);
    else
        sqlite3_result_text64(result, name->text, name->size, SQLITE_STATIC, SQLITE_UTF8);
}

void ftr_sql_result_view(sqlite3_context *result, ftr_view view)
{
    if (view.data == NULL) {
        sqlite3_result_null(result);
        return;
    }
    if (ftr_utf8_is_valid((const uint8_t *)view.data, view.size)) {
        sqlite3_result_text64(result, view.data, view.size, SQLITE_TRANSIENT, SQLITE_UTF8);
        return;
    }
    uint8_t *copy = malloc(view.size * 3);
    if (copy == NULL) {
        sqlite3_result_error_nomem(result);
        return;
    }
    const size_t size = ftr_utf8_repair((const uint8_t *)view.data, view.size, copy);
    sqlite3_result_text64(result, (char *)copy, size, free, SQLITE_UTF8);
}

void ftr_sql_result_decimal(sqlite3_context *result, ftr_view view)
{
    char plain[24] = "";
    char printed[24] = "";
    if (view.size < sizeof plain) {
        memcpy(plain, view.data, view.size);
        plain[view.size] = '\0';
        sqlite3_snprintf(sizeof printed, printed, "%lld", strtoll(plain, NULL, 10));
    }
    if (view.size > 0 && strcmp(plain, printed) == 0)
        sqlite3_result_int64(result, strtoll(plain, NULL, 10));
    else
        ftr_sql_result_view(result, view);
}

/* Converts single-precision floats so that a recorded 0.1 is 0.1 in a query, not 0.10000000149. */
static void result_real(sqlite3_context *result, double value, unsigned size)
{
    if (isnan(value)) {
        sqlite3_result_text(result, "NaN", 3, SQLITE_STATIC);
        return;
    }
    sqlite3_result_double(result, ftr_decimal_as_double(value, size));
}

void ftr_sql_result_attribute(sqlite3_context *result, const ftr_attribute_value *attribute)
{
    switch (attribute->form) {
    case FTR_FORM_BOOLEAN:
        sqlite3_result_int(result, attribute->as.boolean);
        break;
    case FTR_FORM_INTEGER:
        sqlite3_result_int64(result, attribute->as.integer);
        break;
    case FTR_FORM_NUMBER:
        ftr_sql_result_number(result, attribute->as.number);
        break;
    case FTR_FORM_REAL:
        result_real(result, attribute->as.real, attribute->real_size);
        break;
    case FTR_FORM_TEXT:
        ftr_sql_result_view(result, attribute->as.text);
        break;
    default:
        sqlite3_result_null(result);
    }
}

bool ftr_sql_json_begin(ftr_sql_json *json)
{
    *json = (ftr_sql_json){.out = malloc(sizeof *json->out)};
    if (json->out == NULL)
        return false;
    ftr_text_buffer_connect(&json->text, json->out);
    ftr_print_char(json->out, '{');
    return true;
}

void ftr_sql_json_put(ftr_sql_json *json, ftr_view name, const ftr_attribute_value *value)
{
    const bool is_large = value->form == FTR_FORM_NUMBER && value->as.number > INT64_MAX;
    if (json->has_member)
        ftr_print_char(json->out, ',');
    json->has_member = true;
    ftr_put_view_json(json->out, name.data != NULL ? name : (ftr_view){"", 0});
    ftr_print_char(json->out, ':');
    if (is_large)
        ftr_print_char(json->out, '"');
    ftr_put_value_json(json->out, value);
    if (is_large)
        ftr_print_char(json->out, '"');
}

void ftr_sql_json_end(ftr_sql_json *json, sqlite3_context *result)
{
    ftr_print_char(json->out, '}');
    const bool printed = ftr_printer_flush(json->out);
    free(json->out);
    if (printed) {
        sqlite3_result_text64(result, json->text.bytes, json->text.size, free, SQLITE_UTF8);
    } else {
        ftr_text_buffer_release(&json->text);
        sqlite3_result_error_nomem(result);
    }
}
