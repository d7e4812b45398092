/* Writes streams and generators into the directory. A generator is written only when it is first
 * used. */
#include "encoder_definitions.h"

#include <string.h>

#include "encoder_bodies.h"
#include "encoder_strings.h"

/* Prepares the prefix of an attribute: the bytes with which each of its values begins. Eight bytes
 * are enough, because the id of a name has 31 bits. A prefix of length 0 means that no prefix is
 * prepared. */
static void prepare_attribute(ftr_encoder *encoder, ftr_declared_attribute *attribute)
{
    uint8_t prefix[4 * FTR_CBOR_HEAD_MAX];
    uint32_t name = ftr_encoder_string(encoder, attribute->name, strlen(attribute->name));
    const uint8_t *end = ftr_encoder_prefix_at(prefix, attribute->class_, name,
                                               ftr_encoder_written_type(encoder, attribute->type));
    memcpy(attribute->prefix, prefix, sizeof attribute->prefix);
    attribute->prefix_length =
        ftr_encoder_has_type_of_value(encoder, attribute->type) ? 0 : (uint8_t)(end - prefix);
    attribute->program = attribute->form == FTR_ITEM_FORM_NUMBER ? attribute->prefix_length
                         : attribute->form == FTR_ITEM_FORM_TEXT ? -attribute->prefix_length
                                                                 : 0;
    attribute->recent = ftr_recent_text_offset(attribute->index);
}

/* Prepares the bytes of the transactions of a generator. */
static void prepare_generator(ftr_encoder *encoder, uint32_t handle, ftr_entity *generator)
{
    for (uint32_t i = 0; i < generator->attributes.count; i++)
        prepare_attribute(encoder, ftr_definitions_attribute(encoder->definitions,
                                                             generator->attributes.first + i));
    uint8_t number[FTR_CBOR_HEAD_MAX] = {0};
    const uint64_t size = (uint64_t)(ftr_cbor_uint_at(number, handle) - number);
    memcpy(&generator->number, number, sizeof generator->number);
    generator->number = (generator->number & FTR_NUMBER_BYTES) | size << FTR_NUMBER_SIZE_SHIFT;
    /* encode_prepared() relies on the body of the generator's stream. If this body cannot be
     * allocated, the latched error stops the encoder. */
    if (generator->stream >= encoder->body_count)
        (void)ftr_encoder_make_bodies(encoder, generator->stream);
}

void ftr_encoder_reset_entity(ftr_entity *entity)
{
    entity->is_written = false;
    entity->number = 0;
}

/* Writes the directory entry of a stream or generator, and prepares the generator. */
static void put_entity(ftr_encoder *encoder, uint32_t handle, ftr_entity *entity)
{
    ftr_cbor_writer *directory = &encoder->directory;
    uint32_t name = ftr_encoder_string(encoder, entity->name, strlen(entity->name));
    if (ftr_cbor_writer_size(directory) == 0)
        ftr_cbor_put_indefinite_array(directory);
    bool is_stream = entity->kind & FTR_ENTITY_STREAM;
    ftr_cbor_put_tag(directory, is_stream ? FTR_TAG_STREAM : FTR_TAG_GENERATOR);
    ftr_cbor_put_array(directory, 3);
    ftr_cbor_put_uint(directory, handle);
    ftr_cbor_put_uint(directory, name);
    if (is_stream)
        ftr_cbor_put_uint(directory, ftr_encoder_string(encoder, entity->stream_kind,
                                                        strlen(entity->stream_kind)));
    else
        ftr_cbor_put_uint(directory, entity->stream);
    if (!is_stream)
        prepare_generator(encoder, handle, entity);
    entity->is_written = true;
}

void ftr_encoder_resume(ftr_encoder *encoder, uint32_t strings)
{
    encoder->dictionary.next_id = strings;
    uint32_t count = encoder->definitions->entity_count;
    for (uint32_t i = 1; i < count; i++) {
        ftr_entity *entity = ftr_definitions_entity(encoder->definitions, i);
        if (entity->is_written && !(entity->kind & (FTR_ENTITY_FILTERED | FTR_ENTITY_STREAM)))
            prepare_generator(encoder, i, entity);
    }
}

size_t ftr_encoder_entity_bound(const ftr_entity *entity)
{
    size_t bound = (size_t)2 * FTR_ITEM_ROOM + strlen(entity->name) +
                   (entity->stream_kind != NULL ? strlen(entity->stream_kind) : 0);
    for (uint32_t i = 0; i < entity->attributes.count; i++)
        bound += FTR_CBOR_HEAD_MAX + strlen(entity->attributes.at[i].name);
    return bound;
}

/* Writes the new streams. Only counts the new generators, because a generator is written before its
 * first transaction. */
static void put_definitions(ftr_encoder *encoder)
{
    uint32_t count =
        atomic_load_explicit(&encoder->definitions->entity_count, memory_order_acquire);
    for (; encoder->next_entity < count; encoder->next_entity++) {
        ftr_entity *entity = ftr_definitions_entity(encoder->definitions, encoder->next_entity);
        if (entity->is_written || entity->kind & FTR_ENTITY_FILTERED)
            continue;
        if (entity->kind & FTR_ENTITY_STREAM)
            put_entity(encoder, encoder->next_entity, entity);
        else
            encoder->unused_generators += ftr_encoder_entity_bound(entity);
    }
}

/* Called for the first transaction of a generator. */
void ftr_encoder_define_generator(ftr_encoder *encoder, uint32_t handle)
{
    ftr_entity *entity = ftr_definitions_entity(encoder->definitions, handle);
    put_definitions(encoder);
    encoder->unused_generators -= ftr_encoder_entity_bound(entity);
    put_entity(encoder, handle, entity);
}

void ftr_encoder_flush_definitions(ftr_encoder *encoder)
{
    if (encoder->lacks_trace)
        return;
    put_definitions(encoder);
    ftr_encoder_frame_definitions(encoder);
}
