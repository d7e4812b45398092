/* Writes streams and generators into the directory; a generator when it is first used. Knows the
 * numbers of types. */
#include "encoder_definitions.h"

#include <string.h>

#include "encoder_framing.h"
#include "encoder_strings.h"

/* The id of a name has 31 bits, so eight bytes are enough. Length 0 means that no prefix is
 * prepared. */
static void prepare_attribute(ftr_encoder *encoder, ftr_declared_attribute *attribute)
{
    uint8_t prefix[4 * FTR_CBOR_HEAD_MAX];
    uint32_t name = ftr_encoder_string(encoder, attribute->name, strlen(attribute->name));
    const uint8_t *end = ftr_encoder_prefix_at(prefix, attribute->class_, name,
                                               ftr_encoder_written_type(encoder, attribute->type));
    memcpy(attribute->prefix, prefix, sizeof attribute->prefix);
    attribute->prefix_length =
        ftr_encoder_has_type_of_value(encoder, attribute->type) ? 0 : (uint32_t)(end - prefix);
}

static void prepare_attributes(ftr_encoder *encoder, const ftr_entity *entity)
{
    for (uint32_t i = 0; i < entity->attributes.count; i++)
        prepare_attribute(
            encoder, ftr_definitions_attribute(encoder->definitions, entity->attributes.first + i));
}

/* Writes the directory entry of a stream or generator, and prepares the generator's attributes. */
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
    prepare_attributes(encoder, entity);
    entity->is_written = true;
}

void ftr_encoder_resume(ftr_encoder *encoder, uint32_t strings)
{
    encoder->dictionary.next_id = strings;
    uint32_t count = encoder->definitions->entity_count;
    for (uint32_t i = 1; i < count; i++) {
        const ftr_entity *entity = ftr_definitions_entity(encoder->definitions, i);
        if (entity->is_written && !(entity->kind & FTR_ENTITY_FILTERED))
            prepare_attributes(encoder, entity);
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

/* Writes the new streams. A generator is written before its first transaction. */
static void take_definitions(ftr_encoder *encoder)
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
    take_definitions(encoder);
    encoder->unused_generators -= ftr_encoder_entity_bound(entity);
    put_entity(encoder, handle, entity);
}

void ftr_encoder_flush_definitions(ftr_encoder *encoder)
{
    take_definitions(encoder);
    ftr_encoder_frame_definitions(encoder);
}
