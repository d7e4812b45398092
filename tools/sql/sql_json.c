/* Owns the format of JSON objects in columns. */
#include "sql_json.h"

#include "value_json.h"

#include <stdlib.h>

static bool append(void *user, const char *bytes, size_t size)
{
    sqlite3_str *text = user;
    while (size > 0) {
        const int part = size > INT32_MAX ? INT32_MAX : (int)size;
        sqlite3_str_append(text, bytes, part);
        bytes += part;
        size -= (size_t)part;
    }
    return sqlite3_str_errcode(text) == SQLITE_OK;
}

bool ftr_sql_json_begin(ftr_sql_json *json, sqlite3 *db)
{
    *json = (ftr_sql_json){.text = sqlite3_str_new(db), .out = malloc(sizeof *json->out)};
    if (json->out == NULL) {
        sqlite3_free(sqlite3_str_finish(json->text));
        return false;
    }
    ftr_printer_init(json->out, -1);
    json->out->take = append;
    json->out->user = json->text;
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
    (void)ftr_printer_flush(json->out);
    free(json->out);
    const int size = sqlite3_str_length(json->text);
    char *text = sqlite3_str_finish(json->text);
    if (text == NULL)
        sqlite3_result_error_nomem(result);
    else
        sqlite3_result_text(result, text, size, sqlite3_free);
}
