/* Writes values of every form, of single items and of rows of words. */
#include "encoder_values.h"

#include <math.h>

#include "encoder_definitions.h"

#include <ftr/detail/decimal.h>

static uint8_t *real_at(ftr_encoder *encoder, uint8_t *p, uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    if (encoder->floats == FTR_FLOATS_DOUBLE)
        return ftr_cbor_double_at(p, value);
    if (encoder->floats == FTR_FLOATS_TEXT) {
        char text[FTR_DECIMAL_SIZE];
        return ftr_cbor_uint_at(
            p, ftr_encoder_string(encoder, text, ftr_decimal_format(value, sizeof value, 1, text)));
    }
    float single = (float)value;
    encoder->rounded_floats += (double)single != value && !isnan(value);
    return ftr_cbor_float_at(p, single);
}

/* In the published specification of FTR, the value of a vector is an integer. Returns whether @p
 * digits can be written as an integer: 1 to 64 digits, without X or Z. */
static bool vector_value(const uint8_t *digits, size_t length, uint64_t *value)
{
    if (length == 0 || length > 64)
        return false;
    *value = 0;
    for (size_t i = 0; i < length; i++) {
        if (digits[i] != '0' && digits[i] != '1')
            return false;
        *value = *value << 1 | (digits[i] & 1u);
    }
    return true;
}

/* Writes a vector as an integer if possible. Otherwise writes it as a string, and STRING as the
 * type of the attribute. */
static uint8_t *vector_at(ftr_encoder *encoder, uint8_t *p, uint8_t class_, uint32_t name,
                          uint8_t type, const uint8_t *digits, size_t length)
{
    uint64_t value;
    if (vector_value(digits, length, &value))
        return ftr_cbor_uint_at(
            ftr_encoder_prefix_at(p, class_, name, ftr_encoder_written_type(encoder, type)), value);
    p = ftr_encoder_prefix_at(p, class_, name, ftr_encoder_written_type(encoder, FTR_TYPE_STRING));
    return ftr_cbor_uint_at(p, ftr_encoder_string(encoder, digits, length));
}

/* Writes the value of @p item. @p text: the text or the bytes of the value, if the record contains
 * them behind the item. */
FTR_INLINE uint8_t *value_at(ftr_encoder *encoder, uint8_t *p, const ftr_item *item,
                             const void *text)
{
    uint64_t value = item->value;
    switch (item->form & FTR_ITEM_FORM_MASK) {
    case FTR_ITEM_FORM_BOOLEAN:
        return ftr_cbor_bool_at(p, value != 0);
    case FTR_ITEM_FORM_INTEGER:
        return ftr_cbor_int_at(p, (int64_t)value);
    case FTR_ITEM_FORM_NUMBER:
        return ftr_cbor_uint_at(p, value);
    case FTR_ITEM_FORM_REAL:
        return real_at(encoder, p, value);
    case FTR_ITEM_FORM_DEFINED:
        return ftr_cbor_uint_at(
            p, ftr_encoder_defined(encoder,
                                   ftr_definitions_text(encoder->definitions, (uint32_t)value)));
    case FTR_ITEM_FORM_BYTES: {
        const size_t count = ftr_item_short_bytes(item);
        return ftr_cbor_uint_at(p, count > 0
                                       ? ftr_encoder_bytes(encoder, value, (uint32_t)count)
                                       : ftr_encoder_long_bytes(encoder, text, (size_t)value));
    }
    default:
        return ftr_cbor_uint_at(p, ftr_encoder_string(encoder, text, (size_t)value));
    }
}

/* Writes an attribute without prepared bytes: it was not declared, or its written type depends on
 * its value. */
FTR_INLINE uint8_t *unprepared_at(ftr_encoder *encoder, uint8_t *p, const ftr_item *item,
                                  uint8_t class_, uint32_t name, const uint8_t *text)
{
    if (!ftr_encoder_has_type_of_value(encoder, item->type))
        return value_at(
            encoder,
            ftr_encoder_prefix_at(p, class_, name, ftr_encoder_written_type(encoder, item->type)),
            item, text);
    size_t length = (size_t)item->value;
    if ((item->form & FTR_ITEM_FORM_MASK) == FTR_ITEM_FORM_DEFINED) {
        const ftr_defined_text *defined =
            ftr_definitions_text(encoder->definitions, (uint32_t)item->value);
        text = (const uint8_t *)defined->text;
        length = defined->length;
    }
    return vector_at(encoder, p, class_, name, item->type, text, length);
}

uint8_t *ftr_encoder_named_at(ftr_encoder *encoder, uint8_t *p, const ftr_item *item)
{
    const uint8_t *name = (const uint8_t *)(item + 1);
    return unprepared_at(encoder, p, item, item->form >> 4,
                         ftr_encoder_string(encoder, name, item->name_length),
                         name + ftr_item_pad(item->name_length));
}

uint8_t *ftr_encoder_value_at(ftr_encoder *encoder, uint8_t *p, const ftr_item *item)
{
    return value_at(encoder, p, item, item + 1);
}

uint8_t *ftr_encoder_declared_at(ftr_encoder *encoder, const ftr_declared_attribute *attribute,
                                 uint8_t *p, const ftr_item *item, const uint8_t *text)
{
    if (!FTR_LIKELY(attribute->prefix_length))
        return unprepared_at(encoder, p, item, attribute->class_,
                             ftr_encoder_string(encoder, attribute->name, strlen(attribute->name)),
                             text);
    memcpy(p, attribute->prefix, sizeof attribute->prefix);
    return value_at(encoder, p + attribute->prefix_length, item, text);
}

/* Like ftr_encoder_word_at(), but for words of every form. */
static __attribute__((noinline)) uint8_t *any_word_at(ftr_encoder *encoder,
                                                      const ftr_declared_attribute *attribute,
                                                      uint8_t *p, uint64_t word)
{
    const ftr_item item = {
        .type = attribute->type, .form = ftr_word_form(attribute->form), .value = word};
    return ftr_encoder_declared_at(encoder, attribute, p, &item,
                                   (const uint8_t *)&item); /* without a text */
}

uint8_t *ftr_encoder_word_at(ftr_encoder *encoder, const ftr_declared_attribute *attribute,
                             uint8_t *p, uint64_t word)
{
    const bool is_number = attribute->form == FTR_ITEM_FORM_NUMBER;
    if (!FTR_LIKELY((is_number || attribute->form == FTR_ITEM_FORM_TEXT) &&
                    attribute->prefix_length))
        return any_word_at(encoder, attribute, p, word);
    memcpy(p, attribute->prefix, sizeof attribute->prefix);
    p += attribute->prefix_length;
    if (!is_number)
        word = ftr_encoder_defined(encoder,
                                   ftr_definitions_text(encoder->definitions, (uint32_t)word));
    return ftr_encoder_number_at(encoder, p, word);
}

uint8_t *ftr_encoder_row_at(ftr_encoder *encoder, uint8_t *p, const ftr_item *row)
{
    const ftr_declared_attribute *attribute =
        ftr_definitions_attribute(encoder->definitions, row->attribute ^ FTR_ITEM_WORDS);
    const uint64_t *const words = &row->value;
    for (size_t i = 0; i < row->name_length; i++, attribute++)
        p = ftr_encoder_word_at(encoder, attribute, p, words[i]);
    encoder->items_end.expected = attribute;
    encoder->items_end.count = row->name_length;
    return p;
}
