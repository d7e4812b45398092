/* Creates bodies, keeps the list of the bodies with data, and frames them. New strings and
 * definitions are framed before the chunks that use them, and relations last. */
#include "encoder_bodies.h"

#include "growing_array.h"

#include <string.h>

/* Maximum memory, in bytes, that all bodies without content keep for reuse. */
#define IDLE_MEMORY_MAX ((size_t)8 << 20)

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

void ftr_encoder_frame_strings(ftr_encoder *encoder)
{
    if (encoder->string_count == 0)
        return;
    /* The head of the map contains the number of strings, which was not known earlier. put_string()
     * has reserved space for the head. */
    uint8_t head[FTR_CBOR_HEAD_MAX];
    size_t size =
        (size_t)(ftr_cbor_head_at(head, FTR_CBOR_MAJOR_MAP, encoder->string_count) - head);
    ftr_encoder_latch(encoder, encoder->strings.status);
    if (encoder->status == FTR_OK) {
        encoder->framed.strings += (uint32_t)encoder->string_count;
        uint8_t *begin = encoder->strings.begin + FTR_CBOR_HEAD_MAX - size;
        memcpy(begin, head, size);
        const ftr_chunk_head chunk = {.tag = FTR_TAG_DICTIONARY, .strings = encoder->string_count};
        ftr_chunk_put(&encoder->chunks, &chunk, begin, (size_t)(encoder->strings.cursor - begin));
    }
    ftr_cbor_writer_reset(&encoder->strings);
    encoder->string_count = 0;
}

void ftr_encoder_frame_definitions(ftr_encoder *encoder)
{
    ftr_encoder_frame_strings(encoder);
    ftr_encoder_latch(encoder, encoder->directory.status);
    if (ftr_cbor_writer_size(&encoder->directory) == 0)
        return;
    ftr_cbor_put_break(&encoder->directory);
    ftr_encoder_latch(encoder, encoder->directory.status);
    if (encoder->status == FTR_OK)
        ftr_chunk_put(&encoder->chunks, &(ftr_chunk_head){.tag = FTR_TAG_DIRECTORY},
                      encoder->directory.begin, ftr_cbor_writer_size(&encoder->directory));
    ftr_cbor_writer_reset(&encoder->directory);
}

static void frame_transactions(ftr_encoder *encoder, ftr_chunk_body *body)
{
    const ftr_chunk_head head = {.tag = FTR_TAG_TRANSACTIONS,
                                 .has_range = true,
                                 .range = {body->stream, body->begin, body->end},
                                 .ids = {1, 0, body->first_id, body->last_id}};
    ftr_cbor_put_break(&body->body);
    ftr_encoder_latch(encoder, body->body.status);
    if (body->begin < encoder->unsent_begin)
        encoder->unsent_begin = body->begin;
    if (encoder->status != FTR_OK)
        return;
    encoder->framed.transactions += body->transactions - body->framed;
    ftr_chunk_put_transactions(&encoder->chunks, &head, &body->body);
}

static void add_end(ftr_encoder *encoder, ftr_chunk_body *body)
{
    ftr_relation_parts *parts = &encoder->relation_parts;
    if (!ftr_array_grow(&parts->complete, &parts->capacity, parts->count,
                        sizeof *parts->complete)) {
        ftr_encoder_latch(encoder, FTR_ERR_MEMORY);
        return;
    }
    ftr_cbor_put_break(&body->body);
    ftr_encoder_latch(encoder, body->body.status);
    parts->complete[parts->count++] =
        (ftr_relation_part){ftr_cbor_writer_size(&body->body), parts->ids};
    parts->ids = ftr_id_cover_none;
}

void ftr_encoder_end_relation_part(ftr_encoder *encoder, ftr_chunk_body *body)
{
    add_end(encoder, body);
    encoder->relation_parts.full_at = ftr_cbor_writer_size(&body->body) + encoder->chunk_size;
    ftr_cbor_put_indefinite_array(&body->body);
}

static void frame_relations(ftr_encoder *encoder, ftr_chunk_body *body)
{
    ftr_relation_parts *parts = &encoder->relation_parts;
    size_t last = parts->count ? parts->complete[parts->count - 1].end : 0;
    /* the current part contains more than its head */
    if (ftr_cbor_writer_size(&body->body) > last + 1)
        add_end(encoder, body);
    size_t start = 0;
    for (size_t i = 0; i < parts->count && encoder->status == FTR_OK; i++) {
        const ftr_relation_part *part = &parts->complete[i];
        const ftr_chunk_head head = {.tag = FTR_TAG_RELATIONS, .ids = part->ids};
        ftr_chunk_put(&encoder->chunks, &head, body->body.begin + start, part->end - start);
        start = part->end;
    }
    encoder->framed.unheld_relations = encoder->unheld_relations;
    parts->count = 0;
    parts->full_at = encoder->chunk_size;
}

static void frame_body(ftr_encoder *encoder, ftr_chunk_body *body)
{
    ftr_encoder_frame_definitions(encoder);
    if (body->stream)
        frame_transactions(encoder, body);
    else
        frame_relations(encoder, body);
    ftr_cbor_writer_reset(&body->body);
    body->ticket = UINT64_MAX;
    body->framed = body->transactions;
    if (encoder->idle_memory + body->body.capacity > IDLE_MEMORY_MAX)
        ftr_cbor_writer_free(&body->body);
    encoder->idle_memory += body->body.capacity;
}

static bool is_due(const ftr_chunk_body *body, uint64_t ticket, uint64_t before)
{
    return body->ticket <= ticket || body->since < before;
}

void ftr_encoder_flush(ftr_encoder *encoder, uint64_t ticket, uint64_t before)
{
    size_t kept = 0;
    ftr_chunk_body *bodies = (ftr_chunk_body *)encoder->bodies.base;
    /* Relations must follow the transactions that they refer to. If relations are due, all streams
     * are therefore framed first. */
    bool has_relations = encoder->body_count > 0 && bodies[0].ticket != UINT64_MAX &&
                         is_due(&bodies[0], ticket, before);
    for (size_t i = 0; i < encoder->active_count; i++) {
        uint32_t stream = encoder->active[i];
        ftr_chunk_body *body = &bodies[stream];
        if (has_relations && stream == 0)
            continue;
        if (has_relations || is_due(body, ticket, before)) {
            frame_body(encoder, body);
        } else {
            body->active_at = kept;
            encoder->active[kept++] = stream;
        }
    }
    encoder->active_count = kept;
    if (has_relations)
        frame_body(encoder, &bodies[0]);
}

void ftr_encoder_frame_full(ftr_encoder *encoder, ftr_chunk_body *body)
{
    uint32_t last = encoder->active[--encoder->active_count];
    encoder->active[body->active_at] = last;
    ((ftr_chunk_body *)encoder->bodies.base + last)->active_at = body->active_at;
    frame_body(encoder, body);
}

uint64_t ftr_encoder_oldest_ticket(const ftr_encoder *encoder)
{
    uint64_t oldest = encoder->pending_relations.oldest_ticket;
    for (size_t i = 0; i < encoder->active_count; i++) {
        const ftr_chunk_body *body =
            (const ftr_chunk_body *)encoder->bodies.base + encoder->active[i];
        if (body->ticket < oldest)
            oldest = body->ticket;
    }
    return oldest;
}
