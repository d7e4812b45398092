/* Rows of words: several declared attributes of one transaction, recorded together. Most words of a
 * row have the value that they had in the previous row of the same attributes, so their encoded
 * bytes are copied. */
#ifndef FTR_ENCODER_ROWS_H
#define FTR_ENCODER_ROWS_H

#include "copied_words.h"
#include "encoder_state.h"

/* Forgets all previous rows. Must be called when a file begins, because the string ids of a file
 * start at 0. */
void ftr_encoder_reset_rows(ftr_encoder *encoder);

/* Returns the items of a valid transaction of @p generator, like ftr_items_of(). */
ftr_items ftr_encoder_items_of(ftr_encoder *encoder, const ftr_entity *generator,
                               const ftr_stored_tx *tx, const uint8_t *items, ftr_words_row *row);

/* Writes the attributes of a row. Returns the end of the written bytes; up to 31 bytes after the
 * end are overwritten. */
uint8_t *ftr_encoder_row_at(ftr_encoder *encoder, uint8_t *p, const ftr_item *words);

#endif
