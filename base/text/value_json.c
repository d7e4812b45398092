/* Owns the JSON form of a value. Does not know the surrounding object. */
#include "value_json.h"

#include <math.h>

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
    ftr_json_name(json, name, name != NULL ? strlen(name) : 0);
    ftr_put_view_json(json->out, view);
}

void ftr_json_value(ftr_json *json, const char *name, const ftr_attribute_value *value)
{
    ftr_json_name(json, name, name != NULL ? strlen(name) : 0);
    ftr_put_value_json(json->out, value);
}
