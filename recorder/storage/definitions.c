/* Stores definitions twice: as records in blocks that are never released, and as tables that point
 * into these blocks. */
#define _GNU_SOURCE
#include "definitions.h"

#include <stdlib.h>
#include <string.h>

#define ENTITIES_MAX ((size_t)1 << 22)
#define ATTRIBUTES_MAX ((size_t)1 << 23)
#define RELATIONS_MAX ((size_t)1 << 16)
#define TEXTS_MAX ((size_t)1 << 20)
#define ATTRIBUTES_OF_GENERATOR 65535
/* Maximum length of a name or text in bytes. */
#define TEXT_MAX ((size_t)1 << 30)

static ftr_range_request table(ftr_range *range, size_t size, size_t share)
{
    return (ftr_range_request){range, size, size / 64, share};
}

void ftr_definitions_request(ftr_definitions *definitions,
                             ftr_range_request requests[FTR_DEFINITION_TABLES])
{
    /* the entities get twice the share, because an entity is larger than the elements of other
     * tables */
    requests[0] =
        table(&definitions->entities, ENTITIES_MAX * sizeof(ftr_entity), FTR_TABLE_SHARE / 2);
    requests[1] = table(&definitions->attributes, ATTRIBUTES_MAX * sizeof(ftr_declared_attribute),
                        FTR_TABLE_SHARE);
    requests[2] =
        table(&definitions->relations, RELATIONS_MAX * sizeof(ftr_defined_text), FTR_TABLE_SHARE);
    requests[3] = table(&definitions->texts, TEXTS_MAX * sizeof(ftr_defined_text), FTR_TABLE_SHARE);
}

ftr_status ftr_definitions_init(ftr_definitions *definitions, ftr_arena *arena, const char *include,
                                const char *exclude)
{
    definitions->arena = arena;
    atomic_store_explicit(&definitions->entity_count, 1, memory_order_relaxed);
    atomic_store_explicit(&definitions->relation_count, 1, memory_order_relaxed);
    atomic_store_explicit(&definitions->text_count, 1, memory_order_relaxed);
    ftr_range *const tables[] = {&definitions->entities, &definitions->attributes,
                                 &definitions->relations, &definitions->texts};
    ftr_status status = ftr_name_filter_init(&definitions->include, include);
    if (status == FTR_OK)
        status = ftr_name_filter_init(&definitions->exclude, exclude);
    for (size_t i = 0; i < FTR_DEFINITION_TABLES && status == FTR_OK; i++)
        status = ftr_range_commit(tables[i], 1);
    if (status == FTR_OK)
        ((ftr_defined_text *)definitions->texts.base)->text = "";
    else
        ftr_definitions_release(definitions);
    return status;
}

void ftr_definitions_release(ftr_definitions *definitions)
{
    ftr_name_filter_release(&definitions->include);
    ftr_name_filter_release(&definitions->exclude);
    ftr_names_release(&definitions->stream_names);
}

/* Reserves space for a record of @p size bytes at the end of the chain. Does not commit the
 * record. */
static ftr_stored_definition *reserve_record(ftr_definitions *definitions, size_t size)
{
    ftr_arena *arena = definitions->arena;
    if (definitions->last_block) {
        ftr_block *last = ftr_arena_block(arena, definitions->last_block);
        size_t committed = __atomic_load_n(&last->front.committed, __ATOMIC_RELAXED);
        if (committed + size > ftr_arena_room(arena, definitions->last_block, last->run))
            ftr_arena_make_whole(arena);
        if (committed + size <= ftr_arena_room(arena, definitions->last_block, last->run))
            return (ftr_stored_definition *)((uint8_t *)last + committed);
    }
    size_t run = (sizeof(ftr_block) + size + FTR_BLOCK_SIZE - 1) / FTR_BLOCK_SIZE;
    uint32_t number = sizeof(ftr_block) + size <= FTR_ARENA_FIRST_DEFINITIONS
                          ? ftr_arena_take_first(arena, false)
                          : 0;
    if (!number)
        number = ftr_arena_take(arena, run);
    if (!number)
        return NULL;
    ftr_block *block = ftr_arena_block(definitions->arena, number);
    memset(block, 0, sizeof *block);
    block->run = (uint32_t)run;
    block->front.committed = sizeof *block;
    if (definitions->last_block)
        ((ftr_block *)ftr_arena_block(definitions->arena, definitions->last_block))->next = number;
    else
        definitions->first_block = number;
    definitions->last_block = number;
    ftr_arena_mark(definitions->arena, number, FTR_BLOCK_DEFINITIONS);
    if (definitions->arena->journal != NULL && definitions->first_block == number)
        definitions->arena->journal->header->first_definitions = number;
    return (ftr_stored_definition *)(block + 1);
}

/* Appends a record with one text or two texts. Returns the record, or NULL if out of memory. @p
 * fields.length is the length of the first text; @p second may be NULL. */
static ftr_stored_definition *append_record(ftr_definitions *definitions,
                                            ftr_stored_definition fields, const char *first,
                                            const char *second)
{
    size_t second_size = second != NULL ? strlen(second) + 1 : 0;
    size_t size = ftr_item_pad(sizeof fields + fields.length + 1 + second_size);
    ftr_stored_definition *record = reserve_record(definitions, size);
    if (record == NULL)
        return NULL;
    fields.size = (uint32_t)size;
    *record = fields;
    char *texts = (char *)(record + 1);
    memcpy(texts, first, fields.length);
    texts[fields.length] = '\0';
    if (second != NULL)
        memcpy(texts + fields.length + 1, second, second_size);
    ftr_block *block = ftr_arena_block(definitions->arena, definitions->last_block);
    size_t committed = __atomic_load_n(&block->front.committed, __ATOMIC_RELAXED);
    __atomic_store_n(&block->front.committed, (uint32_t)(committed + size), __ATOMIC_RELEASE);
    return record;
}

bool ftr_definitions_wants(const ftr_definitions *definitions, const char *owner, const char *name)
{
    /* Both filters are always evaluated, because the evaluation marks the patterns that match. */
    bool is_excluded = ftr_name_filter_matches(&definitions->exclude, owner, name);
    bool is_included = ftr_name_filter_matches(&definitions->include, owner, name);
    return !is_excluded && (is_included || definitions->include.list == NULL);
}

/* Provides memory for one more entry behind the @p count entries of a table. An entry has @p size
 * bytes. */
static ftr_status make_room(ftr_range *range, size_t count, size_t size)
{
    return ftr_range_commit(range, (count + 1) * size);
}

ftr_status ftr_definitions_add_stream(ftr_definitions *definitions, const char *name,
                                      const char *kind, uint32_t kind_flags, ftr_stream *stream)
{
    if (name == NULL || !*name || strlen(name) > TEXT_MAX ||
        (kind != NULL && strlen(kind) > TEXT_MAX))
        return FTR_ERR_ARGUMENT;
    uint32_t handle = atomic_load_explicit(&definitions->entity_count, memory_order_relaxed);
    ftr_status status = make_room(&definitions->entities, handle, sizeof(ftr_entity));
    if (status != FTR_OK)
        return status;
    bool wanted = !(kind_flags & FTR_ENTITY_FILTERED);
    const char *chosen = name;
    bool renamed = false;
    if (wanted) {
        status = ftr_stream_names_choose(&definitions->stream_names, name, &chosen, &renamed);
        if (status != FTR_OK)
            return status;
    }
    ftr_stored_definition *record = append_record(
        definitions,
        (ftr_stored_definition){
            .kind = FTR_RECORD_STREAM, .handle = handle, .count = wanted, .length = strlen(chosen)},
        chosen, kind != NULL ? kind : "");
    if (record == NULL)
        return FTR_ERR_MEMORY;
    definitions->renamed_streams += renamed;
    const char *texts = (const char *)(record + 1);
    *ftr_definitions_entity(definitions, handle) =
        (ftr_entity){.kind = FTR_ENTITY_STREAM | kind_flags,
                     .stream = handle,
                     .name = texts,
                     .stream_kind = texts + record->length + 1};
    atomic_store_explicit(&definitions->entity_count, handle + 1, memory_order_release);
    *stream = handle;
    return FTR_OK;
}

static bool is_attribute(const ftr_attribute *attribute)
{
    return attribute->name != NULL && *attribute->name && strlen(attribute->name) <= TEXT_MAX &&
           (unsigned)attribute->type <= FTR_TYPE_TIME &&
           (unsigned)attribute->class_ <= FTR_CLASS_END;
}

static ftr_status make_attribute_room(ftr_definitions *definitions, uint32_t index)
{
    return make_room(&definitions->attributes, index, sizeof(ftr_declared_attribute));
}

/* Ends the attributes of a generator by a closing entry, which equals no item. The encoder reads
 * the entry behind the last attribute, so this entry must not be an attribute of the next
 * generator, which another thread may define at the same time. */
static ftr_status close_attributes(ftr_definitions *definitions, uint32_t index)
{
    ftr_status status = make_attribute_room(definitions, index);
    if (status == FTR_OK)
        *ftr_definitions_attribute(definitions, index) = (ftr_declared_attribute){
            .index = FTR_ATTRIBUTE_NONE, .form = FTR_ITEM_FORM_NONE, .name = ""};
    return status;
}

static ftr_status declare(ftr_definitions *definitions, uint32_t index,
                          const ftr_attribute *attribute)
{
    ftr_status status = make_attribute_room(definitions, index);
    if (status != FTR_OK)
        return status;
    uint8_t type = (uint8_t)attribute->type;
    uint8_t class_ = (uint8_t)attribute->class_;
    ftr_stored_definition *record =
        append_record(definitions,
                      (ftr_stored_definition){.kind = FTR_RECORD_ATTRIBUTE,
                                              .handle = index,
                                              .count = type | (uint32_t)class_ << 8,
                                              .length = strlen(attribute->name)},
                      attribute->name, NULL);
    if (record == NULL)
        return FTR_ERR_MEMORY;
    uint8_t form = (uint8_t)ftr_form_of(attribute->type);
    *ftr_definitions_attribute(definitions, index) =
        (ftr_declared_attribute){.index = index,
                                 .type = type,
                                 .form = form,
                                 .name = (const char *)(record + 1),
                                 .class_ = class_};
    return FTR_OK;
}

/* Sets the types and heads that the inline calls use. */
static void set_first_heads(ftr_entity *generator)
{
    for (size_t i = 0; i < FTR_ENTITY_HEADS; i++) {
        ftr_attribute_head head = {.type = FTR_ENTITY_NO_TYPE, .form = FTR_ITEM_FORM_NONE};
        if (i < generator->attributes.count)
            memcpy(&head, &generator->attributes.at[i], sizeof head);
        generator->heads[i] = head;
        generator->types = generator->types << FTR_ENTITY_TYPE_BITS | head.type;
    }
}

ftr_status ftr_definitions_add_generator(ftr_definitions *definitions, ftr_stream stream,
                                         const char *name, const ftr_attribute *attributes,
                                         size_t count, ftr_generator *generator)
{
    uint32_t handle = atomic_load_explicit(&definitions->entity_count, memory_order_relaxed);
    if (name == NULL || !*name || strlen(name) > TEXT_MAX || (count && attributes == NULL) ||
        count > ATTRIBUTES_OF_GENERATOR)
        return FTR_ERR_ARGUMENT;
    for (size_t i = 0; i < count; i++) {
        if (!is_attribute(&attributes[i]))
            return FTR_ERR_ARGUMENT;
    }
    if (stream == 0 || stream >= handle)
        return FTR_ERR_UNDEFINED;
    uint32_t stream_kind = ftr_definitions_entity(definitions, stream)->kind;
    if (!(stream_kind & FTR_ENTITY_STREAM))
        return FTR_ERR_UNDEFINED;
    ftr_status status = make_room(&definitions->entities, handle, sizeof(ftr_entity));
    uint32_t first = definitions->attribute_count;
    for (size_t i = 0; i < count && status == FTR_OK; i++)
        status = declare(definitions, first + (uint32_t)i, &attributes[i]);
    if (status == FTR_OK)
        status = close_attributes(definitions, first + (uint32_t)count);
    if (status != FTR_OK)
        return status;
    ftr_stored_definition *record = append_record(definitions,
                                                  (ftr_stored_definition){
                                                      .kind = FTR_RECORD_GENERATOR,
                                                      .handle = handle,
                                                      .stream = stream,
                                                      .first = first,
                                                      .count = (uint32_t)count,
                                                      .length = strlen(name),
                                                  },
                                                  name, NULL);
    if (record == NULL)
        return FTR_ERR_MEMORY;
    definitions->attribute_count = first + (uint32_t)count + 1;
    ftr_entity *entity = ftr_definitions_entity(definitions, handle);
    *entity = (ftr_entity){
        .kind = FTR_ENTITY_GENERATOR | (stream_kind & ~FTR_ENTITY_KIND_MASK),
        .stream = stream,
        .handle = handle,
        .attributes = {ftr_definitions_attribute(definitions, first), (uint32_t)count, first},
        .name = (const char *)(record + 1)};
    set_first_heads(entity);
    atomic_store_explicit(&definitions->entity_count, handle + 1, memory_order_release);
    *generator = handle;
    return FTR_OK;
}

/* Adds a text to one of the two tables of texts. */
static ftr_status add_text(ftr_definitions *definitions, ftr_range *table, _Atomic uint32_t *count,
                           uint32_t kind, const char *text, size_t length, uint32_t *handle)
{
    uint32_t next = atomic_load_explicit(count, memory_order_relaxed);
    ftr_status status = make_room(table, next, sizeof(ftr_defined_text));
    if (status != FTR_OK)
        return status;
    ftr_stored_definition *record = append_record(
        definitions, (ftr_stored_definition){.kind = kind, .handle = next, .length = length}, text,
        NULL);
    if (record == NULL)
        return FTR_ERR_MEMORY;
    ((ftr_defined_text *)table->base)[next] =
        (ftr_defined_text){.text = (const char *)(record + 1), .length = length};
    atomic_store_explicit(count, next + 1, memory_order_release);
    *handle = next;
    return FTR_OK;
}

ftr_status ftr_definitions_add_relation(ftr_definitions *definitions, const char *name,
                                        ftr_relation *relation)
{
    if (name == NULL || !*name || strlen(name) > TEXT_MAX)
        return FTR_ERR_ARGUMENT;
    uint32_t count = atomic_load_explicit(&definitions->relation_count, memory_order_relaxed);
    for (uint32_t i = 1; i < count; i++) {
        if (strcmp(ftr_definitions_relation(definitions, i)->text, name) == 0) {
            *relation = i;
            return FTR_OK;
        }
    }
    return add_text(definitions, &definitions->relations, &definitions->relation_count,
                    FTR_RECORD_RELATION_NAME, name, strlen(name), relation);
}

ftr_status ftr_definitions_add_text(ftr_definitions *definitions, const char *text, size_t length,
                                    ftr_text *defined)
{
    if (text == NULL)
        return FTR_ERR_ARGUMENT;
    if (length == FTR_NUL_TERMINATED)
        length = strlen(text);
    if (length > TEXT_MAX)
        return FTR_ERR_ARGUMENT;
    return add_text(definitions, &definitions->texts, &definitions->text_count, FTR_RECORD_TEXT,
                    text, length, defined);
}

/* ---- restoring --------------------------------------------------------------------------------
 */

static ftr_status restore_entity(ftr_definitions *definitions, const ftr_stored_definition *record,
                                 ftr_entity entity)
{
    if (record->handle != definitions->entity_count)
        return FTR_ERR_FORMAT;
    ftr_status status = make_room(&definitions->entities, record->handle, sizeof entity);
    if (status == FTR_OK) {
        *ftr_definitions_entity(definitions, record->handle) = entity;
        definitions->entity_count = record->handle + 1;
    }
    return status;
}

static ftr_status restore_stream(ftr_definitions *definitions, const ftr_stored_definition *record,
                                 const char *texts)
{
    size_t size = record->size - sizeof *record;
    size_t second = record->length + 1;
    if (second >= size || memchr(texts + second, '\0', size - second) == NULL)
        return FTR_ERR_FORMAT;
    return restore_entity(
        definitions, record,
        (ftr_entity){.kind = FTR_ENTITY_STREAM | (record->count ? 0 : FTR_ENTITY_FILTERED),
                     .stream = record->handle,
                     .name = texts,
                     .stream_kind = texts + second});
}

static ftr_status restore_generator(ftr_definitions *definitions,
                                    const ftr_stored_definition *record, const char *texts)
{
    if (record->stream == 0 || record->stream >= definitions->entity_count ||
        record->count > ATTRIBUTES_OF_GENERATOR || record->first > definitions->attribute_count ||
        record->count > definitions->attribute_count - record->first)
        return FTR_ERR_FORMAT;
    uint32_t stream_kind = ftr_definitions_entity(definitions, record->stream)->kind;
    if (!(stream_kind & FTR_ENTITY_STREAM))
        return FTR_ERR_FORMAT;
    ftr_status status = close_attributes(definitions, record->first + record->count);
    if (status != FTR_OK)
        return status;
    definitions->attribute_count = record->first + record->count + 1;
    return restore_entity(
        definitions, record,
        (ftr_entity){.kind = FTR_ENTITY_GENERATOR | (stream_kind & FTR_ENTITY_FILTERED),
                     .stream = record->stream,
                     .attributes = {ftr_definitions_attribute(definitions, record->first),
                                    record->count, record->first},
                     .name = texts});
}

/* Restores an attribute. If the definition of a generator failed, the records of its attributes are
 * still in the journal. The attributes of the next generator have the same indices and replace
 * them. */
static ftr_status restore_attribute(ftr_definitions *definitions,
                                    const ftr_stored_definition *record, const char *texts)
{
    uint32_t type = record->count & 0xff;
    uint32_t class_ = record->count >> 8;
    if (record->handle > definitions->attribute_count || record->handle >= ATTRIBUTES_MAX ||
        type > FTR_TYPE_TIME || class_ > FTR_CLASS_END)
        return FTR_ERR_FORMAT;
    ftr_status status = make_attribute_room(definitions, record->handle);
    if (status != FTR_OK)
        return status;
    *ftr_definitions_attribute(definitions, record->handle) =
        (ftr_declared_attribute){.index = record->handle,
                                 .type = (uint8_t)type,
                                 .form = (uint8_t)ftr_form_of((ftr_type)type),
                                 .name = texts,
                                 .class_ = (uint8_t)class_};
    if (record->handle == definitions->attribute_count)
        definitions->attribute_count++;
    return FTR_OK;
}

static ftr_status restore_text(ftr_range *table, _Atomic uint32_t *count,
                               const ftr_stored_definition *record, const char *texts)
{
    if (record->handle != *count)
        return FTR_ERR_FORMAT;
    ftr_status status = make_room(table, record->handle, sizeof(ftr_defined_text));
    if (status == FTR_OK) {
        ((ftr_defined_text *)table->base)[record->handle] =
            (ftr_defined_text){.text = texts, .length = record->length};
        *count = record->handle + 1;
    }
    return status;
}

ftr_status ftr_definitions_restore(ftr_definitions *definitions,
                                   const ftr_stored_definition *record)
{
    const char *texts = (const char *)(record + 1);
    if (record->length >= record->size - sizeof *record || texts[record->length] != '\0')
        return FTR_ERR_FORMAT;
    switch (record->kind) {
    case FTR_RECORD_STREAM:
        return restore_stream(definitions, record, texts);
    case FTR_RECORD_GENERATOR:
        return restore_generator(definitions, record, texts);
    case FTR_RECORD_ATTRIBUTE:
        return restore_attribute(definitions, record, texts);
    case FTR_RECORD_RELATION_NAME:
        return restore_text(&definitions->relations, &definitions->relation_count, record, texts);
    case FTR_RECORD_TEXT:
        return restore_text(&definitions->texts, &definitions->text_count, record, texts);
    default:
        return FTR_ERR_FORMAT;
    }
}
