/* Cursors over transactions in stored order, and the lifetime of all cursors. ordered_merge.c sorts
 * for the other orders. */
#include "cursor.h"

#include "numbering.h"
#include "relation_cursor.h"
#include "struct_size.h"

#include <stdlib.h>

/* ---- reading ahead --------------------------------------------------------------------------- */

void ftr_cursors_stop_ahead(ftr_reader *reader)
{
    for (ftr_cursor *cursor = LIST_FIRST(&reader->cursors); cursor != NULL;
         cursor = LIST_NEXT(cursor, entry)) {
        if (cursor->merge != NULL)
            ftr_merge_stop_ahead(cursor->merge);
        ftr_read_ahead_destroy(cursor->ahead);
        cursor->ahead = NULL;
        ftr_ids_ahead_stop(&cursor->of_ids);
    }
    for (ftr_relation_cursor *cursor = LIST_FIRST(&reader->relation_cursors); cursor != NULL;
         cursor = LIST_NEXT(cursor, entry))
        ftr_relation_cursor_stop_ahead(cursor);
}

void ftr_cursors_reclaim(void *user, size_t size)
{
    ftr_reader *reader = user;
    const size_t before = reader->budget.used;
    ftr_chunk_cache_reclaim(&reader->cache, size);
    if (before - reader->budget.used >= size)
        return;
    ftr_cursors_stop_ahead(reader);
    if (reader->release_ahead != NULL)
        reader->release_ahead(reader->release_user);
}

/* Returns true if a search by id must read the chunk to know its ids. */
static bool lacks_ids(void *user, const ftr_chunk *chunk)
{
    return !chunk->has_ids && ftr_selection_may_include(user, chunk);
}

/* Starts the threads that read ahead. If memory is exhausted, the calling thread reads all
 * chunks. */
static void read_stored_ahead(ftr_cursor *cursor)
{
    ftr_reader *reader = cursor->selection.reader;
    if (cursor->selection.query.threads < 2 || reader->source.is_pipe)
        return;
    if (cursor->selection.query.by_id) {
        ftr_ids_ahead_start(&cursor->of_ids, reader, lacks_ids, &cursor->selection);
        return;
    }
    if (ftr_chunk_order_select(&cursor->order, &cursor->selection) == FTR_OK)
        cursor->ahead = ftr_read_ahead_create(&cursor->selection, cursor->order.list,
                                              cursor->order.count, NULL);
}

/* ---- opening --------------------------------------------------------------------------------- */

ftr_status ftr_cursor_open(ftr_reader *reader, const ftr_query *given, ftr_cursor **opened)
{
    ftr_query query = {.size = sizeof query};
    if (given != NULL)
        ftr_struct_take(&query, sizeof query, given);
    if (reader == NULL || opened == NULL ||
        (query.order != FTR_ORDER_STORED && query.order != FTR_ORDER_BEGIN &&
         query.order != FTR_ORDER_END && query.order != FTR_ORDER_STREAM))
        return FTR_ERR_ARGUMENT;
    const bool ordered = query.order != FTR_ORDER_STORED && !query.by_id;
    if (ordered && reader->source.is_pipe)
        return FTR_ERR_STATE;
    ftr_cursor *cursor = calloc(1, sizeof *cursor);
    if (cursor == NULL)
        return FTR_ERR_MEMORY;
    ftr_selection_init(&cursor->selection, reader, &query);
    /* The sample is read before any other chunk, so that findings do not depend on the number of
     * threads. */
    if (cursor->selection.query.threads > 0)
        ftr_numbering_sample(reader);
    if (ordered) {
        const ftr_status status = ftr_merge_create(&cursor->selection, &cursor->merge);
        if (status != FTR_OK) {
            ftr_selection_release(&cursor->selection);
            free(cursor);
            return status;
        }
    } else {
        read_stored_ahead(cursor);
    }
    LIST_INSERT_HEAD(&reader->cursors, cursor, entry);
    *opened = cursor;
    return FTR_OK;
}

void ftr_cursor_close(ftr_cursor *cursor)
{
    if (cursor == NULL)
        return;
    LIST_REMOVE(cursor, entry);
    if (cursor->content != NULL)
        ftr_chunk_cache_unpin(&cursor->selection.reader->cache, cursor->content);
    ftr_read_ahead_destroy(cursor->ahead);
    ftr_ids_ahead_stop(&cursor->of_ids);
    ftr_chunk_ahead_release(&cursor->taken);
    free(cursor->prepared.bytes);
    ftr_chunk_order_release(&cursor->order, &cursor->selection.reader->budget);
    ftr_merge_destroy(cursor->merge);
    ftr_selection_release(&cursor->selection);
    free(cursor);
}

/* ---- stored order ---------------------------------------------------------------------------- */

/* Takes the content of a chunk, or its prepared transactions. Returns false if the chunk was not
 * read ahead, or if there is no memory for its content: the caller then reads the chunk itself. */
static bool get_ahead(ftr_cursor *cursor, ftr_chunk *chunk)
{
    ftr_reader *reader = cursor->selection.reader;
    ftr_chunk_ahead taken;
    if (cursor->ahead == NULL ||
        !ftr_read_ahead_take(cursor->ahead, (uint32_t)cursor->chunk, &taken))
        return false;
    if (cursor->selection.query.prepare != NULL) {
        cursor->taken = taken;
        cursor->taken_next = 0;
        cursor->chunk++;
        return true;
    }
    const ftr_status status =
        ftr_chunk_cache_adopt(&reader->cache, chunk, &taken.memory, &cursor->content);
    ftr_chunk_ahead_release(&taken);
    return status == FTR_OK;
}

static void begin_walk(ftr_cursor *cursor)
{
    ftr_tx_walk_init(&cursor->walk, cursor->content->bytes, cursor->content->size,
                     &cursor->selection.reader->forms);
}

/* Moves a search by id past chunks that cannot contain the id. Chunks whose ids are not known yet
 * are read by other threads, if there are any. */
static void skip_chunks(ftr_cursor *cursor)
{
    ftr_reader *reader = cursor->selection.reader;
    cursor->chunk = ftr_chunk_ids_skip(reader, cursor->chunk, FTR_CHUNK_TRANSACTIONS,
                                       cursor->selection.query.id);
    if (cursor->chunk < reader->chunk_count && !ftr_chunk_at(reader, cursor->chunk)->has_ids)
        ftr_ids_ahead_take(&cursor->of_ids, reader, cursor->chunk);
}

/* Enters the next chunk that may contain requested transactions. If its transactions were prepared
 * ahead, they are in `taken`, and `content` stays NULL. Returns FTR_ERR_END after the last chunk.
 */
static ftr_status enter_chunk(ftr_cursor *cursor)
{
    ftr_reader *reader = cursor->selection.reader;
    for (;; cursor->chunk++) {
        if (cursor->selection.query.by_id)
            skip_chunks(cursor);
        if (cursor->chunk == reader->chunk_count) {
            if (!reader->source.is_pipe)
                return FTR_ERR_END;
            const ftr_status status = ftr_index_extend(reader);
            if (status != FTR_OK)
                return status;
        }
        ftr_chunk *chunk = ftr_chunk_at(reader, cursor->chunk);
        if (!ftr_selection_may_include(&cursor->selection, chunk))
            continue;
        if (get_ahead(cursor, chunk)) {
            if (cursor->content != NULL)
                break;
            return FTR_OK;
        }
        const ftr_status status =
            ftr_chunk_cache_pin_usable(&reader->cache, chunk, &cursor->content);
        if (status != FTR_OK)
            return status;
        if (cursor->content != NULL)
            break;
    }
    begin_walk(cursor);
    cursor->ids = ftr_id_cover_none;
    cursor->sees_all = true;
    return FTR_OK;
}

static void leave_chunk(ftr_cursor *cursor, ftr_status status)
{
    ftr_reader *reader = cursor->selection.reader;
    ftr_chunk *chunk = cursor->content->chunk;
    if (status != FTR_ERR_END)
        ftr_selection_report(reader, chunk, ftr_cbor_reader_offset(&cursor->walk.r), status);
    ftr_findings_add_trailing(&reader->findings, chunk->offset, &cursor->walk.r);
    if (cursor->sees_all)
        ftr_chunk_ids_set(reader, cursor->chunk, &cursor->ids);
    ftr_chunk_cache_unpin(&reader->cache, cursor->content);
    cursor->content = NULL;
    cursor->chunk++;
}

/* Fills @p tx if the query includes the transaction with this head. */
static inline bool fill_next(ftr_cursor *cursor, const ftr_tx_head *head, ftr_transaction *tx)
{
    const ftr_content *content = cursor->content;
    ftr_id_cover_add(&cursor->ids, head->id);
    return ftr_selection_includes(&cursor->selection, content->chunk, head) &&
           ftr_transaction_fill(cursor->selection.reader, content->chunk,
                                (uint64_t)(head->entry - content->bytes), head, tx);
}

/* Fills @p tx with the next requested transaction of the current chunk. If there is none, leaves
 * the chunk and returns FTR_ERR_END. */
static ftr_status next_in_chunk(ftr_cursor *cursor, ftr_transaction *tx)
{
    ftr_tx_head head;
    for (;;) {
        const ftr_status status = ftr_tx_walk_next(&cursor->walk, &head);
        if (status == FTR_OK && fill_next(cursor, &head, tx))
            return FTR_OK;
        if (status == FTR_ERR_ARGUMENT) {
            ftr_selection_report(cursor->selection.reader, cursor->content->chunk,
                                 ftr_cbor_reader_offset(&cursor->walk.r), status);
        } else if (status != FTR_OK) {
            leave_chunk(cursor, status);
            return FTR_ERR_END;
        }
    }
}

static __attribute__((noinline)) ftr_status next_stored(ftr_cursor *cursor, ftr_transaction *tx)
{
    for (;;) {
        if (cursor->content == NULL) {
            const ftr_status status = enter_chunk(cursor);
            if (status != FTR_OK)
                return status;
        }
        if (next_in_chunk(cursor, tx) == FTR_OK)
            return FTR_OK;
    }
}

ftr_status ftr_cursor_next(ftr_cursor *cursor, ftr_transaction *tx)
{
    if (cursor == NULL || tx == NULL || cursor->selection.query.prepare != NULL)
        return FTR_ERR_ARGUMENT;
    cursor->selection.reader->cache.moment++;
    if (cursor->merge != NULL)
        return ftr_merge_next(cursor->merge, tx);
    /* Fast path of next_stored(), for most transactions. */
    ftr_tx_head head;
    while (cursor->content != NULL && ftr_tx_walk_usual(&cursor->walk, &head))
        if (fill_next(cursor, &head, tx))
            return FTR_OK;
    return next_stored(cursor, tx);
}

static __attribute__((noinline)) ftr_status next_stored_prepared(ftr_cursor *cursor,
                                                                 const void **bytes, size_t *size)
{
    for (;;) {
        ftr_transaction tx;
        ftr_chunk_entry entry;
        if (cursor->taken_next < cursor->taken.entries.count) {
            entry = cursor->taken.entries.list[cursor->taken_next++];
            /* NULL if no transaction of the chunk has bytes */
            *bytes = entry.size > 0 ? cursor->taken.entries.prepared.bytes + entry.offset : NULL;
            *size = entry.size;
            return FTR_OK;
        }
        if (cursor->content == NULL) {
            ftr_read_ahead_reuse(cursor->ahead, &cursor->taken);
            const ftr_status status = enter_chunk(cursor);
            if (status != FTR_OK)
                return status;
            continue;
        }
        cursor->prepared.size = 0;
        const ftr_status status =
            next_in_chunk(cursor, &tx) == FTR_OK
                ? ftr_chunk_prepare(&cursor->selection, 0, &tx, &cursor->prepared, &entry)
                : ftr_chunk_conclude(&cursor->selection, 0, &cursor->prepared, &entry);
        *bytes = cursor->prepared.bytes;
        *size = status == FTR_OK ? entry.size : 0;
        if (status != FTR_ERR_END)
            return status;
    }
}

ftr_status ftr_cursor_next_prepared(ftr_cursor *cursor, const void **bytes, size_t *size)
{
    if (cursor == NULL || bytes == NULL || size == NULL || cursor->selection.query.prepare == NULL)
        return FTR_ERR_ARGUMENT;
    cursor->selection.reader->cache.moment++;
    return cursor->merge != NULL ? ftr_merge_next_prepared(cursor->merge, bytes, size)
                                 : next_stored_prepared(cursor, bytes, size);
}

/* Returns the index of the chunk at @p offset of the file. If no chunk begins there, returns the
 * number of chunks. */
static size_t find_chunk(const ftr_reader *reader, uint64_t offset)
{
    size_t low = 0;
    size_t high = reader->chunk_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (ftr_chunk_at(reader, middle)->offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low < reader->chunk_count && ftr_chunk_at(reader, low)->offset == offset
               ? low
               : reader->chunk_count;
}

/* Pins chunk @p index, unless it is already pinned, and begins to walk it. */
static ftr_status enter_chunk_again(ftr_cursor *cursor, size_t index)
{
    ftr_reader *reader = cursor->selection.reader;
    ftr_chunk *chunk = ftr_chunk_at(reader, index);
    if (cursor->content != NULL && cursor->content->chunk != chunk) {
        ftr_chunk_cache_unpin_kept(cursor->content);
        cursor->content = NULL;
    }
    cursor->chunk = index + 1;
    if (cursor->content == NULL) {
        const ftr_status status = ftr_chunk_cache_pin(&reader->cache, chunk, &cursor->content);
        if (status != FTR_OK)
            return status;
    }
    cursor->chunk = index;
    begin_walk(cursor);
    cursor->sees_all = false;
    return FTR_OK;
}

ftr_status ftr_cursor_seek(ftr_cursor *cursor, uint64_t chunk_offset, uint64_t chunk_within,
                           ftr_transaction *tx)
{
    if (cursor == NULL || tx == NULL || cursor->merge != NULL)
        return FTR_ERR_ARGUMENT;
    ftr_reader *reader = cursor->selection.reader;
    reader->cache.moment++;
    const size_t index = find_chunk(reader, chunk_offset);
    if (index == reader->chunk_count || ftr_chunk_at(reader, index)->kind != FTR_CHUNK_TRANSACTIONS)
        return FTR_ERR_ARGUMENT;
    ftr_status status = enter_chunk_again(cursor, index);
    if (status != FTR_OK)
        return status;
    if (chunk_within < ftr_cbor_reader_offset(&cursor->walk.r) ||
        chunk_within >= cursor->content->size)
        return FTR_ERR_ARGUMENT;
    /* A chunk with a definite count must be walked from its start to know the number of remaining
     * transactions. */
    if (cursor->walk.left == FTR_CBOR_INDEFINITE)
        cursor->walk.r.cursor = cursor->walk.r.begin + chunk_within;
    ftr_tx_head head;
    do
        status = ftr_tx_walk_next(&cursor->walk, &head);
    while ((status == FTR_OK || status == FTR_ERR_ARGUMENT) &&
           (uint64_t)(head.entry - cursor->content->bytes) < chunk_within);
    if (status != FTR_OK || (uint64_t)(head.entry - cursor->content->bytes) != chunk_within)
        return FTR_ERR_ARGUMENT;
    return ftr_transaction_fill(reader, ftr_chunk_at(reader, index), chunk_within, &head, tx)
               ? FTR_OK
               : FTR_ERR_LIMIT;
}
