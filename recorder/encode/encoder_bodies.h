/* The bodies of chunks that are being filled: one for each stream. */
#ifndef FTR_ENCODER_BODIES_H
#define FTR_ENCODER_BODIES_H

#include "encoder_framing.h"
#include "encoder_state.h"

/* Allocates the bodies of all streams up to number @p stream. */
bool ftr_encoder_make_bodies(ftr_encoder *encoder, uint32_t stream);

/* Prepares a body for a record of the block that is being read, if the body is empty or contains
 * only records of blocks with higher tickets. */
bool ftr_encoder_lower_ticket(ftr_encoder *encoder, ftr_chunk_body *body, uint32_t stream);

/* Returns the body for a record of @p stream. From this call on, the ticket of the body is at most
 * that of the block that is being read. This ticket may be lower than the ticket of the body's
 * first record, because the blocks of several threads are read in turn. */
static inline ftr_chunk_body *ftr_encoder_body(ftr_encoder *encoder, uint32_t stream)
{
    if (!FTR_LIKELY(stream < encoder->body_count) && !ftr_encoder_make_bodies(encoder, stream))
        return NULL;
    ftr_chunk_body *body = (ftr_chunk_body *)encoder->bodies.base + stream;
    if (!FTR_LIKELY(body->ticket <= encoder->ticket) &&
        !ftr_encoder_lower_ticket(encoder, body, stream))
        return NULL;
    return body;
}

static inline void ftr_encoder_frame_if_full(ftr_encoder *encoder, ftr_chunk_body *body)
{
    if (!FTR_LIKELY(ftr_cbor_writer_size(&body->body) < encoder->chunk_size))
        ftr_encoder_frame_full(encoder, body);
}

#endif
