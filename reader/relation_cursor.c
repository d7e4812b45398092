/* Cursors over relations. A relation names its two transactions, but a transaction does not name
 * its relations. The first pass over relations reads all chunks of relations, and stores the range
 * of transaction ids in each chunk. A later search for the relations of one transaction reads only
 * chunks whose range contains its id. In a file written in order of time, these ranges are narrow.
 * If several threads read ahead, only the calling thread looks up the names of relations. */
#include "relation_cursor.h"

#include "dictionary_chunks.h"
#include "usual_items.h"

#include <inttypes.h>
#include <stdlib.h>

/* Minimum number of chunks for which threads are started. */
#define CHUNKS_MIN 4u

/* ---- on any thread --------------------------------------------------------------------------- */

/* Reads the relations of a chunk. The result is an ftr_id_cover, followed by the relations. If the
 * chunk contains an item that is not a relation, counts a finding: the calling thread then reads
 * the chunk again. */
static ftr_status read_chunk(void *user, unsigned thread, ftr_reader *view, ftr_chunk *chunk,
                             uint32_t index, const ftr_content *content, ftr_chunk_entries *entries)
{
    ftr_prepared *prepared = &entries->prepared;
    ftr_cbor_reader r;
    uint64_t left = 0;
    ftr_id_cover ids = ftr_id_cover_none;
    (void)user;
    (void)thread;
    (void)index;
    if (ftr_prepared_append(prepared, sizeof ids) == NULL)
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
        ftr_id_cover_add(&ids, added->field[1]);
        ftr_id_cover_add(&ids, added->field[2]);
    }
    if (r.status != FTR_OK)
        view->findings.count++;
    ftr_findings_add_trailing(&view->findings, chunk->offset, &r);
    memcpy(prepared->bytes, &ids, sizeof ids);
    return FTR_OK;
}

/* ---- on the calling thread ------------------------------------------------------------------- */

static bool is_usable(void *user, const ftr_chunk *chunk)
{
    (void)user;
    return chunk->kind == FTR_CHUNK_RELATIONS && !chunk->unusable;
}

static bool lacks_ids(void *user, const ftr_chunk *chunk)
{
    return !chunk->has_ids && is_usable(user, chunk);
}

/* Starts reading all chunks of relations. Returns NULL if there are few of them, one thread or
 * little memory: the cursor then reads all chunks itself. */
static ftr_chosen_ahead *ahead_create(ftr_reader *reader)
{
    static const ftr_ahead_reader how = {read_chunk, NULL};
    ftr_chosen_ahead *ahead = malloc(sizeof *ahead);
    if (ahead == NULL || ftr_chosen_ahead_start(ahead, reader, is_usable, NULL, CHUNKS_MIN, &how))
        return ahead;
    ftr_chosen_ahead_release(ahead);
    free(ahead);
    return NULL;
}

ftr_status ftr_relation_cursor_open(ftr_reader *reader, bool by_id, uint64_t id,
                                    ftr_relation_cursor **opened)
{
    if (reader == NULL || opened == NULL)
        return FTR_ERR_ARGUMENT;
    if (reader->source.is_pipe)
        return FTR_ERR_STATE;
    ftr_relation_cursor *cursor = calloc(1, sizeof *cursor);
    if (cursor == NULL)
        return FTR_ERR_MEMORY;
    cursor->reader = reader;
    cursor->by_id = by_id;
    cursor->id = id;
    LIST_INSERT_HEAD(&reader->relation_cursors, cursor, entry);
    *opened = cursor;
    return FTR_OK;
}

void ftr_relation_cursor_stop_ahead(ftr_relation_cursor *cursor)
{
    ftr_ids_ahead_stop(&cursor->of_ids);
    if (cursor->ahead == NULL)
        return;
    ftr_chosen_ahead_release(cursor->ahead);
    free(cursor->ahead);
    cursor->ahead = NULL;
}

void ftr_relation_cursor_close(ftr_relation_cursor *cursor)
{
    if (cursor == NULL)
        return;
    LIST_REMOVE(cursor, entry);
    ftr_relation_cursor_stop_ahead(cursor);
    ftr_read_ahead_reuse(NULL, &cursor->relations.taken);
    if (cursor->content != NULL)
        ftr_chunk_cache_unpin(&cursor->reader->cache, cursor->content);
    free(cursor);
}

static bool wants_chunk(const ftr_relation_cursor *cursor, const ftr_chunk *chunk)
{
    return chunk->kind == FTR_CHUNK_RELATIONS && !chunk->unusable &&
           (!cursor->by_id || ftr_chunk_ids_may_have(cursor->reader, chunk, cursor->id));
}

/* Takes the relations of the present chunk. Returns false if the chunk was not read ahead. */
static bool take_ahead(ftr_relation_cursor *cursor)
{
    ftr_read_ahead *ahead = cursor->ahead != NULL ? cursor->ahead->read : NULL;
    ftr_chunk_ahead taken;
    ftr_id_cover ids;
    ftr_read_ahead_reuse(ahead, &cursor->relations.taken);
    cursor->relations.count = 0;
    cursor->relation_next = 0;
    if (ahead == NULL || !ftr_read_ahead_take(ahead, (uint32_t)cursor->chunk, &taken))
        return false;
    const ftr_prepared *prepared = &taken.entries.prepared;
    memcpy(&ids, prepared->bytes, sizeof ids);
    cursor->relations = (ftr_relations_ahead){.list = (const void *)(prepared->bytes + sizeof ids),
                                              .count = (prepared->size - sizeof ids) /
                                                       sizeof *cursor->relations.list,
                                              .taken = taken};
    ftr_chunk_ids_set(cursor->reader, cursor->chunk, &ids);
    cursor->chunk++;
    return true;
}

static void start_ahead(ftr_relation_cursor *cursor)
{
    cursor->has_begun = true;
    if (cursor->by_id)
        ftr_ids_ahead_start(&cursor->of_ids, cursor->reader, lacks_ids, NULL);
    else
        cursor->ahead = ahead_create(cursor->reader);
}

/* Moves a search by id past chunks that cannot contain the id. Chunks whose ids are not known yet
 * are read by other threads, if there are any. */
static void skip_chunks(ftr_relation_cursor *cursor)
{
    ftr_reader *reader = cursor->reader;
    cursor->chunk = ftr_chunk_ids_skip(reader, cursor->chunk, FTR_CHUNK_RELATIONS, cursor->id);
    if (cursor->chunk < reader->chunk_count && !ftr_chunk_at(reader, cursor->chunk)->has_ids)
        ftr_ids_ahead_take(&cursor->of_ids, reader, cursor->chunk);
}

/* Enters the next chunk of relations. Its relations are in `relations` if the chunk was read ahead,
 * else in `content`. Returns FTR_ERR_END after the last chunk. */
static ftr_status enter_chunk(ftr_relation_cursor *cursor)
{
    ftr_reader *reader = cursor->reader;
    if (!cursor->has_begun)
        start_ahead(cursor);
    for (;; cursor->chunk++) {
        if (cursor->by_id)
            skip_chunks(cursor);
        if (cursor->chunk == reader->chunk_count)
            return FTR_ERR_END;
        ftr_chunk *chunk = ftr_chunk_at(reader, cursor->chunk);
        if (!wants_chunk(cursor, chunk))
            continue;
        if (take_ahead(cursor))
            return FTR_OK;
        const ftr_status status =
            ftr_chunk_cache_pin_usable(&reader->cache, chunk, &cursor->content);
        if (status != FTR_OK)
            return status;
        if (cursor->content != NULL)
            break;
    }
    ftr_cbor_reader_init(&cursor->r, cursor->content->bytes, cursor->content->size);
    cursor->left = 0;
    (void)ftr_cbor_get_array(&cursor->r, &cursor->left);
    cursor->ids = ftr_id_cover_none;
    return FTR_OK;
}

static void leave_chunk(ftr_relation_cursor *cursor)
{
    const ftr_chunk *chunk = cursor->content->chunk;
    if (cursor->r.status != FTR_OK)
        ftr_findings_add(&cursor->reader->findings, FTR_RULE_RELATION_SHAPE, chunk->offset,
                         1 + ftr_cbor_reader_offset(&cursor->r),
                         "the relations of the chunk end early: its rest is skipped");
    ftr_findings_add_trailing(&cursor->reader->findings, chunk->offset, &cursor->r);
    ftr_chunk_ids_set(cursor->reader, cursor->chunk, &cursor->ids);
    ftr_chunk_cache_unpin(&cursor->reader->cache, cursor->content);
    cursor->content = NULL;
    cursor->chunk++;
}

static void fill(ftr_reader *reader, uint64_t chunk_offset, uint64_t within,
                 const uint64_t field[5], bool has_streams, ftr_relation_info *relation)
{
    relation->name = ftr_text_of(reader, field[0]);
    if (relation->name.data == NULL)
        ftr_findings_add(&reader->findings, FTR_RULE_UNDEFINED_TEXT, chunk_offset, 1 + within,
                         "the name of a relation, text %" PRIu64 ", is not defined", field[0]);
    relation->from_tx = field[1];
    relation->to_tx = field[2];
    relation->has_streams = has_streams;
    relation->from_stream = has_streams ? field[3] : 0;
    relation->to_stream = has_streams ? field[4] : 0;
    relation->chunk_offset = chunk_offset;
    relation->chunk_within = within;
}

/* Fills @p relation with the next relation of a chunk that was read ahead. */
static inline bool next_ahead(ftr_relation_cursor *cursor, ftr_relation_info *relation)
{
    if (cursor->relation_next == cursor->relations.count)
        return false;
    const ftr_relation_read *entry = &cursor->relations.list[cursor->relation_next++];
    /* `chunk` is already the index of the next chunk to be entered. */
    fill(cursor->reader, ftr_chunk_at(cursor->reader, cursor->chunk - 1)->offset, entry->within,
         entry->field, entry->has_streams, relation);
    return true;
}

/* Parses the next item of the present chunk, and leaves the chunk after the last item. @return
 * FTR_OK; FTR_ERR_END if the item was not a relation of the query, or there was none: the caller
 * continues with the next item or chunk */
static ftr_status next_parsed(ftr_relation_cursor *cursor, ftr_relation_info *relation)
{
    ftr_findings *findings = &cursor->reader->findings;
    const uint64_t chunk_offset = cursor->content->chunk->offset;
    uint64_t field[5] = {0};
    unsigned count;
    if (!ftr_cbor_next(&cursor->r, &cursor->left)) {
        leave_chunk(cursor);
        return FTR_ERR_END;
    }
    const uint64_t within = ftr_cbor_reader_offset(&cursor->r);
    const ftr_status status = ftr_relation_parse(&cursor->r, field, &count);
    if (status == FTR_ERR_ARGUMENT)
        ftr_findings_add(findings, FTR_RULE_RELATION_SHAPE, chunk_offset, 1 + within,
                         "an item that is not a relation: skipped");
    if (status != FTR_OK)
        return FTR_ERR_END;
    ftr_id_cover_add(&cursor->ids, field[1]);
    ftr_id_cover_add(&cursor->ids, field[2]);
    if (cursor->by_id && field[1] != cursor->id && field[2] != cursor->id)
        return FTR_ERR_END;
    fill(cursor->reader, chunk_offset, within, field, count == 5, relation);
    return FTR_OK;
}

ftr_status ftr_relation_cursor_next(ftr_relation_cursor *cursor, ftr_relation_info *relation)
{
    if (cursor == NULL || relation == NULL)
        return FTR_ERR_ARGUMENT;
    cursor->reader->cache.moment++;
    for (;;) {
        if (next_ahead(cursor, relation))
            return FTR_OK;
        if (cursor->content == NULL) {
            const ftr_status status = enter_chunk(cursor);
            if (status != FTR_OK)
                return status;
        } else if (next_parsed(cursor, relation) == FTR_OK) {
            return FTR_OK;
        }
    }
}
