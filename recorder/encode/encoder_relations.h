/* The relation body. A relation should follow its two transactions in the file, unless they are
 * still open when the relation must be written. The relation body is therefore not framed when it
 * is full. It is framed after the bodies of all streams, when its oldest relation is due. Until
 * then, the relation body is a sequence of complete bodies, each with the size of a chunk. */
#ifndef FTR_ENCODER_RELATIONS_H
#define FTR_ENCODER_RELATIONS_H

#include "encoder_bodies.h"
#include "encoder_strings.h"
#include "encoder_values.h"

/* Adds a relation to the relation body. */
static inline void ftr_encoder_put_relation(ftr_encoder *encoder,
                                            const ftr_stored_relation *relation)
{
    ftr_chunk_body *body = ftr_encoder_body(encoder, 0);
    if (body == NULL)
        return;
    uint32_t name = ftr_encoder_defined(
        encoder, ftr_definitions_relation(encoder->definitions, relation->relation));
    uint8_t *p = ftr_cbor_reserve(&body->body, FTR_RELATION_ROOM);
    if (p == NULL) {
        ftr_encoder_latch(encoder, body->body.status);
        return;
    }
    *p++ = FTR_CBOR_MAJOR_ARRAY << 5 | 5;
    p = ftr_encoder_number_at(encoder, p, name);
    p = ftr_encoder_number_at(encoder, p, relation->from);
    p = ftr_encoder_number_at(encoder, p, relation->to);
    p = ftr_encoder_number_at(encoder, p, relation->from_place >> 32);
    p = ftr_encoder_number_at(encoder, p, relation->to_place >> 32);
    ftr_cbor_advance(&body->body, p);
    ftr_id_cover_add(&encoder->relation_parts.ids, relation->from);
    ftr_id_cover_add(&encoder->relation_parts.ids, relation->to);
    encoder->relations++;
    if (ftr_cbor_writer_size(&body->body) >= encoder->relation_parts.full_at)
        ftr_encoder_end_relation_part(encoder, body);
}

/* Adds a relation to the relation body, or stores it until both of its transactions are settled. */
static inline void ftr_encoder_add_relation(ftr_encoder *encoder, ftr_stored_relation *relation)
{
    if (FTR_LIKELY(!ftr_pending_relations_tracks(&encoder->pending_relations))) {
        ftr_encoder_put_relation(encoder, relation);
        return;
    }
    ftr_relation_state state =
        ftr_pending_relations_add(&encoder->pending_relations, relation, encoder->ticket);
    if (state == FTR_RELATION_WRITTEN)
        ftr_encoder_put_relation(encoder, relation);
    else if (state == FTR_RELATION_DISCARDED)
        encoder->relations_discarded++;
}

/* Writes or discards the pending relations of which both transactions are settled. @p file_ends:
 * this file ends, and another one may follow. In this case, writes the relations with both
 * transactions in this file, discards the relations with one transaction in this file, and keeps
 * the others for the next file. */
void ftr_encoder_settle_relations(ftr_encoder *encoder, bool file_ends);

#endif
