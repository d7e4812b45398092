/* The encoder. Knows records and chunk bodies; knows nothing of threads, blocks or files. */
#include "encoder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decimal.h"
#include "utf8.h"

#define BODIES_MAX ((size_t)1 << 22)
#define STREAM_TAG 16
#define GENERATOR_TAG 17
#define EVENT_TAG 6
#define BEGIN_TAG 7

ftr_status ftr_encoder_init(ftr_encoder *encoder, ftr_definitions *definitions,
                            const ftr_recorder_options *options)
{
    *encoder = (ftr_encoder){.definitions = definitions,
                             .floats = options->floats,
                             .numbering = options->numbering,
                             .chunk_size = options->chunk_size,
                             .next_entity = 1};
    ftr_pending_relations_init(&encoder->pending_relations);
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
    if (!encoder->definitions)
        return; /* never initialised */
    ftr_chunk_body *bodies = (ftr_chunk_body *)encoder->bodies.base;
    for (size_t i = 0; i < ftr_encoder_body_count(encoder); ++i) {
        if (bodies[i].body.make_room)
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

/* ---- strings ----------------------------------------------------------------------------------
 */

static const uint8_t *repaired(ftr_encoder *encoder, const uint8_t *text, size_t *length)
{
    if (*length * 3 > encoder->scratch_capacity) {
        uint8_t *grown = realloc(encoder->scratch, *length * 3);
        if (!grown) {
            ftr_encoder_latch(encoder, FTR_ERR_MEMORY);
            *length = 0;
            return text;
        }
        encoder->scratch = grown;
        encoder->scratch_capacity = *length * 3;
    }
    *length = ftr_utf8_repair(text, *length, encoder->scratch);
    ++encoder->repaired_texts;
    return encoder->scratch;
}

static void put_string(ftr_encoder *encoder, uint32_t id, const uint8_t *text, size_t length)
{
    static const uint8_t gap[FTR_CBOR_HEAD_MAX];
    if (!ftr_utf8_is_valid(text, length))
        text = repaired(encoder, text, &length);
    if (encoder->string_count == 0)
        ftr_cbor_put_encoded(&encoder->strings, gap, sizeof gap);
    ftr_cbor_put_uint(&encoder->strings, id);
    ftr_cbor_put_text(&encoder->strings, (const char *)text, length);
    ++encoder->string_count;
    ++encoder->strings_written;
    if (ftr_cbor_writer_size(&encoder->strings) >= encoder->chunk_size)
        ftr_encoder_frame_strings(encoder);
}

static __attribute__((noinline)) uint32_t look_up(ftr_encoder *encoder, const void *text,
                                                  size_t length)
{
    uint32_t id = 0;
    bool is_new = false;
    ftr_status status = ftr_dictionary_get(&encoder->dictionary, text, length, &id, &is_new);
    if (status != FTR_OK)
        ftr_encoder_latch(encoder, status);
    else if (is_new)
        put_string(encoder, id, text, length);
    return id;
}

static inline uint32_t string_id(ftr_encoder *encoder, const void *text, size_t length)
{
    uint32_t id;
    if (FTR_LIKELY(ftr_dictionary_try_get(&encoder->dictionary, text, length, &id)))
        return id;
    return look_up(encoder, text, length);
}

static uint32_t defined_id(ftr_encoder *encoder, ftr_defined_text *text)
{
    if (!text->has_id) {
        text->id = string_id(encoder, text->text, text->length);
        text->has_id = true;
    }
    return text->id;
}

/* ---- types and definitions --------------------------------------------------------------------
 */

static uint8_t written_type(const ftr_encoder *encoder, uint8_t type)
{
    /* docs/format.md, "Attribute types": the published text numbers the same types otherwise. */
    static const uint8_t text_numbering[] = {
        [FTR_TYPE_BOOLEAN] = 1,
        [FTR_TYPE_ENUMERATION] = 7,
        [FTR_TYPE_INTEGER] = 2,
        [FTR_TYPE_UNSIGNED] = 3,
        [FTR_TYPE_FLOATING_POINT] = 4,
        [FTR_TYPE_BIT_VECTOR] = 8,
        [FTR_TYPE_LOGIC_VECTOR] = 9,
        [FTR_TYPE_FIXED_POINT_INTEGER] = 5,
        [FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER] = 6,
        [FTR_TYPE_POINTER] = 11,
        [FTR_TYPE_STRING] = 10,
        [FTR_TYPE_TIME] = 12,
    };
    bool is_real = type == FTR_TYPE_FLOATING_POINT || type == FTR_TYPE_FIXED_POINT_INTEGER ||
                   type == FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER;
    if (is_real && encoder->floats == FTR_FLOATS_TEXT)
        type = FTR_TYPE_STRING;
    return encoder->numbering == FTR_NUMBERING_TEXT ? text_numbering[type] : type;
}

/* tag, array head, name and type: what every attribute starts with. */
static uint8_t *prefix_at(uint8_t *p, uint8_t class_, uint32_t name, uint8_t type)
{
    p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_TAG, BEGIN_TAG + class_);
    p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_ARRAY, 3);
    p = ftr_cbor_uint_at(p, name);
    return ftr_cbor_uint_at(p, type);
}

/* Whether the written type of values of @p type depends on the value. */
static bool has_type_of_value(const ftr_encoder *encoder, uint8_t type)
{
    return encoder->numbering == FTR_NUMBERING_TEXT &&
           (type == FTR_TYPE_BIT_VECTOR || type == FTR_TYPE_LOGIC_VECTOR);
}

/* A name's id has 31 bits: eight bytes are enough. Such of no length have none prepared. */
static void prepare_attribute(ftr_encoder *encoder, ftr_declared_attribute *attribute)
{
    uint8_t prefix[4 * FTR_CBOR_HEAD_MAX];
    uint32_t name = string_id(encoder, attribute->name, strlen(attribute->name));
    const uint8_t *end =
        prefix_at(prefix, attribute->class_, name, written_type(encoder, attribute->type));
    memcpy(attribute->prefix, prefix, sizeof attribute->prefix);
    attribute->prefix_length =
        has_type_of_value(encoder, attribute->type) ? 0 : (uint32_t)(end - prefix);
}

static void prepare_attributes(ftr_encoder *encoder, const ftr_entity *entity)
{
    for (uint32_t i = 0; i < entity->attributes.count; ++i)
        prepare_attribute(
            encoder, ftr_definitions_attribute(encoder->definitions, entity->attributes.first + i));
}

/* Writes the directory entry of a stream or generator, and prepares the generator's attributes. */
static void put_entity(ftr_encoder *encoder, uint32_t handle, ftr_entity *entity)
{
    ftr_cbor_writer *directory = &encoder->directory;
    uint32_t name = string_id(encoder, entity->name, strlen(entity->name));
    if (ftr_cbor_writer_size(directory) == 0)
        ftr_cbor_put_indefinite_array(directory);
    bool is_stream = entity->kind & FTR_ENTITY_STREAM;
    ftr_cbor_put_tag(directory, is_stream ? STREAM_TAG : GENERATOR_TAG);
    ftr_cbor_put_array(directory, 3);
    ftr_cbor_put_uint(directory, handle);
    ftr_cbor_put_uint(directory, name);
    if (is_stream)
        ftr_cbor_put_uint(directory,
                          string_id(encoder, entity->stream_kind, strlen(entity->stream_kind)));
    else
        ftr_cbor_put_uint(directory, entity->stream);
    prepare_attributes(encoder, entity);
    entity->is_written = true;
}

void ftr_encoder_resume(ftr_encoder *encoder, uint32_t strings)
{
    encoder->dictionary.next_id = strings;
    uint32_t count = encoder->definitions->entity_count;
    for (uint32_t i = 1; i < count; ++i) {
        const ftr_entity *entity = ftr_definitions_entity(encoder->definitions, i);
        if (entity->is_written && !(entity->kind & FTR_ENTITY_FILTERED))
            prepare_attributes(encoder, entity);
    }
}

/* Writes the streams that are new. Generators wait for their first transaction. */
static void take_definitions(ftr_encoder *encoder)
{
    uint32_t count =
        atomic_load_explicit(&encoder->definitions->entity_count, memory_order_acquire);
    for (; encoder->next_entity < count; ++encoder->next_entity) {
        ftr_entity *entity = ftr_definitions_entity(encoder->definitions, encoder->next_entity);
        if (entity->is_written || entity->kind & FTR_ENTITY_FILTERED)
            continue;
        if (entity->kind & FTR_ENTITY_STREAM)
            put_entity(encoder, encoder->next_entity, entity);
        else
            encoder->unused_generators += ftr_encoder_entity_bound(entity);
    }
}

/* A generator's first transaction was met. */
static __attribute__((noinline)) void take_generator(ftr_encoder *encoder, uint32_t handle)
{
    ftr_entity *entity = ftr_definitions_entity(encoder->definitions, handle);
    take_definitions(encoder);
    encoder->unused_generators -= ftr_encoder_entity_bound(entity);
    put_entity(encoder, handle, entity);
}

void ftr_encoder_flush_definitions(ftr_encoder *encoder)
{
    take_definitions(encoder);
    ftr_encoder_frame_definitions(encoder);
}

/* ---- bodies -----------------------------------------------------------------------------------
 */

/* Makes bodies memory up to that of @p stream. */
static bool make_bodies(ftr_encoder *encoder, uint32_t stream)
{
    size_t from = ftr_encoder_body_count(encoder);
    ftr_status status =
        ftr_range_commit(&encoder->bodies, (stream + (size_t)1) * sizeof(ftr_chunk_body));
    ftr_encoder_latch(encoder, status);
    for (size_t i = from; i < ftr_encoder_body_count(encoder); ++i)
        ((ftr_chunk_body *)encoder->bodies.base)[i].ticket = UINT64_MAX;
    return status == FTR_OK;
}

static bool activate(ftr_encoder *encoder, ftr_chunk_body *body, uint32_t stream)
{
    if (encoder->active_count == encoder->active_capacity) {
        size_t capacity = encoder->active_capacity ? encoder->active_capacity * 2 : 64;
        uint32_t *grown = realloc(encoder->active, capacity * sizeof *grown);
        if (!grown) {
            ftr_encoder_latch(encoder, FTR_ERR_MEMORY);
            return false;
        }
        encoder->active = grown;
        encoder->active_capacity = capacity;
    }
    body->active_at = encoder->active_count;
    encoder->active[encoder->active_count++] = stream;
    if (!body->body.make_room)
        ftr_cbor_writer_init_growing(&body->body, 0);
    encoder->idle_memory -= body->body.capacity;
    body->stream = stream;
    body->begin = UINT64_MAX;
    body->end = 0;
    body->since = encoder->now;
    ftr_cbor_put_indefinite_array(&body->body);
    return true;
}

/* The body is empty, or holds only records of younger blocks than the one that is read. */
static __attribute__((noinline)) bool lower_ticket(ftr_encoder *encoder, ftr_chunk_body *body,
                                                   uint32_t stream)
{
    if (body->ticket == UINT64_MAX && !activate(encoder, body, stream))
        return false;
    body->ticket = encoder->ticket;
    return true;
}

/* The body that a record of @p stream goes to. From now on the body holds the block that is read:
 * a block that another thread fills may be younger than the first one and be read earlier. */
static inline ftr_chunk_body *body_for(ftr_encoder *encoder, uint32_t stream)
{
    if ((stream + (size_t)1) * sizeof(ftr_chunk_body) > encoder->bodies.committed &&
        !make_bodies(encoder, stream))
        return NULL;
    ftr_chunk_body *body = (ftr_chunk_body *)encoder->bodies.base + stream;
    if (!FTR_LIKELY(body->ticket <= encoder->ticket) && !lower_ticket(encoder, body, stream))
        return NULL;
    return body;
}

static inline void frame_if_full(ftr_encoder *encoder, ftr_chunk_body *body)
{
    if (!FTR_LIKELY(ftr_cbor_writer_size(&body->body) < encoder->chunk_size))
        ftr_encoder_frame_full(encoder, body);
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
        return ftr_cbor_uint_at(p, string_id(encoder, text, ftr_decimal_format(value, text)));
    }
    float single = (float)value;
    encoder->rounded_floats += (double)single != value && !isnan(value);
    return ftr_cbor_float_at(p, single);
}

/* The published text has integers as values of vectors. Whether these digits are one: at most 64 of
 * them, and no X or Z. */
static bool vector_value(const uint8_t *digits, size_t length, uint64_t *value)
{
    if (length == 0 || length > 64)
        return false;
    *value = 0;
    for (size_t i = 0; i < length; ++i) {
        if (digits[i] != '0' && digits[i] != '1')
            return false;
        *value = *value << 1 | (digits[i] & 1u);
    }
    return true;
}

/* An attribute whose written type depends on its value. */
static uint8_t *vector_at(ftr_encoder *encoder, uint8_t *p, uint8_t class_, uint32_t name,
                          uint8_t type, const uint8_t *digits, size_t length)
{
    uint64_t value;
    if (vector_value(digits, length, &value))
        return ftr_cbor_uint_at(prefix_at(p, class_, name, written_type(encoder, type)), value);
    p = prefix_at(p, class_, name, written_type(encoder, FTR_TYPE_STRING));
    return ftr_cbor_uint_at(p, string_id(encoder, digits, length));
}

/* The value of @p item, whose text, if it has one in place, is at @p text. */
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
            p, defined_id(encoder, ftr_definitions_text(encoder->definitions, (uint32_t)value)));
    default:
        return ftr_cbor_uint_at(p, string_id(encoder, text, (size_t)value));
    }
}

/* An attribute that was not declared, or whose written type depends on its value. */
static __attribute__((noinline)) uint8_t *unprepared_at(ftr_encoder *encoder, uint8_t *p,
                                                        const ftr_item *item, uint8_t class_,
                                                        uint32_t name, const uint8_t *text)
{
    if (!has_type_of_value(encoder, item->type))
        return value_at(encoder, prefix_at(p, class_, name, written_type(encoder, item->type)),
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
                         string_id(encoder, name, item->name_length), text);
}

FTR_INLINE uint8_t *declared_at(ftr_encoder *encoder, uint8_t *p, const ftr_item *item,
                                const uint8_t *text)
{
    const ftr_declared_attribute *attribute =
        ftr_definitions_attribute(encoder->definitions, item->attribute);
    if (attribute->prefix_length == 0)
        return unprepared_at(encoder, p, item, attribute->class_,
                             string_id(encoder, attribute->name, strlen(attribute->name)), text);
    memcpy(p, attribute->prefix, sizeof attribute->prefix);
    return value_at(encoder, p + attribute->prefix_length, item, text);
}

/* Declared attributes that were recorded as words. */
static uint8_t *words_at(ftr_encoder *encoder, uint8_t *p, const ftr_item *words)
{
    const uint64_t *word = &words->value;
    for (uint32_t i = 0; i < words->name_length; ++i) {
        const uint32_t index = (words->attribute ^ FTR_ITEM_WORDS) + i;
        const ftr_declared_attribute *attribute =
            ftr_definitions_attribute(encoder->definitions, index);
        const ftr_item item = {.attribute = index,
                               .type = attribute->type,
                               .form = ftr_word_form(attribute->form),
                               .value = word[i]};
        p = declared_at(encoder, p, &item, NULL);
    }
    return p;
}

/* The items in [at, end), which it counts. */
FTR_INLINE uint8_t *items_at(ftr_encoder *encoder, uint8_t *p, const uint8_t *at,
                             const uint8_t *end, size_t *count)
{
    for (; at < end; ++*count) {
        const ftr_item *item = (const ftr_item *)at;
        at += sizeof *item;
        if (FTR_LIKELY(!(item->attribute & FTR_ITEM_WORDS))) {
            p = declared_at(encoder, p, item, at);
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

/* The same for an array of more elements than a byte can tell. */
static __attribute__((noinline)) uint8_t *long_array_head_before(uint8_t *head, uint8_t *end,
                                                                 size_t count)
{
    uint8_t bytes[FTR_CBOR_HEAD_MAX];
    size_t size = (size_t)(ftr_cbor_head_at(bytes, FTR_CBOR_MAJOR_ARRAY, count) - bytes);
    memmove(head + size, head + 1, (size_t)(end - head) - 1);
    memcpy(head, bytes, size);
    return end + size - 1;
}

/* The head of an array of @p count at @p head, where one byte was left for it. Returns the new end
 * of what follows it. */
static inline uint8_t *array_head_before(uint8_t *head, uint8_t *end, size_t count)
{
    if (count >= FTR_CBOR_INFO_8)
        return long_array_head_before(head, end, count);
    (void)ftr_cbor_head_at(head, FTR_CBOR_MAJOR_ARRAY, count);
    return end;
}

/* The transaction's items, and one more if it was cut off. */
FTR_INLINE void take_transaction(ftr_encoder *encoder, const ftr_stored_tx *tx,
                                 const uint8_t *items, bool is_unfinished)
{
    const ftr_entity *generator = ftr_definitions_entity(encoder->definitions, tx->generator);
    if (!FTR_LIKELY(generator->is_written))
        take_generator(encoder, tx->generator);
    uint32_t stream = generator->stream;
    ftr_chunk_body *body = body_for(encoder, stream);
    if (!body)
        return;
    size_t items_max = tx->items_size / sizeof(uint64_t); /* words are one each */
    uint8_t *head = ftr_cbor_reserve(&body->body, FTR_TX_ROOM + items_max * FTR_ITEM_ROOM);
    if (!head) {
        ftr_encoder_latch(encoder, body->body.status);
        return;
    }
    uint8_t *p = head + 1; /* the number of items is known when they are written */
    p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_TAG, EVENT_TAG);
    p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_ARRAY, 4);
    p = ftr_cbor_uint_at(p, tx->id);
    p = ftr_cbor_uint_at(p, tx->generator);
    p = ftr_cbor_uint_at(p, tx->begin);
    p = ftr_cbor_uint_at(p, tx->end);
    size_t count = 0;
    p = items_at(encoder, p, items, items + tx->items_size, &count);
    if (is_unfinished) {
        static const char name[] = "unfinished";
        p = prefix_at(p, FTR_CLASS_END, string_id(encoder, name, sizeof name - 1),
                      written_type(encoder, FTR_TYPE_BOOLEAN));
        p = ftr_cbor_bool_at(p, true);
        ++count;
    }
    p = array_head_before(head, p, count + 1);
    ftr_cbor_advance(&body->body, p);
    if (tx->begin < body->begin)
        body->begin = tx->begin;
    if (tx->end > body->end)
        body->end = tx->end;
    if (tx->end > encoder->latest)
        encoder->latest = tx->end;
    if (encoder->pending_relations.in_file)
        ftr_id_set_add(encoder->pending_relations.in_file, tx->id);
    ++body->transactions;
    ++encoder->transactions;
    encoder->attributes += count;
    frame_if_full(encoder, body);
}

void ftr_encoder_take_unfinished(ftr_encoder *encoder, const ftr_slot *slot, uint64_t end)
{
    ftr_stored_tx tx = {.id = slot->id,
                        .begin = slot->begin,
                        .items_size = slot->fill,
                        .generator = slot->generator,
                        .end = end};
    take_transaction(encoder, &tx, slot->items, true);
}

/* ---- relations --------------------------------------------------------------------------------
 */

void ftr_encoder_put_relation(ftr_encoder *encoder, const ftr_stored_relation *relation)
{
    ftr_chunk_body *body = body_for(encoder, 0);
    if (!body)
        return;
    uint32_t name =
        defined_id(encoder, ftr_definitions_relation(encoder->definitions, relation->relation));
    uint8_t *p = ftr_cbor_reserve(&body->body, FTR_RELATION_ROOM);
    if (!p) {
        ftr_encoder_latch(encoder, body->body.status);
        return;
    }
    p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_ARRAY, 5);
    p = ftr_cbor_uint_at(p, name);
    p = ftr_cbor_uint_at(p, relation->from);
    p = ftr_cbor_uint_at(p, relation->to);
    p = ftr_cbor_uint_at(p, relation->from_place >> 32);
    p = ftr_cbor_uint_at(p, relation->to_place >> 32);
    ftr_cbor_advance(&body->body, p);
    ++encoder->relations;
    if (ftr_cbor_writer_size(&body->body) >= encoder->relation_parts.full_at)
        ftr_encoder_end_relation_part(encoder, body);
}

static void take_relation(ftr_encoder *encoder, const ftr_stored_relation *relation)
{
    if (FTR_LIKELY(!ftr_pending_relations_tracks(&encoder->pending_relations))) {
        ftr_encoder_put_relation(encoder, relation);
        return;
    }
    ftr_relation_state state =
        ftr_pending_relations_take(&encoder->pending_relations, relation, encoder->ticket);
    if (state == FTR_RELATION_WRITTEN)
        ftr_encoder_put_relation(encoder, relation);
    else if (state == FTR_RELATION_DISCARDED)
        ++encoder->relations_discarded;
}

/* ---- the whole --------------------------------------------------------------------------------
 */

void ftr_encoder_take(ftr_encoder *encoder, const uint8_t *from, const uint8_t *to)
{
    while (from < to && encoder->status == FTR_OK) {
        const ftr_stored_tx *record = (const ftr_stored_tx *)from;
        if (record->kind == FTR_RECORD_TX) {
            take_transaction(encoder, record, from + sizeof *record, false);
            from += sizeof *record + record->items_size;
        } else {
            take_relation(encoder, (const ftr_stored_relation *)from);
            from += sizeof(ftr_stored_relation);
        }
    }
}

ftr_status ftr_encoder_send(ftr_encoder *encoder, ftr_failure *failure)
{
    ftr_status sent = ftr_chunk_send(&encoder->chunks, failure);
    if (sent == FTR_OK)
        encoder->sent = encoder->framed;
    ftr_encoder_latch(encoder, sent);
    return encoder->status;
}

void ftr_encoder_end_file(ftr_encoder *encoder)
{
    ftr_encoder_end_relations(encoder);
    ftr_encoder_flush(encoder, UINT64_MAX, UINT64_MAX);
    ftr_encoder_flush_definitions(encoder);
}
