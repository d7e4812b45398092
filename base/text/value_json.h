/* Attribute values as JSON. */
#ifndef FTR_VALUE_JSON_H
#define FTR_VALUE_JSON_H

#include "json_writer.h"

#include <ftr/reader.h>

/* Prints a view as a JSON string, or `null` if its data is NULL. */
void ftr_put_view_json(ftr_printer *text, ftr_view view);

/* Prints only the value. NaN and infinities, which JSON numbers cannot express, become strings. */
void ftr_put_value_json(ftr_printer *text, const ftr_attribute_value *attribute);

/* These functions write a member of a document. */
void ftr_json_view(ftr_json *json, const char *name, ftr_view view);
void ftr_json_value(ftr_json *json, const char *name, const ftr_attribute_value *value);

#endif
