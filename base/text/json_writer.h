/* Writes JSON documents and lines of JSON, with the necessary commas. All JSON that people and
 * pages read is written here, except transactions (transaction_text.h). */
#ifndef FTR_JSON_WRITER_H
#define FTR_JSON_WRITER_H

#include "exact_fraction.h"
#include "printer.h"

#include <ftr/reader.h>

/* `{.out = printer}` is the state at the begin of a document. */
typedef struct ftr_json {
    ftr_printer *out;
    bool needs_comma;
} ftr_json;

/* Begins an object or an array: @p bracket is `{` or `[`. @param name NULL inside an array, and
 * for the document itself */
void ftr_json_open(ftr_json *json, const char *name, char bracket);
/* Like ftr_json_open(), for the value of the member that ftr_json_name() began. */
void ftr_json_open_value(ftr_json *json, char bracket);
/* Ends an object or an array: @p bracket is `}` or `]`. */
void ftr_json_close(ftr_json *json, char bracket);
/* Ends an object that is a whole line of JSON. The next member begins a new document. */
void ftr_json_end_line(ftr_json *json);

/* Begins a member, or an element of an array. The caller prints the value. The name may be
 * untrusted text from a file. @param name NULL inside an array */
void ftr_json_name(ftr_json *json, const char *name, size_t size);

/* These functions write a member. Inside an array, @p name is NULL. */
void ftr_json_text(ftr_json *json, const char *name, const char *text, size_t size);
void ftr_json_string(ftr_json *json, const char *name, const char *text);
/* Writes a count as a number. */
void ftr_json_count(ftr_json *json, const char *name, uint64_t value);
/* Writes an array of counts. */
void ftr_json_counts(ftr_json *json, const char *name, const uint64_t *values, size_t count);
void ftr_json_int(ftr_json *json, const char *name, int64_t value);
/* Writes a number that may exceed 53 bits as a JSON string of digits. */
void ftr_json_wide(ftr_json *json, const char *name, ftr_wide value);
/* Writes a number with up to six significant digits. */
void ftr_json_real(ftr_json *json, const char *name, long double value);
void ftr_json_bool(ftr_json *json, const char *name, bool value);
void ftr_json_null(ftr_json *json, const char *name);

/* ---- attribute values ------------------------------------------------------------------------ */

/* Prints a view as a JSON string, or `null` if its data is NULL. */
void ftr_put_view_json(ftr_printer *text, ftr_view view);

/* Prints only the value. NaN and infinities, which JSON numbers cannot express, become strings. */
void ftr_put_value_json(ftr_printer *text, const ftr_attribute_value *attribute);

/* These functions write a member of a document. */
void ftr_json_view(ftr_json *json, const char *name, ftr_view view);
void ftr_json_value(ftr_json *json, const char *name, const ftr_attribute_value *value);

#endif
