/* Frames bodies as chunks, in the order that readers need. */
#ifndef FTR_ENCODER_FRAMING_H
#define FTR_ENCODER_FRAMING_H

#include "encoder_state.h"

/* Frame data that must precede the next chunk: the first function the pending strings, the second
 * one the pending strings and then the definitions. */
void ftr_encoder_frame_strings(ftr_encoder *encoder);
void ftr_encoder_frame_definitions(ftr_encoder *encoder);

/* Frames the body of a stream. Called if the body has the size of a chunk. */
void ftr_encoder_frame_full(ftr_encoder *encoder, ftr_chunk_body *body);

/* Ends the current part of the relation body and begins the next one. Called if the current part
 * has the size of a chunk. */
void ftr_encoder_end_relation_part(ftr_encoder *encoder, ftr_chunk_body *body);

/* Frames each body with a ticket up to @p ticket, or with a first record that was encoded before @p
 * before (ns). UINT64_MAX: all bodies. If the relation body is among them, the bodies of all
 * streams are framed before it. */
void ftr_encoder_flush(ftr_encoder *encoder, uint64_t ticket, uint64_t before);

/* The lowest ticket of all bodies and pending relations: blocks with lower tickets are no longer
 * needed. UINT64_MAX: no block is needed. */
uint64_t ftr_encoder_oldest_ticket(const ftr_encoder *encoder);

#endif
