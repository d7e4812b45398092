/* Copies the records that identify the run, so that every file can contain them. Finds the stream
 * `ftr.run` by its name. */
#include "preamble.h"

#include "encoder.h"
#include "stream_name_rules.h"

#include <stdlib.h>
#include <string.h>

/* Maximum size of the copies. Normal runs need much less; the limit is for programs that record
 * continuously into the stream `ftr.run`. */
#define RECORDS_MAX ((size_t)64 << 10)

static void find_stream(ftr_preamble *preamble, const ftr_definitions *definitions)
{
    uint32_t count = atomic_load_explicit(&definitions->entity_count, memory_order_acquire);
    if (preamble->looked_at == 0)
        preamble->looked_at = 1;
    for (; !preamble->stream && preamble->looked_at < count; preamble->looked_at++) {
        const ftr_entity *entity = ftr_definitions_entity(definitions, preamble->looked_at);
        if ((entity->kind & (FTR_ENTITY_KIND_MASK | FTR_ENTITY_FILTERED)) == FTR_ENTITY_STREAM &&
            strcmp(entity->name, FTR_RUN_STREAM) == 0)
            preamble->stream = preamble->looked_at;
    }
}

static void keep(ftr_preamble *preamble, const uint8_t *record, size_t size)
{
    if (size > RECORDS_MAX - preamble->size)
        return;
    if (preamble->size + size > preamble->capacity) {
        uint8_t *grown = realloc(preamble->records, RECORDS_MAX);
        if (grown == NULL)
            return;
        preamble->records = grown;
        preamble->capacity = RECORDS_MAX;
    }
    memcpy(preamble->records + preamble->size, record, size);
    preamble->size += size;
}

void ftr_preamble_collect(ftr_preamble *preamble, const ftr_definitions *definitions,
                          const uint8_t *from, const uint8_t *to)
{
    find_stream(preamble, definitions);
    if (!preamble->stream)
        return;
    while (from < to) {
        const ftr_stored_tx *record = (const ftr_stored_tx *)from;
        size_t size = ftr_record_size(record);
        if (ftr_record_kind(record) == FTR_RECORD_TX && record->begin == record->end &&
            ftr_definitions_entity(definitions, record->generator)->stream == preamble->stream)
            keep(preamble, from, size);
        from += size;
    }
}

void ftr_preamble_replay(const ftr_preamble *preamble, ftr_encoder *encoder,
                         _Atomic uint64_t *next_id)
{
    for (size_t at = 0; at < preamble->size;) {
        ftr_stored_tx *record = (ftr_stored_tx *)(preamble->records + at);
        size_t size = ftr_record_size(record);
        record->id = atomic_fetch_add(next_id, 1);
        (void)ftr_encoder_put_records(encoder, preamble->records + at,
                                      preamble->records + at + size);
        at += size;
    }
}

void ftr_preamble_release(ftr_preamble *preamble)
{
    free(preamble->records);
    *preamble = (ftr_preamble){0};
}
