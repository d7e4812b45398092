/* The size of what an encoder holds, in memory and in the file, and the start of the next file. */
#ifndef FTR_ENCODER_EXTENT_H
#define FTR_ENCODER_EXTENT_H

#include "encoder_state.h"

/* Transactions of @p stream so far. */
uint64_t ftr_encoder_count(const ftr_encoder *encoder, uint32_t stream);

/* At most so many bytes will the file grow by what is not sent yet, definitions included. */
size_t ftr_encoder_waiting(const ftr_encoder *encoder);

/* At most so many bytes will it grow by a record; of invalid UTF-8 by more. */
size_t ftr_encoder_bound(const ftr_stored_tx *record, const uint8_t *items);

size_t ftr_encoder_memory(const ftr_encoder *encoder);

/* Goes on in a new file, where nothing is defined yet. Nothing may wait to be framed. */
void ftr_encoder_start_over(ftr_encoder *encoder);

#endif
