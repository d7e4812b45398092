/* The bodies of chunks that are being filled, by stream. */
#ifndef FTR_ENCODER_BODIES_H
#define FTR_ENCODER_BODIES_H

#include "encoder_framing.h"
#include "encoder_state.h"

/* Allocates bodies up to the body of @p stream. */
bool ftr_encoder_make_bodies(ftr_encoder *encoder, uint32_t stream);

/* For a body that is empty, or contains only records of younger blocks than the current one. */
bool ftr_encoder_lower_ticket(ftr_encoder *encoder, ftr_chunk_body *body, uint32_t stream);

/* Returns the body for a record of @p stream. From this call on, the body refers to the block that
 * is being read. That block may be older than the block of the first record, because blocks of
 * several threads are not read in the order of their tickets. */
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
