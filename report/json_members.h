/* The members of JSON objects, with their commas (docs/report-format.md, "Elements"). */
#ifndef FTR_JSON_MEMBERS_H
#define FTR_JSON_MEMBERS_H

#include "data_block.h"

#include "latency_bins.h"
#include "printer.h"

/* `{.out = printer}` is the state at the begin of a document. */
typedef struct ftr_json {
    ftr_printer *out;
    bool needs_comma;
} ftr_json;

/* Begins an object or an array: @p bracket is `{` or `[`. @param name NULL inside an array */
void ftr_json_open(ftr_json *json, const char *name, char bracket);
/* Ends an object or an array: @p bracket is `}` or `]`. */
void ftr_json_close(ftr_json *json, char bracket);

/* These functions write a member. Inside an array, @p name is NULL. */
void ftr_json_text(ftr_json *json, const char *name, const char *text, size_t size);
void ftr_json_string(ftr_json *json, const char *name, const char *text);
/* A count, as a number. */
void ftr_json_count(ftr_json *json, const char *name, uint64_t value);
void ftr_json_int(ftr_json *json, const char *name, int64_t value);
/* A number that may exceed 53 bits, as a string of digits. */
void ftr_json_wide(ftr_json *json, const char *name, ftr_wide value);
void ftr_json_real(ftr_json *json, const char *name, long double value);
void ftr_json_bool(ftr_json *json, const char *name, bool value);
void ftr_json_null(ftr_json *json, const char *name);
void ftr_json_column(ftr_json *json, const char *name, ftr_data_column column);

#endif
