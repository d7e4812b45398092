/* Frames bodies as chunks, in the order that readers need. */
#ifndef FTR_ENCODER_FRAMING_H
#define FTR_ENCODER_FRAMING_H

#include "encoder_state.h"

/* Each of the two functions frames the chunks that must precede the next chunk: the first one
 * strings, the second one definitions and strings. */
void ftr_encoder_frame_strings(ftr_encoder *encoder);
void ftr_encoder_frame_definitions(ftr_encoder *encoder);

/* Frames the body of a stream when it has the size of a chunk. */
void ftr_encoder_frame_full(ftr_encoder *encoder, ftr_chunk_body *body);

/* Completes a part of the relation body when the part has the size of a chunk. */
void ftr_encoder_end_relation_part(ftr_encoder *encoder, ftr_chunk_body *body);

/* Frames each body with a first record from a block with a ticket up to @p ticket, or
 * encoded before @p before (ns). UINT64_MAX: all. If the relations are among these bodies, the
 * bodies of all streams are framed first. */
void ftr_encoder_flush(ftr_encoder *encoder, uint64_t ticket, uint64_t before);

/* The lowest ticket of a block that is still needed. UINT64_MAX: none. */
uint64_t ftr_encoder_oldest_ticket(const ftr_encoder *encoder);

#endif
