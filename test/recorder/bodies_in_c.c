/* Passes calls on to the encoder. */
#include "bodies_in_c.h"

#include "encoder.h"

#include <stdlib.h>

struct test_bodies {
    ftr_encoder encoder;
    ftr_definitions definitions;
};

test_bodies *test_bodies_create(size_t chunk_size)
{
    const ftr_recorder_options options = {
        .compression = FTR_COMPRESSION_NONE, .chunk_size = chunk_size, .dictionary_memory = 1};
    test_bodies *made = calloc(1, sizeof *made);
    if (made != NULL && ftr_encoder_init(&made->encoder, &made->definitions, &options) == FTR_OK)
        return made;
    free(made);
    return NULL;
}

void test_bodies_destroy(test_bodies *bodies)
{
    ftr_encoder_release(&bodies->encoder);
    free(bodies);
}

bool test_bodies_put(test_bodies *bodies, uint32_t stream, uint64_t ticket, uint64_t now,
                     uint32_t number)
{
    ftr_encoder *encoder = &bodies->encoder;
    encoder->ticket = ticket;
    encoder->now = now;
    ftr_chunk_body *body = ftr_encoder_body(encoder, stream);
    if (body == NULL)
        return false;
    ftr_cbor_put_uint(&body->body, number);
    if (stream != 0)
        ftr_encoder_frame_if_full(encoder, body);
    return encoder->status == FTR_OK && body->body.status == FTR_OK;
}

bool test_bodies_flush_some(test_bodies *bodies, uint64_t ticket, uint64_t before)
{
    return ftr_encoder_flush_some(&bodies->encoder, ticket, before);
}

uint64_t test_bodies_oldest_ticket(const test_bodies *bodies)
{
    return ftr_encoder_oldest_ticket(&bodies->encoder);
}

size_t test_bodies_count(const test_bodies *bodies)
{
    return bodies->encoder.active_count;
}

const uint8_t *test_bodies_take(test_bodies *bodies, size_t *size)
{
    ftr_cbor_writer *framed = &bodies->encoder.chunks.framed;
    *size = ftr_cbor_writer_size(framed);
    const uint8_t *begin = framed->begin;
    ftr_cbor_writer_reset(framed);
    return begin;
}
