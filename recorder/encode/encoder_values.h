/* Writes the values of single attributes. Each function returns the end of the written bytes. */
#ifndef FTR_ENCODER_VALUES_H
#define FTR_ENCODER_VALUES_H

#include "encoder_strings.h"

/* Writes an undeclared attribute. */
uint8_t *ftr_encoder_named_at(ftr_encoder *encoder, uint8_t *p, const ftr_item *item);

/* Writes a declared attribute. @param text the text of the value, if the record contains one */
uint8_t *ftr_encoder_declared_at(ftr_encoder *encoder, const ftr_declared_attribute *attribute,
                                 uint8_t *p, const ftr_item *item, const uint8_t *text);

/* Writes a declared attribute that was recorded as a word. */
uint8_t *ftr_encoder_word_at(ftr_encoder *encoder, const ftr_declared_attribute *attribute,
                             uint8_t *p, uint64_t word);

/* Writes a row of words. Sets `expected` and `count` of encoder->items_end. */
uint8_t *ftr_encoder_row_at(ftr_encoder *encoder, uint8_t *p, const ftr_item *row);

/* Writes only the value of a declared attribute: the caller has written its prefix. */
uint8_t *ftr_encoder_value_at(ftr_encoder *encoder, uint8_t *p, const ftr_item *item);

static inline uint8_t *ftr_encoder_number_at(const ftr_encoder *encoder, uint8_t *p, uint64_t value)
{
    return ftr_cbor_head_by(encoder->head_forms, p, FTR_CBOR_MAJOR_UINT, value);
}

#endif
