/* The objects that a recorder refers to by handle: streams, generators with their attributes, kinds
 * of relations, texts. The tables never move, so a recording thread that has a handle reads the
 * entry without a lock. */
#ifndef FTR_DEFINITIONS_H
#define FTR_DEFINITIONS_H

#include <stdatomic.h>
#include <stdbool.h>

#include <ftr/recorder.h>

#include "arena.h"
#include "name_filter.h"
#include "record.h"
#include "stream_names.h"

/* The upper 16 bits of ftr_entity.kind contain the number of the entity's buffer. The inline calls
 * compare all bits with the kind of buffer 0, so they decline the generators of other buffers. */
#define FTR_ENTITY_BUFFER_SHIFT 16
#define FTR_ENTITY_KIND_MASK 0xffu

static inline uint32_t ftr_buffer_of_kind(uint32_t kind)
{
    return kind >> FTR_ENTITY_BUFFER_SHIFT;
}

typedef struct ftr_defined_text {
    const char *text;
    size_t length;
    /* `id` is the string id in the current file, valid if `has_id`. Only the encoder uses these two
     * members. */
    uint32_t id;
    bool has_id;
} ftr_defined_text;

typedef struct ftr_definitions {
    ftr_arena *arena;
    ftr_range entities;
    ftr_range attributes;
    ftr_range relations; /* elements are ftr_defined_text; the text is the name */
    ftr_range texts;
    _Atomic uint32_t entity_count; /* the first unused handle; handle 0 is invalid */
    _Atomic uint32_t relation_count;
    _Atomic uint32_t text_count;
    uint32_t attribute_count;
    ftr_names stream_names;
    uint64_t renamed_streams;
    ftr_name_filter include;
    ftr_name_filter exclude;
    /* number of the first and of the last block in the chain of definition records; 0: none yet */
    uint32_t first_block;
    uint32_t last_block;
} ftr_definitions;

/* Sets @p requests to the ranges of the tables: entities, attributes, relations, texts. */
#define FTR_DEFINITION_TABLES 4
void ftr_definitions_request(ftr_definitions *definitions,
                             ftr_range_request requests[FTR_DEFINITION_TABLES]);

/* Creates empty tables in their reserved ranges.
 * @param include,exclude the patterns of the filters, which are copied; NULL: no filter
 * @return FTR_OK; FTR_ERR_MEMORY. On error, everything is released */
FTR_MUST_USE ftr_status ftr_definitions_init(ftr_definitions *definitions, ftr_arena *arena,
                                             const char *include, const char *exclude);
/* Releases everything except the ranges. */
void ftr_definitions_release(ftr_definitions *definitions);

/* Returns whether the filters `include` and `exclude` allow a stream of this name and of this owner
 * (NULL: none). */
bool ftr_definitions_wants(const ftr_definitions *definitions, const char *owner, const char *name);

/* Like the public functions ftr_stream_define(), ftr_generator_define(), ftr_relation_define() and
 * ftr_text_define(). The caller holds the recorder's lock. @p kind_flags are additional bits in the
 * kind of the stream and its generators: FTR_ENTITY_FILTERED, or the number of a buffer. */
FTR_MUST_USE ftr_status ftr_definitions_add_stream(ftr_definitions *definitions, const char *name,
                                                   const char *kind, uint32_t kind_flags,
                                                   ftr_stream *stream);
FTR_MUST_USE ftr_status ftr_definitions_add_generator(ftr_definitions *definitions,
                                                      ftr_stream stream, const char *name,
                                                      const ftr_attribute *attributes, size_t count,
                                                      ftr_generator *generator);
FTR_MUST_USE ftr_status ftr_definitions_add_relation(ftr_definitions *definitions, const char *name,
                                                     ftr_relation *relation);
FTR_MUST_USE ftr_status ftr_definitions_add_text(ftr_definitions *definitions, const char *text,
                                                 size_t length, ftr_text *defined);

/* Adds the definition in @p record to the tables, for the recovery of a recorder that no longer
 * exists. The tables refer to the texts in @p record.
 * @return FTR_OK; FTR_ERR_FORMAT if @p record is invalid; FTR_ERR_LIMIT if the table is full;
 *         FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_definitions_restore(ftr_definitions *definitions,
                                                const ftr_stored_definition *record);

static inline ftr_entity *ftr_definitions_entity(const ftr_definitions *definitions,
                                                 uint32_t handle)
{
    return (ftr_entity *)definitions->entities.base + handle;
}

static inline ftr_declared_attribute *ftr_definitions_attribute(const ftr_definitions *definitions,
                                                                uint32_t index)
{
    return (ftr_declared_attribute *)definitions->attributes.base + index;
}

static inline ftr_defined_text *ftr_definitions_relation(const ftr_definitions *definitions,
                                                         uint32_t handle)
{
    return (ftr_defined_text *)definitions->relations.base + handle;
}

static inline ftr_defined_text *ftr_definitions_text(const ftr_definitions *definitions,
                                                     uint32_t handle)
{
    /* Words are recorded without a check, so the handle can be invalid. An invalid handle is
     * treated as the empty text. */
    if (handle >= atomic_load_explicit(&definitions->text_count, memory_order_acquire))
        handle = 0;
    return (ftr_defined_text *)definitions->texts.base + handle;
}

#endif
