/* Owns the relations that were read ahead, and their chunks. Does not know the names of relations:
 * only the calling thread looks up texts. */
#include "relation_ahead.h"

#include "chosen_ahead.h"
#include "relation_entry.h"

#include <stdlib.h>

/* Minimum number of chunks for which threads are started. */
#define CHUNKS_MIN 4u

struct ftr_relation_ahead {
    ftr_chosen_ahead chunks;
};

/* ---- on any thread --------------------------------------------------------------------------- */

typedef struct id_range {
    uint64_t least, greatest;
} id_range;

static void note_id(id_range *range, uint64_t id)
{
    range->least = id < range->least ? id : range->least;
    range->greatest = id > range->greatest ? id : range->greatest;
}

/* Reads the relations of a chunk: an id_range, then the relations. If something else is in the
 * chunk, counts a finding; the calling thread then reads the chunk again. */
static ftr_status read_chunk(void *user, unsigned thread, ftr_reader *view, ftr_chunk *chunk,
                             uint32_t index, const ftr_content *content, ftr_chunk_entries *entries)
{
    ftr_prepared *prepared = &entries->prepared;
    ftr_cbor_reader r;
    uint64_t left = 0;
    id_range range = {UINT64_MAX, 0};
    (void)user;
    (void)thread;
    (void)index;
    if (ftr_prepared_append(prepared, sizeof range) == NULL)
        return FTR_ERR_MEMORY;
    ftr_cbor_reader_init(&r, content->bytes, content->size);
    (void)ftr_cbor_get_array(&r, &left);
    while (ftr_cbor_next(&r, &left)) {
        unsigned count;
        const uint32_t within = (uint32_t)ftr_cbor_reader_offset(&r);
        ftr_relation_read *added = ftr_prepared_append(prepared, sizeof *added);
        if (added == NULL)
            return FTR_ERR_MEMORY;
        *added = (ftr_relation_read){.within = within};
        if (ftr_relation_parse(&r, added->field, &count) != FTR_OK) {
            view->findings.count++;
            return FTR_OK;
        }
        added->has_streams = count == 5;
        note_id(&range, added->field[1]);
        note_id(&range, added->field[2]);
    }
    if (r.status != FTR_OK)
        view->findings.count++;
    ftr_findings_add_trailing(&view->findings, chunk->offset, &r);
    memcpy(prepared->bytes, &range, sizeof range);
    return FTR_OK;
}

/* ---- on the calling thread ------------------------------------------------------------------- */

static bool is_usable(void *user, const ftr_chunk *chunk)
{
    (void)user;
    return chunk->kind == FTR_CHUNK_RELATIONS && !chunk->unusable;
}

ftr_relation_ahead *ftr_relation_ahead_create(ftr_reader *reader)
{
    static const ftr_ahead_reader how = {read_chunk, NULL};
    ftr_relation_ahead *ahead = malloc(sizeof *ahead);
    if (ahead == NULL ||
        ftr_chosen_ahead_start(&ahead->chunks, reader, is_usable, NULL, CHUNKS_MIN, &how))
        return ahead;
    ftr_relation_ahead_destroy(ahead);
    return NULL;
}

void ftr_relation_ahead_destroy(ftr_relation_ahead *ahead)
{
    if (ahead == NULL)
        return;
    ftr_chosen_ahead_release(&ahead->chunks);
    free(ahead);
}

bool ftr_relation_ahead_take(ftr_relation_ahead *ahead, uint32_t index,
                             ftr_relations_ahead *relations)
{
    ftr_chunk_ahead taken;
    id_range range;
    if (!ftr_read_ahead_take(ahead->chunks.read, index, &taken))
        return false;
    const ftr_prepared *prepared = &taken.entries.prepared;
    memcpy(&range, prepared->bytes, sizeof range);
    *relations =
        (ftr_relations_ahead){.list = (const void *)(prepared->bytes + sizeof range),
                              .count = (prepared->size - sizeof range) / sizeof *relations->list,
                              .min_id = range.least,
                              .max_id = range.greatest,
                              .taken = taken};
    return true;
}

void ftr_relation_ahead_reuse(ftr_relation_ahead *ahead, ftr_relations_ahead *relations)
{
    ftr_read_ahead_reuse(ahead != NULL ? ahead->chunks.read : NULL, &relations->taken);
    relations->count = 0;
}
