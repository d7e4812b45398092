/* The encoder. Knows records and chunk bodies, but not threads, blocks or files. */
#include "encoder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "copied_words.h"
#include "decimal.h"
#include "encoder_bodies.h"
#include "encoder_strings.h"
#include "format_tags.h"

#define BODIES_MAX ((size_t)1 << 22)

ftr_status ftr_encoder_init(ftr_encoder *encoder, ftr_definitions *definitions,
                            const ftr_recorder_options *options)
{
    *encoder = (ftr_encoder){.definitions = definitions,
                             .floats = options->floats,
                             .numbering = options->numbering,
                             .chunk_size = options->chunk_size,
                             .next_entity = 1};
    ftr_pending_relations_init(&encoder->pending_relations);
    encoder->framed_begin = UINT64_MAX;
    encoder->relation_parts.full_at = options->chunk_size;
    ftr_cbor_writer_init_growing(&encoder->strings, 0);
    ftr_cbor_writer_init_growing(&encoder->directory, 0);
    ftr_dictionary_init(&encoder->dictionary, options->dictionary_memory);
    ftr_status status =
        ftr_chunk_writer_init(&encoder->chunks, options->compression, options->compression_level);
    if (status == FTR_OK)
        status = ftr_range_reserve(&encoder->bodies, BODIES_MAX * sizeof(ftr_chunk_body),
                                   BODIES_MAX / 64 * sizeof(ftr_chunk_body), FTR_TABLE_SHARE);
    if (status != FTR_OK)
        ftr_encoder_release(encoder);
    return status;
}

void ftr_encoder_release(ftr_encoder *encoder)
{
    if (encoder->definitions == NULL)
        return; /* never initialised */
    ftr_chunk_body *bodies = (ftr_chunk_body *)encoder->bodies.base;
    for (size_t i = 0; i < encoder->body_count; i++) {
        if (bodies[i].body.max > 0)
            ftr_cbor_writer_free(&bodies[i].body);
    }
    ftr_range_release(&encoder->bodies);
    ftr_cbor_writer_free(&encoder->strings);
    ftr_cbor_writer_free(&encoder->directory);
    ftr_dictionary_release(&encoder->dictionary);
    ftr_chunk_writer_release(&encoder->chunks);
    free(encoder->active);
    ftr_pending_relations_release(&encoder->pending_relations);
    free(encoder->relation_parts.ends);
    free(encoder->scratch);
    encoder->active = NULL;
    encoder->scratch = NULL;
}

/* ---- transactions -----------------------------------------------------------------------------
 */

static uint8_t *real_at(ftr_encoder *encoder, uint8_t *p, uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    if (encoder->floats == FTR_FLOATS_DOUBLE)
        return ftr_cbor_double_at(p, value);
    if (encoder->floats == FTR_FLOATS_TEXT) {
        char text[FTR_DECIMAL_SIZE];
        return ftr_cbor_uint_at(p,
                                ftr_encoder_string(encoder, text, ftr_decimal_format(value, text)));
    }
    float single = (float)value;
    encoder->rounded_floats += (double)single != value && !isnan(value);
    return ftr_cbor_float_at(p, single);
}

/* In the published text, values of vectors are integers. Returns whether @p digits can be one: at
 * most 64 digits, without X or Z. */
static bool vector_value(const uint8_t *digits, size_t length, uint64_t *value)
{
    if (length == 0 || length > 64)
        return false;
    *value = 0;
    for (size_t i = 0; i < length; i++) {
        if (digits[i] != '0' && digits[i] != '1')
            return false;
        *value = *value << 1 | (digits[i] & 1u);
    }
    return true;
}

/* Writes an attribute with a type that depends on its value. */
static uint8_t *vector_at(ftr_encoder *encoder, uint8_t *p, uint8_t class_, uint32_t name,
                          uint8_t type, const uint8_t *digits, size_t length)
{
    uint64_t value;
    if (vector_value(digits, length, &value))
        return ftr_cbor_uint_at(
            ftr_encoder_prefix_at(p, class_, name, ftr_encoder_written_type(encoder, type)), value);
    p = ftr_encoder_prefix_at(p, class_, name, ftr_encoder_written_type(encoder, FTR_TYPE_STRING));
    return ftr_cbor_uint_at(p, ftr_encoder_string(encoder, digits, length));
}

/* Writes the value of @p item. If the record contains the text of the value, it is at @p text. */
FTR_INLINE uint8_t *value_at(ftr_encoder *encoder, uint8_t *p, const ftr_item *item,
                             const void *text)
{
    uint64_t value = item->value;
    switch (item->form & FTR_ITEM_FORM_MASK) {
    case FTR_ITEM_FORM_BOOLEAN:
        return ftr_cbor_bool_at(p, value != 0);
    case FTR_ITEM_FORM_INTEGER:
        return ftr_cbor_int_at(p, (int64_t)value);
    case FTR_ITEM_FORM_NUMBER:
        return ftr_cbor_uint_at(p, value);
    case FTR_ITEM_FORM_REAL:
        return real_at(encoder, p, value);
    case FTR_ITEM_FORM_DEFINED:
        return ftr_cbor_uint_at(
            p, ftr_encoder_defined(encoder,
                                   ftr_definitions_text(encoder->definitions, (uint32_t)value)));
    default:
        return ftr_cbor_uint_at(p, ftr_encoder_string(encoder, text, (size_t)value));
    }
}

/* Writes an attribute that was not declared, or with a type that depends on its value. */
static __attribute__((noinline)) uint8_t *unprepared_at(ftr_encoder *encoder, uint8_t *p,
                                                        const ftr_item *item, uint8_t class_,
                                                        uint32_t name, const uint8_t *text)
{
    if (!ftr_encoder_has_type_of_value(encoder, item->type))
        return value_at(
            encoder,
            ftr_encoder_prefix_at(p, class_, name, ftr_encoder_written_type(encoder, item->type)),
            item, text);
    size_t length = (size_t)item->value;
    if ((item->form & FTR_ITEM_FORM_MASK) == FTR_ITEM_FORM_DEFINED) {
        const ftr_defined_text *defined =
            ftr_definitions_text(encoder->definitions, (uint32_t)item->value);
        text = (const uint8_t *)defined->text;
        length = defined->length;
    }
    return vector_at(encoder, p, class_, name, item->type, text, length);
}

static uint8_t *named_at(ftr_encoder *encoder, uint8_t *p, const ftr_item *item,
                         const uint8_t *text)
{
    const uint8_t *name = (const uint8_t *)(item + 1);
    return unprepared_at(encoder, p, item, item->form >> 4,
                         ftr_encoder_string(encoder, name, item->name_length), text);
}

/* Writes a declared attribute. */
FTR_INLINE uint8_t *declared_at(ftr_encoder *encoder, const ftr_declared_attribute *attribute,
                                uint8_t *p, const ftr_item *item, const uint8_t *text)
{
    const uint32_t prefix_length = attribute->prefix_length;
    if (!FTR_LIKELY(prefix_length))
        return unprepared_at(encoder, p, item, attribute->class_,
                             ftr_encoder_string(encoder, attribute->name, strlen(attribute->name)),
                             text);
    memcpy(p, attribute->prefix, sizeof attribute->prefix);
    p += prefix_length;
    if (item->form == FTR_ITEM_FORM_TEXT)
        return ftr_cbor_uint_at(p, ftr_encoder_string(encoder, text, (size_t)item->value));
    return value_at(encoder, p, item, text);
}

/* Writes a word of a declared attribute in the cases that words_at() declines. */
static __attribute__((noinline)) uint8_t *
word_at(ftr_encoder *encoder, const ftr_declared_attribute *attribute, uint8_t *p, uint64_t word)
{
    const ftr_item item = {
        .type = attribute->type, .form = ftr_word_form(attribute->form), .value = word};
    return declared_at(encoder, attribute, p, &item, NULL);
}

/* Writes declared attributes that were recorded as words. */
static uint8_t *words_at(ftr_encoder *encoder, uint8_t *p, const ftr_item *words)
{
    const uint64_t *word = &words->value;
    const ftr_declared_attribute *attribute =
        ftr_definitions_attribute(encoder->definitions, words->attribute ^ FTR_ITEM_WORDS);
    for (const uint64_t *end = word + words->name_length; word < end; word++, attribute++) {
        const bool is_number = attribute->form == FTR_ITEM_FORM_NUMBER;
        if (!FTR_LIKELY((is_number || attribute->form == FTR_ITEM_FORM_TEXT) &&
                        attribute->prefix_length)) {
            p = word_at(encoder, attribute, p, *word);
            continue;
        }
        memcpy(p, attribute->prefix, sizeof attribute->prefix);
        p += attribute->prefix_length;
        const uint64_t value =
            is_number ? *word
                      : ftr_encoder_defined(
                            encoder, ftr_definitions_text(encoder->definitions, (uint32_t)*word));
        p = ftr_cbor_uint_at(p, value);
    }
    return p;
}

/* Writes the items in [at, end) and counts them. */
FTR_INLINE uint8_t *items_at(ftr_encoder *encoder, uint8_t *p, const uint8_t *at,
                             const uint8_t *end, size_t *count)
{
    const ftr_declared_attribute *const declared =
        ftr_definitions_attribute(encoder->definitions, 0);
    for (; at < end; (*count)++) {
        const ftr_item *item = (const ftr_item *)at;
        const uint32_t index = item->attribute;
        at += sizeof *item;
        if (FTR_LIKELY(!(index & FTR_ITEM_WORDS))) {
            const ftr_declared_attribute *const attribute = &declared[index];
            /* The most frequent form skips the jump by form and the test for a text. */
            if (item->form == FTR_ITEM_FORM_NUMBER && FTR_LIKELY(attribute->prefix_length)) {
                memcpy(p, attribute->prefix, sizeof attribute->prefix);
                p = ftr_cbor_uint_at(p + attribute->prefix_length, item->value);
                continue;
            }
            p = declared_at(encoder, attribute, p, item, at);
        } else if (item->attribute == FTR_ITEM_NAMED) {
            at += ftr_item_pad(item->name_length);
            p = named_at(encoder, p, item, at);
        } else {
            p = words_at(encoder, p, item);
            at += ftr_words_size(item->name_length) - sizeof *item;
            *count += item->name_length - 1u;
            continue;
        }
        if ((item->form & FTR_ITEM_FORM_MASK) == FTR_ITEM_FORM_TEXT)
            at += ftr_item_pad(item->value);
    }
    return p;
}

/* Like array_head_before(), for counts that need more than one byte. */
static __attribute__((noinline)) uint8_t *long_array_head_before(uint8_t *head, uint8_t *end,
                                                                 size_t count)
{
    uint8_t bytes[FTR_CBOR_HEAD_MAX];
    size_t size = (size_t)(ftr_cbor_head_at(bytes, FTR_CBOR_MAJOR_ARRAY, count) - bytes);
    memmove(head + size, head + 1, (size_t)(end - head) - 1);
    memcpy(head, bytes, size);
    return end + size - 1;
}

/* Writes the head of an array of @p count elements at @p head, where one byte is reserved, before
 * the elements that are already written up to @p end. Returns the new end of the elements. */
static inline uint8_t *array_head_before(uint8_t *head, uint8_t *end, size_t count)
{
    if (count >= FTR_CBOR_INFO_8)
        return long_array_head_before(head, end, count);
    (void)ftr_cbor_head_at(head, FTR_CBOR_MAJOR_ARRAY, count);
    return end;
}

/* Writes the items of the transaction, plus the attribute `unfinished` if the transaction did not
 * end. */
FTR_INLINE void take_transaction(ftr_encoder *encoder, const ftr_stored_tx *tx,
                                 const uint8_t *items, bool is_unfinished)
{
    const ftr_entity *generator = ftr_definitions_entity(encoder->definitions, tx->generator);
    if (!FTR_LIKELY(generator->is_written))
        ftr_encoder_define_generator(encoder, tx->generator);
    uint32_t stream = generator->stream;
    ftr_chunk_body *body = ftr_encoder_body(encoder, stream);
    if (body == NULL)
        return;
    ftr_words_row row;
    const ftr_items taken = ftr_items_of(tx, items, &generator->attributes, &row);
    size_t items_max = taken.size / sizeof(uint64_t); /* each word is one item */
    uint8_t *head = ftr_cbor_reserve(&body->body, FTR_TX_ROOM + items_max * FTR_ITEM_ROOM);
    if (head == NULL) {
        ftr_encoder_latch(encoder, body->body.status);
        return;
    }
    uint8_t *p = head + 1; /* the number of items is known only after they are written */
    p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_TAG, FTR_TAG_TX);
    p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_ARRAY, 4);
    p = ftr_cbor_uint_at(p, tx->id);
    p = ftr_cbor_uint_at(p, tx->generator);
    p = ftr_cbor_uint_at(p, tx->begin);
    p = ftr_cbor_uint_at(p, tx->end);
    size_t count = 0;
    p = items_at(encoder, p, taken.at, taken.at + taken.size, &count);
    if (is_unfinished) {
        static const char name[] = "unfinished";
        p = ftr_encoder_prefix_at(p, FTR_CLASS_END,
                                  ftr_encoder_string(encoder, name, sizeof name - 1),
                                  ftr_encoder_written_type(encoder, FTR_TYPE_BOOLEAN));
        p = ftr_cbor_bool_at(p, true);
        count++;
    }
    p = array_head_before(head, p, count + 1);
    ftr_cbor_advance(&body->body, p);
    if (tx->begin < body->begin)
        body->begin = tx->begin;
    if (tx->end > body->end)
        body->end = tx->end;
    if (tx->end > encoder->latest)
        encoder->latest = tx->end;
    if (encoder->pending_relations.in_file != NULL)
        ftr_id_set_add(encoder->pending_relations.in_file, tx->id);
    body->transactions++;
    encoder->transactions++;
    encoder->attributes += count;
    ftr_encoder_frame_if_full(encoder, body);
}

void ftr_encoder_take_unfinished(ftr_encoder *encoder, const ftr_slot *slot, uint64_t end)
{
    ftr_stored_tx tx = {.id = slot->id,
                        .begin = slot->begin,
                        .items_size = slot->fill,
                        .generator = slot->generator,
                        .end = end};
    take_transaction(encoder, &tx, slot->items, true);
    if (encoder->observer != NULL)
        ftr_run_observer_take(encoder->observer, &tx, slot->items, true);
}

/* Gives the transactions of [from, to) to the observer: once for a block, so that runs without an
 * observer do not pay for it with each transaction. */
static void observe(ftr_encoder *encoder, const uint8_t *from, const uint8_t *to)
{
    while (from < to) {
        const ftr_stored_tx *record = (const ftr_stored_tx *)from;
        if (ftr_record_kind(record) == FTR_RECORD_TX) {
            ftr_run_observer_take(encoder->observer, record, from + sizeof *record, false);
            from += sizeof *record + record->items_size;
        } else {
            from += sizeof(ftr_stored_relation);
        }
    }
}

/* ---- public interface --------------------------------------------------------------------------
 */

void ftr_encoder_take(ftr_encoder *encoder, uint8_t *from, const uint8_t *to)
{
    const uint8_t *first = from;
    while (from < to && encoder->status == FTR_OK) {
        const ftr_stored_tx *record = (const ftr_stored_tx *)from;
        if (record->kind == FTR_RECORD_TX) {
            take_transaction(encoder, record, from + sizeof *record, false);
            from += sizeof *record + record->items_size;
        } else {
            ftr_encoder_take_relation(encoder, (ftr_stored_relation *)from);
            from += sizeof(ftr_stored_relation);
        }
    }
    if (encoder->observer != NULL)
        observe(encoder, first, from);
}

ftr_status ftr_encoder_send(ftr_encoder *encoder, ftr_output *output, ftr_failure *failure)
{
    ftr_status sent = ftr_chunk_send(&encoder->chunks, output, failure);
    if (sent == FTR_OK) {
        ftr_pending_relations_sent(&encoder->pending_relations, encoder->framed.unheld_relations -
                                                                    encoder->sent.unheld_relations);
        encoder->sent = encoder->framed;
        encoder->framed_begin = UINT64_MAX;
    }
    ftr_encoder_latch(encoder, sent);
    return encoder->status;
}

void ftr_encoder_end_file(ftr_encoder *encoder)
{
    ftr_encoder_settle_relations(encoder, true);
    ftr_encoder_flush(encoder, UINT64_MAX, UINT64_MAX);
    ftr_encoder_flush_definitions(encoder);
}
