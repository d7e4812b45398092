/** @file
 *  The fields of a C value in memory, which become attributes. */
#ifndef FTR_VALUE_FIELDS_H
#define FTR_VALUE_FIELDS_H

#include "c_type.h"

#include <ftr/recorder.h>

/** A field of a value, which becomes one attribute. */
typedef struct ftr_value_field {
    const char *name;
    ftr_type type;
    const ftr_c_type *c_type; /**< type with the enumerators; NULL: unknown */
    uint32_t offset;     /**< offset of the field, or of the struct that contains the bit field, in
                            bytes from the start of the value */
    uint32_t size;       /**< in bytes; 0 for a bit field */
    unsigned bits;       /**< number of bits of a bit field; 0: not a bit field */
    uint64_t bit_offset; /**< offset of a bit field in its struct, in bits */
} ftr_value_field;

typedef struct ftr_value_fields {
    ftr_value_field *fields;
    size_t count;
} ftr_value_fields;

/** Appends the fields of a value of type @p type. If @p type is NULL, derives the type from @p
 * type_text and @p size (in bytes). */
void ftr_value_fields_of(ftr_link_arena *arena, const char *name, const ftr_c_type *type,
                         const char *type_text, uint32_t size, ftr_value_fields *fields);

/** Decodes a field from @p bytes, the bytes of the whole value. Texts are allocated in the
 * arena. */
ftr_value ftr_value_field_read(ftr_link_arena *arena, const ftr_value_field *field,
                               const unsigned char *bytes, bool big_endian);

#endif
