/* Creates bodies, and maintains the list of the bodies that contain data. */
#include "encoder_bodies.h"

#include "growing_array.h"

bool ftr_encoder_make_bodies(ftr_encoder *encoder, uint32_t stream)
{
    size_t wanted = stream + (size_t)1;
    ftr_status status = ftr_range_commit(&encoder->bodies, wanted * sizeof(ftr_chunk_body));
    ftr_encoder_latch(encoder, status);
    if (status != FTR_OK)
        return false;
    for (size_t i = encoder->body_count; i < wanted; i++)
        ((ftr_chunk_body *)encoder->bodies.base)[i].ticket = UINT64_MAX;
    encoder->body_count = wanted;
    return true;
}

static bool activate(ftr_encoder *encoder, ftr_chunk_body *body, uint32_t stream)
{
    if (!ftr_array_grow(&encoder->active, &encoder->active_capacity, encoder->active_count,
                        sizeof *encoder->active)) {
        ftr_encoder_latch(encoder, FTR_ERR_MEMORY);
        return false;
    }
    body->active_at = encoder->active_count;
    encoder->active[encoder->active_count++] = stream;
    if (body->body.max == 0)
        ftr_cbor_writer_init_growing(&body->body, 0);
    encoder->idle_memory -= body->body.capacity;
    body->stream = stream;
    body->begin = UINT64_MAX;
    body->end = 0;
    body->since = encoder->now;
    ftr_cbor_put_indefinite_array(&body->body);
    return true;
}

bool ftr_encoder_lower_ticket(ftr_encoder *encoder, ftr_chunk_body *body, uint32_t stream)
{
    if (body->ticket == UINT64_MAX && !activate(encoder, body, stream))
        return false;
    body->ticket = encoder->ticket;
    return true;
}
