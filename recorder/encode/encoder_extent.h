/* The size of the data in an encoder, in memory and in the file, and the start of the next file. */
#ifndef FTR_ENCODER_EXTENT_H
#define FTR_ENCODER_EXTENT_H

#include "encoder_state.h"

/* Number of transactions of @p stream so far. */
uint64_t ftr_encoder_count(const ftr_encoder *encoder, uint32_t stream);

/* Maximum number of bytes that the unsent data, including definitions, will add to the file. */
size_t ftr_encoder_waiting(const ftr_encoder *encoder);

/* Maximum number of bytes that @p record will add to the file. Texts with invalid UTF-8 can need
 * more. */
size_t ftr_encoder_bound(const ftr_stored_tx *record, const uint8_t *items);

size_t ftr_encoder_memory(const ftr_encoder *encoder);

/* Restarts the encoder for a new file without definitions. All bodies must have been framed. */
void ftr_encoder_start_over(ftr_encoder *encoder);

#endif
