/* Attributes' values as JSON, for whoever prints JSON by the million lines. */
#ifndef FTR_VALUE_JSON_H
#define FTR_VALUE_JSON_H

#include "printer.h"

#include <ftr/reader.h>

/* A view as a JSON string; null when its data is. */
void ftr_put_view_json(ftr_printer *text, ftr_view view);

/* The value alone. Reals that JSON has no numbers for are strings. */
void ftr_put_value_json(ftr_printer *text, const ftr_attribute_value *attribute);

#endif
