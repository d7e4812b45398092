/* Encodes records into the bodies of chunks. */
#include "encoder.h"

#include <stdlib.h>
#include <string.h>

#include "encoder_bodies.h"
#include "encoder_items.h"
#include "encoder_repeats.h"
#include "encoder_strings.h"
#include "format_tags.h"

#define BODIES_MAX ((size_t)1 << 22)

ftr_range_request ftr_encoder_request(ftr_range *bodies)
{
    return (ftr_range_request){bodies, BODIES_MAX * sizeof(ftr_chunk_body),
                               BODIES_MAX / 64 * sizeof(ftr_chunk_body), FTR_TABLE_SHARE};
}

ftr_status ftr_encoder_init(ftr_encoder *encoder, ftr_definitions *definitions,
                            const ftr_recorder_options *options, const ftr_range *bodies)
{
    *encoder = (ftr_encoder){.definitions = definitions,
                             .bodies = *bodies,
                             .floats = options->floats,
                             .numbering = options->numbering,
                             .chunk_size = options->chunk_size,
                             .first_active = FTR_NO_BODY,
                             .last_active = FTR_NO_BODY,
                             .lacks_trace = options->sink != NULL && options->sink->write == NULL,
                             .next_entity = 1};
    ftr_pending_relations_init(&encoder->pending_relations);
    encoder->unsent_begin = UINT64_MAX;
    encoder->relation_parts.full_at = options->chunk_size;
    encoder->relation_parts.ids = ftr_id_cover_none;
    ftr_cbor_writer_init_growing(&encoder->strings, 0);
    ftr_cbor_writer_init_growing(&encoder->directory, 0);
    ftr_dictionary_init(&encoder->dictionary, options->dictionary_memory);
    ftr_encoder_reset_recent(encoder);
    memcpy(encoder->head_forms, ftr_cbor_head_forms, sizeof encoder->head_forms);
    ftr_status status =
        ftr_chunk_writer_init(&encoder->chunks, options->compression, options->compression_level);
    if (status != FTR_OK)
        ftr_encoder_release(encoder);
    return status;
}

void ftr_encoder_release(ftr_encoder *encoder)
{
    if (encoder->definitions == NULL)
        return; /* the encoder was never initialised */
    ftr_chunk_body *bodies = (ftr_chunk_body *)encoder->bodies.base;
    for (size_t i = 0; i < encoder->body_count; i++) {
        if (bodies[i].body.max > 0)
            ftr_cbor_writer_free(&bodies[i].body);
    }
    ftr_cbor_writer_free(&encoder->strings);
    ftr_cbor_writer_free(&encoder->directory);
    ftr_dictionary_release(&encoder->dictionary);
    ftr_chunk_writer_release(&encoder->chunks);
    ftr_held_tickets_release(&encoder->held_tickets);
    ftr_pending_relations_release(&encoder->pending_relations);
    free(encoder->relation_parts.complete);
    free(encoder->scratch);
    free(encoder->recent_items);
    encoder->recent_items = NULL;
    encoder->scratch = NULL;
}

/* ---- transactions ---------------------------------------------------------------------------- */

/* Like array_head_before(), but for a head of more than one byte, which requires that the elements
 * are moved. */
static __attribute__((noinline)) uint8_t *long_array_head_before(uint8_t *head, uint8_t *end,
                                                                 size_t count)
{
    uint8_t bytes[FTR_CBOR_HEAD_MAX];
    size_t size = (size_t)(ftr_cbor_head_at(bytes, FTR_CBOR_MAJOR_ARRAY, count) - bytes);
    memmove(head + size, head + 1, (size_t)(end - head) - 1);
    memcpy(head, bytes, size);
    return end + size - 1;
}

/* Writes the head of an array of @p count elements at @p head. The elements are already written,
 * behind one reserved byte, up to @p end. Returns the new end of the elements. */
static inline uint8_t *array_head_before(uint8_t *head, uint8_t *end, size_t count)
{
    if (count >= FTR_CBOR_INFO_8)
        return long_array_head_before(head, end, count);
    (void)ftr_cbor_head_at(head, FTR_CBOR_MAJOR_ARRAY, count);
    return end;
}

/* Appends a transaction of @p generator to @p body, which has enough room. Adds the attribute
 * `unfinished` if the transaction did not end.
 * @param in_file the set of the ids in the file; NULL: no set is kept */
FTR_INLINE void put_transaction(ftr_encoder *encoder, ftr_chunk_body *body,
                                const ftr_entity *generator, const ftr_stored_tx *tx,
                                const uint8_t *items, bool is_unfinished, ftr_id_set *in_file)
{
    uint8_t *p = body->body.cursor;
    /* The first byte is a placeholder: the number of items is known only after they are written. */
    static const uint8_t start[] = {0, FTR_CBOR_MAJOR_TAG << 5 | FTR_TAG_TX,
                                    FTR_CBOR_MAJOR_ARRAY << 5 | 4, 0};
    memcpy(p, start, sizeof start);
    p = ftr_encoder_number_at(encoder, p + sizeof start - 1, tx->id);
    memcpy(p, &generator->number, sizeof generator->number);
    p += generator->number >> FTR_NUMBER_SIZE_SHIFT;
    p = ftr_encoder_number_at(encoder, p, tx->begin);
    p = ftr_encoder_number_at(encoder, p, tx->end);
    size_t count = 0;
    p = ftr_encoder_items_at(encoder, p, items, items + tx->items_size, generator->attributes.at,
                             &count);
    if (is_unfinished) {
        static const char name[] = "unfinished";
        p = ftr_encoder_prefix_at(p, FTR_CLASS_END,
                                  ftr_encoder_string(encoder, name, sizeof name - 1),
                                  ftr_encoder_written_type(encoder, FTR_TYPE_BOOLEAN));
        p = ftr_cbor_bool_at(p, true);
        count++;
    }
    p = array_head_before(body->body.cursor, p, count + 1);
    if (in_file != NULL) {
        ftr_id_set_add(in_file, tx->id);
        encoder->unframed_size += (size_t)(p - body->body.cursor);
    }
    ftr_cbor_advance(&body->body, p);
    if (tx->begin < body->begin)
        body->begin = tx->begin;
    if (tx->end > body->end) {
        body->end = tx->end;
        if (tx->end > encoder->latest)
            encoder->latest = tx->end;
    }
    if (tx->id > body->last_id)
        body->last_id = tx->id;
    else if (tx->id < body->first_id)
        body->first_id = tx->id;
    body->transactions++;
    encoder->transactions++;
    encoder->attributes += count;
    ftr_encoder_frame_if_full(encoder, body);
}

/* Maximum size of an encoded transaction: each word of 8 bytes can become an attribute. */
static inline size_t room_for(const ftr_stored_tx *tx)
{
    return FTR_TX_ROOM + tx->items_size * (FTR_ITEM_ROOM / sizeof(uint64_t));
}

/* Encodes any transaction, also in the cases that encode_prepared() does not handle. Returns false
 * after an error. */
static __attribute__((noinline)) bool encode_transaction(ftr_encoder *encoder,
                                                         const ftr_stored_tx *tx,
                                                         const uint8_t *items, bool is_unfinished)
{
    const ftr_entity *generator = ftr_definitions_entity(encoder->definitions, tx->generator);
    if (!generator->is_written)
        ftr_encoder_define_generator(encoder, tx->generator);
    ftr_chunk_body *body = ftr_encoder_body(encoder, generator->stream);
    if (body == NULL)
        return false;
    if (ftr_cbor_reserve(&body->body, room_for(tx)) == NULL) {
        ftr_encoder_latch(encoder, body->body.status);
        return false;
    }
    /* encode_prepared() refuses an empty body, so every body begins here. */
    if (body->transactions == body->framed)
        body->first_id = body->last_id = tx->id;
    put_transaction(encoder, body, generator, tx, items, is_unfinished,
                    encoder->pending_relations.in_file);
    return true;
}

/* Encodes a transaction, if its generator is prepared and the body has enough room. Otherwise
 * returns false and has no effect. */
FTR_INLINE bool encode_prepared(ftr_encoder *encoder, const ftr_stored_tx *tx, const uint8_t *items,
                                ftr_id_set *in_file)
{
    const ftr_entity *generator = ftr_definitions_entity(encoder->definitions, tx->generator);
    if (!FTR_LIKELY(generator->number))
        return false;
    ftr_chunk_body *body = (ftr_chunk_body *)encoder->bodies.base + generator->stream;
    if (!FTR_LIKELY(body->ticket <= encoder->ticket &&
                    ftr_cbor_writer_room(&body->body) >= room_for(tx)))
        return false;
    put_transaction(encoder, body, generator, tx, items, false, in_file);
    return true;
}

/* Adds the ids of the transactions in [from, to) to the set of the ids in the file, if it is kept.
 */
static __attribute__((noinline)) void add_ids(ftr_id_set *in_file, const uint8_t *from,
                                              const uint8_t *to)
{
    while (from < to) {
        const ftr_stored_tx *record = (const ftr_stored_tx *)from;
        if (ftr_record_kind(record) == FTR_RECORD_TX)
            ftr_id_set_add(in_file, record->id);
        from += ftr_record_size(record);
    }
}

/* Takes the records in [from, to) of a run without a trace: the summary needs nothing else. */
static void observe_only(ftr_encoder *encoder, const uint8_t *from, const uint8_t *to)
{
    const uint64_t before = encoder->observer->transactions;
    const uint64_t latest = ftr_run_observer_add_records(encoder->observer, from, to);
    if (latest > encoder->latest)
        encoder->latest = latest;
    encoder->transactions += encoder->observer->transactions - before;
    encoder->sent.transactions = encoder->transactions;
    if (encoder->pending_relations.in_file != NULL)
        add_ids(encoder->pending_relations.in_file, from, to);
}

bool ftr_encoder_put_open(ftr_encoder *encoder, const ftr_slot *slot, uint64_t end, bool is_cut)
{
    ftr_stored_tx tx = {.id = slot->id,
                        .begin = slot->begin,
                        .items_size = slot->fill,
                        .generator = slot->generator,
                        .end = end};
    if (!encoder->lacks_trace && !encode_transaction(encoder, &tx, slot->items, is_cut))
        return false;
    if (encoder->lacks_trace)
        encoder->sent.transactions = ++encoder->transactions;
    if (encoder->observer != NULL)
        ftr_run_observer_add(encoder->observer, &tx, slot->items, is_cut);
    if (encoder->first_repaired.is_sought)
        ftr_repaired_text_seek(&encoder->first_repaired, encoder->definitions, &tx, slot->items);
    encoder->first_repaired.is_sought = false;
    return true;
}

/* Searches the transactions in [from, to) for the first repaired text, after they were encoded. */
static __attribute__((noinline)) void seek_repaired(ftr_encoder *encoder, const uint8_t *from,
                                                    const uint8_t *to)
{
    while (from < to) {
        const ftr_stored_tx *record = (const ftr_stored_tx *)from;
        if (ftr_record_kind(record) == FTR_RECORD_TX) {
            ftr_repaired_text_seek(&encoder->first_repaired, encoder->definitions, record,
                                   from + sizeof *record);
            from += sizeof *record + record->items_size;
        } else {
            from += sizeof(ftr_stored_relation);
        }
    }
    encoder->first_repaired.is_sought = false;
}

/* Encodes the records in [from, to) until the first error. Inline, so that recorders without a set
 * of ids (@p in_file is NULL) need no test for this set with each transaction. @return the first
 * record that was not encoded */
FTR_INLINE uint8_t *encode_records(ftr_encoder *encoder, uint8_t *from, const uint8_t *to,
                                   ftr_id_set *in_file)
{
    while (from < to && encoder->status == FTR_OK) {
        const ftr_stored_tx *record = (const ftr_stored_tx *)from;
        if (record->kind == FTR_RECORD_TX) {
            if (!FTR_LIKELY(encode_prepared(encoder, record, from + sizeof *record, in_file)) &&
                !encode_transaction(encoder, record, from + sizeof *record, false))
                break;
            from += sizeof *record + record->items_size;
        } else {
            ftr_encoder_add_relation(encoder, (ftr_stored_relation *)from);
            from += sizeof(ftr_stored_relation);
        }
    }
    return from;
}

/* ---- public interface ------------------------------------------------------------------------ */

uint8_t *ftr_encoder_put_records(ftr_encoder *encoder, uint8_t *from, const uint8_t *to)
{
    if (encoder->lacks_trace) {
        observe_only(encoder, from, to);
        return from + (to - from);
    }
    ftr_id_set *const in_file = encoder->pending_relations.in_file;
    uint8_t *const end = in_file == NULL ? encode_records(encoder, from, to, NULL)
                                         : encode_records(encoder, from, to, in_file);
    if (encoder->observer != NULL)
        (void)ftr_run_observer_add_records(encoder->observer, from, end);
    if (encoder->first_repaired.is_sought)
        seek_repaired(encoder, from, end);
    return end;
}

ftr_status ftr_encoder_send(ftr_encoder *encoder, ftr_output *output, ftr_failure *failure)
{
    ftr_status sent = ftr_chunk_send(&encoder->chunks, output, failure);
    if (sent == FTR_OK) {
        ftr_pending_relations_sent(&encoder->pending_relations, encoder->framed.unheld_relations -
                                                                    encoder->sent.unheld_relations);
        encoder->sent = encoder->framed;
        if (encoder->status == FTR_OK)
            encoder->unsent_begin = UINT64_MAX;
    }
    ftr_encoder_latch(encoder, sent);
    return encoder->status;
}

/* Moves a pending relation to the relation body. The relation still needs the block from which it
 * was read, so the body gets the ticket of this block, if this ticket is lower. */
static void put_waiting(void *user, const ftr_pending_relation *waiting)
{
    ftr_encoder *encoder = user;
    uint64_t newest = encoder->ticket;
    encoder->ticket = waiting->ticket < newest ? waiting->ticket : newest;
    ftr_encoder_put_relation(encoder, &waiting->record);
    encoder->ticket = newest;
    encoder->unheld_relations += waiting->held == NULL;
}

void ftr_encoder_settle_relations(ftr_encoder *encoder, bool file_ends)
{
    encoder->relations_discarded +=
        ftr_pending_relations_settle(&encoder->pending_relations, file_ends, put_waiting, encoder);
}

void ftr_encoder_end_file(ftr_encoder *encoder)
{
    ftr_encoder_settle_relations(encoder, true);
    ftr_encoder_flush(encoder, UINT64_MAX, UINT64_MAX);
    ftr_encoder_flush_definitions(encoder);
}
