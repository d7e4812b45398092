/* A member is preceded by a comma if it is not the first member of its object or array. The writer
 * stores no other data about the nesting. */
#include "json_writer.h"

#include <math.h>
#include <stdio.h>

void ftr_json_name(ftr_json *json, const char *name, size_t size)
{
    if (json->needs_comma)
        ftr_print_string(json->out, ", ");
    json->needs_comma = true;
    if (name == NULL)
        return;
    ftr_print_json(json->out, name, size);
    ftr_print_string(json->out, ": ");
}

static void put_name(ftr_json *json, const char *name)
{
    ftr_json_name(json, name, name != NULL ? strlen(name) : 0);
}

void ftr_json_open_value(ftr_json *json, char bracket)
{
    ftr_print_char(json->out, bracket);
    json->needs_comma = false;
}

void ftr_json_open(ftr_json *json, const char *name, char bracket)
{
    put_name(json, name);
    ftr_json_open_value(json, bracket);
}

void ftr_json_close(ftr_json *json, char bracket)
{
    ftr_print_char(json->out, bracket);
    json->needs_comma = true;
}

void ftr_json_end_line(ftr_json *json)
{
    ftr_print_string(json->out, "}\n");
    json->needs_comma = false;
}

void ftr_json_text(ftr_json *json, const char *name, const char *text, size_t size)
{
    put_name(json, name);
    ftr_print_json(json->out, text, size);
}

void ftr_json_string(ftr_json *json, const char *name, const char *text)
{
    ftr_json_text(json, name, text, strlen(text));
}

void ftr_json_count(ftr_json *json, const char *name, uint64_t value)
{
    put_name(json, name);
    ftr_print_uint(json->out, value);
}

void ftr_json_counts(ftr_json *json, const char *name, const uint64_t *values, size_t count)
{
    ftr_json_open(json, name, '[');
    for (size_t i = 0; i < count; i++)
        ftr_json_count(json, NULL, values[i]);
    ftr_json_close(json, ']');
}

void ftr_json_int(ftr_json *json, const char *name, int64_t value)
{
    put_name(json, name);
    ftr_print_int(json->out, value);
}

void ftr_json_wide(ftr_json *json, const char *name, ftr_wide value)
{
    char digits[40];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + (int)(value % 10));
    while ((value /= 10) > 0);
    put_name(json, name);
    ftr_print_char(json->out, '"');
    ftr_print(json->out, digits + at, sizeof digits - at);
    ftr_print_char(json->out, '"');
}

void ftr_json_real(ftr_json *json, const char *name, long double value)
{
    char text[40];
    put_name(json, name);
    (void)snprintf(text, sizeof text, "%.6Lg", value);
    ftr_print_string(json->out, text);
}

void ftr_json_bool(ftr_json *json, const char *name, bool value)
{
    put_name(json, name);
    ftr_print_string(json->out, value ? "true" : "false");
}

void ftr_json_null(ftr_json *json, const char *name)
{
    put_name(json, name);
    ftr_print_string(json->out, "null");
}

void ftr_put_view_json(ftr_printer *text, ftr_view view)
{
    if (view.data != NULL)
        ftr_print_json(text, view.data, view.size);
    else
        ftr_print_string(text, "null");
}

void ftr_put_value_json(ftr_printer *text, const ftr_attribute_value *attribute)
{
    switch (attribute->form) {
    case FTR_FORM_BOOLEAN:
        ftr_print_string(text, attribute->as.boolean ? "true" : "false");
        break;
    case FTR_FORM_INTEGER:
        ftr_print_int(text, attribute->as.integer);
        break;
    case FTR_FORM_NUMBER:
        ftr_print_uint(text, attribute->as.number);
        break;
    case FTR_FORM_REAL:
        if (isfinite(attribute->as.real))
            ftr_print_real(text, attribute->as.real, attribute->real_size);
        else /* JSON has no NaN and no infinity */
            ftr_print_string(text, isnan(attribute->as.real) ? "\"NaN\""
                                   : attribute->as.real > 0  ? "\"Infinity\""
                                                             : "\"-Infinity\"");
        break;
    case FTR_FORM_TEXT:
        ftr_put_view_json(text, attribute->as.text);
        break;
    default:
        ftr_print_string(text, "null");
    }
}

void ftr_json_view(ftr_json *json, const char *name, ftr_view view)
{
    put_name(json, name);
    ftr_put_view_json(json->out, view);
}

void ftr_json_value(ftr_json *json, const char *name, const ftr_attribute_value *value)
{
    put_name(json, name);
    ftr_put_value_json(json->out, value);
}
