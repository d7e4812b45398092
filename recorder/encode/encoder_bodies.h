/* The bodies of chunks that are being filled, by stream. */
#ifndef FTR_ENCODER_BODIES_H
#define FTR_ENCODER_BODIES_H

#include "encoder_framing.h"
#include "encoder_state.h"

/* Makes bodies memory up to that of @p stream. */
bool ftr_encoder_make_bodies(ftr_encoder *encoder, uint32_t stream);

/* The body is empty, or holds only records of younger blocks than the one that is read. */
bool ftr_encoder_lower_ticket(ftr_encoder *encoder, ftr_chunk_body *body, uint32_t stream);

/* The body that a record of @p stream goes to. From now on the body holds the block that is read:
 * a block that another thread fills may be younger than the first one and be read earlier. */
static inline ftr_chunk_body *ftr_encoder_body(ftr_encoder *encoder, uint32_t stream)
{
    if ((stream + (size_t)1) * sizeof(ftr_chunk_body) > encoder->bodies.committed &&
        !ftr_encoder_make_bodies(encoder, stream))
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
