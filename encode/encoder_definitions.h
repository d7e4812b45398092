/* Directory entries of a file, and the prefixes of its attributes. */
#ifndef FTR_ENCODER_DEFINITIONS_H
#define FTR_ENCODER_DEFINITIONS_H

#include "encoder_state.h"
#include "format_tags.h"

/* tag of a begin attribute; the next two numbers are those of record and end attributes */

/* Writes the directory entry of a generator, before its first transaction. */
void ftr_encoder_define_generator(ftr_encoder *encoder, uint32_t handle);

/* Writes the streams that are defined but not used. Unused generators are not written, because
 * Surfer shows two rows for each. */
void ftr_encoder_flush_definitions(ftr_encoder *encoder);

/* Continues the file of another encoder, which wrote @p strings strings and all definitions that
 * are marked as written. */
void ftr_encoder_resume(ftr_encoder *encoder, uint32_t strings);

/* The maximum size of the entry of a stream or generator in the file. */
size_t ftr_encoder_entity_bound(const ftr_entity *entity);

/* Returns the number of @p type in the file. */
static inline uint8_t ftr_encoder_written_type(const ftr_encoder *encoder, uint8_t type)
{
    /* docs/format.md, "Attribute types": the published text has other numbers for the same types.
     */
    static const uint8_t text_numbering[] = {
        [FTR_TYPE_BOOLEAN] = 1,
        [FTR_TYPE_ENUMERATION] = 7,
        [FTR_TYPE_INTEGER] = 2,
        [FTR_TYPE_UNSIGNED] = 3,
        [FTR_TYPE_FLOATING_POINT] = 4,
        [FTR_TYPE_BIT_VECTOR] = 8,
        [FTR_TYPE_LOGIC_VECTOR] = 9,
        [FTR_TYPE_FIXED_POINT_INTEGER] = 5,
        [FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER] = 6,
        [FTR_TYPE_POINTER] = 11,
        [FTR_TYPE_STRING] = 10,
        [FTR_TYPE_TIME] = 12,
    };
    bool is_real = type == FTR_TYPE_FLOATING_POINT || type == FTR_TYPE_FIXED_POINT_INTEGER ||
                   type == FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER;
    if (is_real && encoder->floats == FTR_FLOATS_TEXT)
        type = FTR_TYPE_STRING;
    return encoder->numbering == FTR_NUMBERING_SPEC ? text_numbering[type] : type;
}

/* Writes the start of an attribute: tag, array head, name and type. */
static inline uint8_t *ftr_encoder_prefix_at(uint8_t *p, uint8_t class_, uint32_t name,
                                             uint8_t type)
{
    p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_TAG, FTR_TAG_BEGIN + class_);
    p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_ARRAY, 3);
    p = ftr_cbor_uint_at(p, name);
    return ftr_cbor_uint_at(p, type);
}

/* Whether the written type of values of @p type depends on the value. */
static inline bool ftr_encoder_has_type_of_value(const ftr_encoder *encoder, uint8_t type)
{
    return encoder->numbering == FTR_NUMBERING_SPEC &&
           (type == FTR_TYPE_BIT_VECTOR || type == FTR_TYPE_LOGIC_VECTOR);
}

#endif
