/* The body of the relations. They stand behind the transactions they name as far as these have
 * ended when the relations must leave: so their body is never framed because it is full, but behind
 * all others, when its oldest relation is due. Until then it is a row of complete bodies, each of a
 * chunk's size.
 */
#include "encoder.h"

#include <stdlib.h>

static void add_end(ftr_encoder *encoder, ftr_chunk_body *body)
{
    ftr_relation_parts *parts = &encoder->relation_parts;
    if (parts->count == parts->capacity) {
        size_t capacity = parts->capacity ? parts->capacity * 2 : 16;
        size_t *grown = realloc(parts->ends, capacity * sizeof *grown);
        if (!grown) {
            ftr_encoder_latch(encoder, FTR_ERR_MEMORY);
            return;
        }
        parts->ends = grown;
        parts->capacity = capacity;
    }
    ftr_cbor_put_break(&body->body);
    ftr_encoder_latch(encoder, body->body.status);
    parts->ends[parts->count++] = ftr_cbor_writer_size(&body->body);
}

void ftr_encoder_end_relation_part(ftr_encoder *encoder, ftr_chunk_body *body)
{
    add_end(encoder, body);
    encoder->relation_parts.full_at = ftr_cbor_writer_size(&body->body) + encoder->chunk_size;
    ftr_cbor_put_indefinite_array(&body->body);
}

void ftr_encoder_frame_relations(ftr_encoder *encoder, ftr_chunk_body *body)
{
    ftr_relation_parts *parts = &encoder->relation_parts;
    size_t last = parts->count ? parts->ends[parts->count - 1] : 0;
    if (ftr_cbor_writer_size(&body->body) > last + 1) /* more than the head of a part */
        add_end(encoder, body);
    size_t start = 0;
    for (size_t i = 0; i < parts->count && encoder->status == FTR_OK; ++i) {
        ftr_chunk_put(&encoder->chunks, FTR_TAG_RELATIONS, NULL, body->body.begin + start,
                      parts->ends[i] - start);
        start = parts->ends[i];
    }
    parts->count = 0;
    parts->full_at = encoder->chunk_size;
}

/* Its body holds the block that it was read from, as it did itself. */
static void put_waiting(void *user, const ftr_pending_relation *waiting)
{
    ftr_encoder *encoder = user;
    uint64_t newest = encoder->ticket;
    encoder->ticket = waiting->ticket < newest ? waiting->ticket : newest;
    ftr_encoder_put_relation(encoder, &waiting->record);
    encoder->ticket = newest;
}

void ftr_encoder_settle_relations(ftr_encoder *encoder)
{
    encoder->relations_discarded +=
        ftr_pending_relations_settle(&encoder->pending_relations, put_waiting, encoder);
}

void ftr_encoder_end_relations(ftr_encoder *encoder)
{
    encoder->relations_discarded +=
        ftr_pending_relations_end_file(&encoder->pending_relations, put_waiting, encoder);
}
