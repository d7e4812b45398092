/* Computes the amount of data in an encoder, and the maximum size of this data in the file.
 * Restarts the encoder for the next file. */
#include "encoder.h"

#include "encoder_definitions.h"
#include "encoder_repeats.h"
#include "encoder_strings.h"

#define WORD_BOUND (FTR_ITEM_ROOM + (size_t)2 * FTR_CBOR_HEAD_MAX)

uint64_t ftr_encoder_count(const ftr_encoder *encoder, uint32_t stream)
{
    return stream < encoder->body_count
               ? ((const ftr_chunk_body *)encoder->bodies.base)[stream].transactions
               : 0;
}

size_t ftr_encoder_waiting(const ftr_encoder *encoder)
{
    size_t total = ftr_chunk_unsent(&encoder->chunks) + ftr_cbor_writer_size(&encoder->strings) +
                   ftr_cbor_writer_size(&encoder->directory) +
                   encoder->pending_relations.count * FTR_RELATION_ROOM +
                   (encoder->active_count + 2) * FTR_CHUNK_ROOM + encoder->unused_generators +
                   encoder->relation_parts.count * FTR_CHUNK_ROOM + encoder->unframed_size;
    if (encoder->body_count > 0)
        total += ftr_cbor_writer_size(&((const ftr_chunk_body *)encoder->bodies.base)->body);
    uint32_t count =
        atomic_load_explicit(&encoder->definitions->entity_count, memory_order_acquire);
    for (uint32_t i = encoder->next_entity; i < count; i++)
        total += ftr_encoder_entity_bound(ftr_definitions_entity(encoder->definitions, i));
    return total;
}

size_t ftr_encoder_bound(const ftr_stored_tx *record, const uint8_t *items)
{
    if (ftr_record_kind(record) == FTR_RECORD_RELATION)
        return FTR_RELATION_ROOM;
    size_t bound = FTR_TX_ROOM;
    for (size_t at = 0; at < record->items_size;) {
        const ftr_item *item = (const ftr_item *)(items + at);
        if (ftr_item_is_words(item)) {
            bound += item->name_length * WORD_BOUND;
            at += ftr_words_size(item->name_length);
            continue;
        }
        const size_t name = item->attribute == FTR_ITEM_NAMED ? ftr_item_pad(item->name_length) : 0;
        const size_t text = ftr_item_text_size(item);
        /* bytes become twice as many hexadecimal digits */
        const size_t digits = ftr_item_form(item) == FTR_ITEM_FORM_BYTES
                                  ? 2 * (text + ftr_item_short_bytes(item))
                                  : text;
        bound += FTR_ITEM_ROOM + 2 * FTR_CBOR_HEAD_MAX + name + digits;
        at += sizeof *item + name + text;
    }
    return bound;
}

size_t ftr_encoder_memory(const ftr_encoder *encoder)
{
    size_t total = ftr_dictionary_memory(&encoder->dictionary) + encoder->strings.capacity +
                   encoder->directory.capacity + ftr_chunk_memory(&encoder->chunks) +
                   encoder->idle_memory;
    const ftr_chunk_body *body = ftr_encoder_active_body(encoder, encoder->first_active);
    for (; body != NULL; body = ftr_encoder_active_body(encoder, body->next))
        total += body->body.capacity;
    return total;
}

static void reset_ids(ftr_defined_text *texts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        texts[i].has_id = false;
}

void ftr_encoder_start_over(ftr_encoder *encoder)
{
    ftr_definitions *definitions = encoder->definitions;
    ftr_id_set_clear(&encoder->pending_relations.ids);
    ftr_dictionary_restart(&encoder->dictionary);
    ftr_encoder_reset_recent(encoder);
    ftr_encoder_reset_repeats(encoder);
    reset_ids(ftr_definitions_relation(definitions, 0),
              atomic_load_explicit(&definitions->relation_count, memory_order_acquire));
    reset_ids(ftr_definitions_text(definitions, 0),
              atomic_load_explicit(&definitions->text_count, memory_order_acquire));
    uint32_t entities = atomic_load_explicit(&definitions->entity_count, memory_order_acquire);
    for (uint32_t i = 1; i < entities; i++)
        ftr_encoder_reset_entity(ftr_definitions_entity(definitions, i));
    encoder->next_entity = 1;
    encoder->unused_generators = 0;
    encoder->framed.strings = 0;
    encoder->sent.strings = 0;
}
