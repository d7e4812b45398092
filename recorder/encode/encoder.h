/* Converts records into bodies, and bodies into chunks of the file. There is one body for each
 * stream with data, and one for relations. New strings and definitions are framed before the bodies
 * that use them. */
#ifndef FTR_ENCODER_H
#define FTR_ENCODER_H

#include "encoder_bodies.h"
#include "encoder_definitions.h"
#include "encoder_relations.h"
#include "encoder_state.h"
#include "output.h"

/* Returns the request for the range of the bodies. */
ftr_range_request ftr_encoder_request(ftr_range *bodies);

/* Reads the options that the encoder needs. The caller sets the remaining fields.
 * @param bodies the reserved range of ftr_encoder_request() */
FTR_MUST_USE ftr_status ftr_encoder_init(ftr_encoder *encoder, ftr_definitions *definitions,
                                         const ftr_recorder_options *options,
                                         const ftr_range *bodies);
/* Releases everything except the range. */
void ftr_encoder_release(ftr_encoder *encoder);

/* Encodes the records in [from, to), and marks the relations that it discards. Stores the first
 * error in encoder->status. Returns the first record that was not encoded because of an error, or
 * @p to. */
uint8_t *ftr_encoder_put_records(ftr_encoder *encoder, uint8_t *from, const uint8_t *to);

/* Encodes the open transaction in @p slot with the end time @p end (tick). If @p is_cut is true,
 * adds the attribute `unfinished`. Returns false after an error. */
bool ftr_encoder_put_open(ftr_encoder *encoder, const ftr_slot *slot, uint64_t end, bool is_cut);

/* Frames all remaining data, because the file ends. */
void ftr_encoder_end_file(ftr_encoder *encoder);

/* Appends all framed chunks to @p output. */
FTR_MUST_USE ftr_status ftr_encoder_send(ftr_encoder *encoder, ftr_output *output,
                                         ftr_failure *failure);

/* Returns the number of transactions of @p stream so far. */
uint64_t ftr_encoder_count(const ftr_encoder *encoder, uint32_t stream);

/* Returns the maximum number of bytes that the unsent data, including definitions, will add to the
 * file. */
size_t ftr_encoder_waiting(const ftr_encoder *encoder);

/* Returns the maximum number of bytes that @p record will add to the file. Texts with invalid UTF-8
 * can need more. */
size_t ftr_encoder_bound(const ftr_stored_tx *record, const uint8_t *items);

size_t ftr_encoder_memory(const ftr_encoder *encoder);

/* Restarts the encoder for a new file without definitions. All bodies must have been framed. */
void ftr_encoder_start_over(ftr_encoder *encoder);

#endif
