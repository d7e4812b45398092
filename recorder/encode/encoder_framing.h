/* Chunks of bodies, in the order that readers need. */
#ifndef FTR_ENCODER_FRAMING_H
#define FTR_ENCODER_FRAMING_H

#include "encoder_state.h"

/* Each frames the chunks that must precede the next chunk: strings; definitions and strings. */
void ftr_encoder_frame_strings(ftr_encoder *encoder);
void ftr_encoder_frame_definitions(ftr_encoder *encoder);

/* Frames a stream's body that has a chunk's size. */
void ftr_encoder_frame_full(ftr_encoder *encoder, ftr_chunk_body *body);

/* Ends a part of the relations' body that has a chunk's size. */
void ftr_encoder_end_relation_part(ftr_encoder *encoder, ftr_chunk_body *body);

/* Writes out every body whose first record came from a block with a ticket up to @p ticket, or
 * before @p before (ns). UINT64_MAX: all. If the relations are among them, the bodies of all
 * streams go before them. */
void ftr_encoder_flush(ftr_encoder *encoder, uint64_t ticket, uint64_t before);

/* The lowest ticket that is still needed; UINT64_MAX: none. */
uint64_t ftr_encoder_oldest_ticket(const ftr_encoder *encoder);

#endif
