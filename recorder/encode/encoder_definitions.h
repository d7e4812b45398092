/* Directory entries of a file, and the prepared bytes of declared attributes. */
#ifndef FTR_ENCODER_DEFINITIONS_H
#define FTR_ENCODER_DEFINITIONS_H

#include "encoder_state.h"
#include "format_tags.h"

/* ftr_entity.number contains the encoded handle of a generator: the bytes of the handle in the
 * lower 56 bits, and the number of these bytes in the upper 8 bits. */
#define FTR_NUMBER_SIZE_SHIFT 56
#define FTR_NUMBER_BYTES ((UINT64_C(1) << FTR_NUMBER_SIZE_SHIFT) - 1)

/* Writes the directory entry of a generator. Called before the first transaction of the generator
 * is encoded. */
void ftr_encoder_define_generator(ftr_encoder *encoder, uint32_t handle);

/* Writes the streams that are defined but not used. Unused generators are not written, because
 * Surfer shows two rows for each generator. */
void ftr_encoder_flush_definitions(ftr_encoder *encoder);

/* Marks a stream or generator as not written, because another file begins. */
void ftr_encoder_reset_entity(ftr_entity *entity);

/* Continues the file of another encoder. That encoder wrote @p strings strings and the definitions
 * that are marked as written. */
void ftr_encoder_resume(ftr_encoder *encoder, uint32_t strings);

/* Returns the maximum number of bytes that the definition of a stream or generator adds to the
 * file: its entry, and its strings (name, kind, names of attributes). */
size_t ftr_encoder_entity_bound(const ftr_entity *entity);

/* Returns the number that stands for @p type in the file. */
static inline uint8_t ftr_encoder_written_type(const ftr_encoder *encoder, uint8_t type)
{
    /* docs/format.md, "Attribute types" */
    static const uint8_t spec_numbers[] = {
        [FTR_TYPE_BOOLEAN] = FTR_SPEC_BOOLEAN,
        [FTR_TYPE_ENUMERATION] = FTR_SPEC_ENUMERATION,
        [FTR_TYPE_INTEGER] = FTR_SPEC_INTEGER,
        [FTR_TYPE_UNSIGNED] = FTR_SPEC_UNSIGNED,
        [FTR_TYPE_FLOATING_POINT] = FTR_SPEC_FLOATING_POINT,
        [FTR_TYPE_BIT_VECTOR] = FTR_SPEC_BIT_VECTOR,
        [FTR_TYPE_LOGIC_VECTOR] = FTR_SPEC_LOGIC_VECTOR,
        [FTR_TYPE_FIXED_POINT_INTEGER] = FTR_SPEC_FIXED_POINT_INTEGER,
        [FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER] = FTR_SPEC_UNSIGNED_FIXED_POINT_INTEGER,
        [FTR_TYPE_POINTER] = FTR_SPEC_POINTER,
        [FTR_TYPE_STRING] = FTR_SPEC_STRING,
        [FTR_TYPE_TIME] = FTR_SPEC_TIME,
    };
    bool is_real = type == FTR_TYPE_FLOATING_POINT || type == FTR_TYPE_FIXED_POINT_INTEGER ||
                   type == FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER;
    if (is_real && encoder->floats == FTR_FLOATS_TEXT)
        type = FTR_TYPE_STRING;
    return encoder->numbering == FTR_NUMBERING_SPEC ? spec_numbers[type] : type;
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

/* Whether the type that is written for an attribute of @p type depends on the value. */
static inline bool ftr_encoder_has_type_of_value(const ftr_encoder *encoder, uint8_t type)
{
    return encoder->numbering == FTR_NUMBERING_SPEC &&
           (type == FTR_TYPE_BIT_VECTOR || type == FTR_TYPE_LOGIC_VECTOR);
}

#endif
