/* The bodies of chunks. Each stream has one body, which is filled with records and then framed as a
 * chunk. The chunks are in the order that readers need. */
#ifndef FTR_ENCODER_BODIES_H
#define FTR_ENCODER_BODIES_H

#include "encoder_state.h"

/* Allocates the bodies of all streams up to number @p stream. */
bool ftr_encoder_make_bodies(ftr_encoder *encoder, uint32_t stream);

/* Prepares a body for a record of the block that is being read. Called if the body is empty, or
 * contains only records of blocks with higher tickets. */
bool ftr_encoder_lower_ticket(ftr_encoder *encoder, ftr_chunk_body *body, uint32_t stream);

/* Returns the body for a record of @p stream. From this call on, the ticket of the body is at most
 * that of the block that is being read. The ticket of this block may be lower than the ticket of
 * the body's first record, because the blocks of several threads are read in turn. */
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

/* Two functions frame data that must precede the next chunk. The first one frames the pending
 * strings; the second one frames the pending strings and, after them, the definitions. */
void ftr_encoder_frame_strings(ftr_encoder *encoder);
void ftr_encoder_frame_definitions(ftr_encoder *encoder);

/* Frames a body with data, as one chunk or, for the relation body, as several. */
void ftr_encoder_frame_body(ftr_encoder *encoder, ftr_chunk_body *body);

/* Ends the current part of the relation body and begins the next one. Called if the current part
 * has the size of a chunk. */
void ftr_encoder_end_relation_part(ftr_encoder *encoder, ftr_chunk_body *body);

/* Frames each body with a ticket up to @p ticket, or with a first record that was encoded before @p
 * before (ns). If @p ticket or @p before is UINT64_MAX, frames all bodies. If the relation body is
 * framed, the bodies of all streams are framed before it. */
void ftr_encoder_flush(ftr_encoder *encoder, uint64_t ticket, uint64_t before);

/* Like the function above, but stops after a body if about a megabyte is to be sent. Returns
 * whether it stopped: the caller then sends the chunks and calls this function again. */
FTR_MUST_USE bool ftr_encoder_flush_some(ftr_encoder *encoder, uint64_t ticket, uint64_t before);

/* Returns the lowest ticket of all bodies and pending relations: blocks with lower tickets are no
 * longer needed. UINT64_MAX: no block is needed. */
uint64_t ftr_encoder_oldest_ticket(const ftr_encoder *encoder);

static inline void ftr_encoder_frame_if_full(ftr_encoder *encoder, ftr_chunk_body *body)
{
    if (!FTR_LIKELY(ftr_cbor_writer_size(&body->body) < encoder->chunk_size))
        ftr_encoder_frame_body(encoder, body);
}

#endif
