/** @file
 *  The fields of a value in memory: which attributes it becomes, and their values. */
#ifndef TRACELINK_VALUE_FIELDS_H
#define TRACELINK_VALUE_FIELDS_H

#include "c_type.h"

#include <ftr/recorder.h>

/** One attribute of a value. */
struct value_field {
    const char *name;
    ftr_type type;
    const struct c_type *c_type; /**< of an enumeration */
    uint32_t offset;             /**< bytes from the start of the value */
    uint32_t size;
};

struct value_fields {
    struct value_field *fields;
    size_t count;
};

/** Appends the fields of a value of @p type, or, when that is not known, of what @p type_text and
 * @p size say. */
void value_fields_of(struct arena *arena, const char *name, const struct c_type *type,
                     const char *type_text, uint32_t size, struct value_fields *fields);

/** The value of a field in @p bytes, which are of the value it belongs to. Texts live in the arena.
 */
ftr_value value_field_read(struct arena *arena, const struct value_field *field,
                           const unsigned char *bytes, bool big_endian);

#endif
