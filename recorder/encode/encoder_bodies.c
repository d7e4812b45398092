/* Creates bodies, keeps the list of the bodies with data, and frames them. New strings and
 * definitions are framed before the chunks that use them, and relations last. */
#include "encoder_bodies.h"

#include "growing_array.h"

#include <string.h>

/* Maximum memory, in bytes, that all bodies without content keep for reuse. */
#define IDLE_MEMORY_MAX ((size_t)8 << 20)
/* Bytes of framed chunks at which ftr_encoder_flush_some() returns. */
#define SENT_AT_ONCE ((size_t)1 << 20)

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

/* Appends the body to the list of the bodies with data. */
static void link_body(ftr_encoder *encoder, ftr_chunk_body *body, uint32_t stream)
{
    ftr_chunk_body *last = ftr_encoder_active_body(encoder, encoder->last_active);
    body->previous = encoder->last_active;
    body->next = FTR_NO_BODY;
    encoder->last_active = stream;
    *(last != NULL ? &last->next : &encoder->first_active) = stream;
    encoder->active_count++;
}

static void unlink_body(ftr_encoder *encoder, const ftr_chunk_body *body)
{
    ftr_chunk_body *previous = ftr_encoder_active_body(encoder, body->previous);
    ftr_chunk_body *next = ftr_encoder_active_body(encoder, body->next);
    *(previous != NULL ? &previous->next : &encoder->first_active) = body->next;
    *(next != NULL ? &next->previous : &encoder->last_active) = body->previous;
    encoder->active_count--;
}

static void activate(ftr_encoder *encoder, ftr_chunk_body *body, uint32_t stream)
{
    link_body(encoder, body, stream);
    if (body->body.max == 0)
        ftr_cbor_writer_init_growing(&body->body, 0);
    encoder->idle_memory -= body->body.capacity;
    body->stream = stream;
    body->begin = UINT64_MAX;
    body->end = 0;
    body->since = encoder->now;
    ftr_cbor_put_indefinite_array(&body->body);
}

bool ftr_encoder_lower_ticket(ftr_encoder *encoder, ftr_chunk_body *body, uint32_t stream)
{
    if (!ftr_held_tickets_add(&encoder->held_tickets, encoder->ticket)) {
        ftr_encoder_latch(encoder, FTR_ERR_MEMORY);
        return false;
    }
    if (body->ticket == UINT64_MAX)
        activate(encoder, body, stream);
    else
        ftr_held_tickets_remove(&encoder->held_tickets, body->ticket);
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
    encoder->unframed_size -= ftr_cbor_writer_size(&body->body) - 1; /* without the array's head */
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

void ftr_encoder_frame_body(ftr_encoder *encoder, ftr_chunk_body *body)
{
    unlink_body(encoder, body);
    ftr_encoder_frame_definitions(encoder);
    if (body->stream)
        frame_transactions(encoder, body);
    else
        frame_relations(encoder, body);
    ftr_cbor_writer_reset(&body->body);
    ftr_held_tickets_remove(&encoder->held_tickets, body->ticket);
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

bool ftr_encoder_flush_some(ftr_encoder *encoder, uint64_t ticket, uint64_t before)
{
    ftr_chunk_body *const relations = (ftr_chunk_body *)encoder->bodies.base;
    /* Relations must follow the transactions that they refer to. If relations are due, all streams
     * are therefore framed first. */
    const bool has_relations = encoder->body_count > 0 && relations->ticket != UINT64_MAX &&
                               is_due(relations, ticket, before);
    /* The list is in the order of `since`: behind a body that is not due by age, none is. */
    const bool is_by_age =
        !has_relations && ticket < ftr_held_tickets_lowest(&encoder->held_tickets);
    ftr_chunk_body *next;
    for (ftr_chunk_body *body = ftr_encoder_active_body(encoder, encoder->first_active);
         body != NULL; body = next) {
        next = ftr_encoder_active_body(encoder, body->next);
        if (has_relations ? body != relations : is_due(body, ticket, before)) {
            ftr_encoder_frame_body(encoder, body);
            if (ftr_cbor_writer_size(&encoder->chunks.framed) >= SENT_AT_ONCE)
                return true;
        } else if (is_by_age) {
            break;
        }
    }
    if (has_relations)
        ftr_encoder_frame_body(encoder, relations);
    return false;
}

void ftr_encoder_flush(ftr_encoder *encoder, uint64_t ticket, uint64_t before)
{
    while (ftr_encoder_flush_some(encoder, ticket, before))
        continue;
}

uint64_t ftr_encoder_oldest_ticket(const ftr_encoder *encoder)
{
    const uint64_t of_bodies = ftr_held_tickets_lowest(&encoder->held_tickets);
    const uint64_t of_relations = encoder->pending_relations.oldest_ticket;
    return of_bodies < of_relations ? of_bodies : of_relations;
}
