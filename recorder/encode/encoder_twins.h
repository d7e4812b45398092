/* Twins. If the attributes of a twin have the same names and types as those of the original, the
 * encoded bytes of the original are copied. */
#ifndef FTR_ENCODER_TWINS_H
#define FTR_ENCODER_TWINS_H

#include "encoder_state.h"

/* Writes the words that the item at @p at copies from the transaction before it. Up to 31 bytes
 * after the end are overwritten.
 * @param first the first declared attribute of the twin's generator
 * @return the end of the written bytes; encoder->items_end describes the end of the items */
uint8_t *ftr_encoder_twin_at(ftr_encoder *encoder, uint8_t *p, const uint8_t *at,
                             const ftr_declared_attribute *first);

#endif
