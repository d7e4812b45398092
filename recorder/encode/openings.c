/* Copies of the records that say what run a file is of. Knows the one stream they are in by its
 * name. */
#include "openings.h"

#include "buffers.h"

#include <stdlib.h>
#include <string.h>

/* A run says little of itself; what records without end into its stream is not repeated. */
#define RECORDS_MAX ((size_t)64 << 10)

static void find_stream(ftr_openings *openings, const ftr_definitions *definitions)
{
    uint32_t count = atomic_load_explicit(&definitions->entity_count, memory_order_acquire);
    if (openings->looked_at == 0)
        openings->looked_at = 1;
    for (; !openings->stream && openings->looked_at < count; ++openings->looked_at) {
        const ftr_entity *entity = ftr_definitions_entity(definitions, openings->looked_at);
        if ((entity->kind & (FTR_ENTITY_KIND_MASK | FTR_ENTITY_FILTERED)) == FTR_ENTITY_STREAM &&
            strcmp(entity->name, "ftr.run") == 0)
            openings->stream = openings->looked_at;
    }
}

static void keep(ftr_openings *openings, const uint8_t *record, size_t size)
{
    if (size > RECORDS_MAX - openings->size)
        return;
    if (openings->size + size > openings->capacity) {
        uint8_t *grown = realloc(openings->records, RECORDS_MAX);
        if (!grown)
            return;
        openings->records = grown;
        openings->capacity = RECORDS_MAX;
    }
    memcpy(openings->records + openings->size, record, size);
    openings->size += size;
}

void ftr_openings_see(ftr_openings *openings, const ftr_definitions *definitions,
                      const uint8_t *from, const uint8_t *to)
{
    find_stream(openings, definitions);
    if (!openings->stream)
        return;
    while (from < to) {
        const ftr_record_tx *record = (const ftr_record_tx *)from;
        size_t size = ftr_record_size(record);
        if (record->kind == FTR_RECORD_TX && record->begin == record->end &&
            ftr_definitions_entity(definitions, record->generator)->stream == openings->stream)
            keep(openings, from, size);
        from += size;
    }
}

void ftr_openings_repeat(const ftr_openings *openings, ftr_encoder *encoder,
                         _Atomic uint64_t *next_id)
{
    for (size_t at = 0; at < openings->size;) {
        ftr_record_tx *record = (ftr_record_tx *)(openings->records + at);
        size_t size = ftr_record_size(record);
        record->id = atomic_fetch_add(next_id, 1);
        ftr_encoder_take(encoder, openings->records + at, openings->records + at + size);
        at += size;
    }
}

void ftr_openings_release(ftr_openings *openings)
{
    free(openings->records);
    *openings = (ftr_openings){0};
}
