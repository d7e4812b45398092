/* Repeated items. Consecutive transactions of a generator that are recorded as words usually differ
 * in only a few words. The encoded bytes of the previous transaction are therefore copied, and the
 * changed words are replaced. */
#ifndef FTR_ENCODER_REPEATS_H
#define FTR_ENCODER_REPEATS_H

#include "encoder_state.h"

/* Forgets all previous items. Must be called when a file begins, because the string ids of a file
 * start at 0. */
void ftr_encoder_reset_repeats(ftr_encoder *encoder);

/* Writes the row of words at @p at and, if they can be kept, the items after it up to the first
 * text or real number. Up to 31 bytes after the end are overwritten.
 * @param end end of the items of the transaction
 * @return the end of the written bytes; encoder->items_end describes the end of the items */
uint8_t *ftr_encoder_words_at(ftr_encoder *encoder, uint8_t *p, const uint8_t *at,
                              const uint8_t *end);

#endif
