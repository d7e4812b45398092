/* Collects the ids of all chunks, and writes them to the index beside the trace. */
#include "ids_ahead.h"
#include "index_file.h"

#include <sys/stat.h>

ftr_index_state ftr_reader_get_index_state(const ftr_reader *reader)
{
    return reader->index_state;
}

/* ---- the ids --------------------------------------------------------------------------------- */

static bool lacks_ids(void *user, const ftr_chunk *chunk)
{
    (void)user;
    return ftr_chunk_has_ids((ftr_chunk_kind)chunk->kind) && !chunk->has_ids && !chunk->unusable;
}

/* Reads the ids of a chunk on this thread. Of a damaged chunk, a cursor delivers the transactions
 * before the damaged bytes and perhaps further ones, so a search must read this chunk. */
static ftr_status read_here(ftr_reader *reader, size_t index)
{
    ftr_chunk *chunk = ftr_chunk_at(reader, index);
    ftr_content *content;
    ftr_id_cover ids;
    const ftr_status status = ftr_chunk_cache_pin_usable(&reader->cache, chunk, &content);
    if (content == NULL)
        return status;
    if (!ftr_chunk_ids_collect(reader, (ftr_chunk_kind)chunk->kind, content, &ids))
        ids = ftr_id_cover_all;
    ftr_chunk_ids_set(reader, index, &ids);
    ftr_chunk_cache_unpin(&reader->cache, content);
    return FTR_OK;
}

ftr_status ftr_reader_collect_ids(ftr_reader *reader)
{
    ftr_ids_ahead ahead;
    ftr_status status = FTR_OK;
    if (reader->source.is_pipe)
        return FTR_ERR_STATE;
    ftr_ids_ahead_start(&ahead, reader, lacks_ids, NULL);
    for (size_t i = 0; status == FTR_OK && i < reader->chunk_count; i++) {
        reader->cache.moment++;
        ftr_ids_ahead_take(&ahead, reader, i);
        if (lacks_ids(NULL, ftr_chunk_at(reader, i)))
            status = read_here(reader, i);
    }
    ftr_ids_ahead_stop(&ahead);
    return status;
}

/* ---- the index ------------------------------------------------------------------------------- */

/* Returns true if the index can describe all chunks: the frames have the usual form, and the ids of
 * texts are consecutive. */
static bool are_usual(const ftr_reader *reader)
{
    const ftr_text_table *texts = &reader->texts;
    uint64_t next = 0;
    if (reader->findings.count > 0 || texts->strays.count > 0 || !reader->break_seen)
        return false;
    for (size_t i = 0; i < texts->run_count; i++) {
        const ftr_text_run *run = &texts->runs[i];
        if (run->first != next || run->ordinal != 0 ||
            (i > 0 && run->chunk == texts->runs[i - 1].chunk))
            return false;
        next += run->count;
    }
    return texts->count == next;
}

static void put_chunks(const ftr_reader *reader, ftr_index_writer *writer)
{
    const ftr_text_table *texts = &reader->texts;
    size_t run = 0;
    for (size_t i = 0; i < reader->chunk_count; i++) {
        const ftr_chunk *chunk = ftr_chunk_at(reader, i);
        const ftr_chunk_kind kind = (ftr_chunk_kind)chunk->kind;
        ftr_indexed_chunk indexed = {.tag = ftr_chunk_tag(kind) +
                                            (chunk->compressed ? FTR_TAG_COMPRESSED : 0),
                                     .head = chunk->head,
                                     .payload = chunk->payload_size,
                                     .raw_size = chunk->raw_size,
                                     .start = chunk->start,
                                     .end = chunk->end};
        if (kind == FTR_CHUNK_TRANSACTIONS)
            indexed.stream = reader->directory.streams[chunk->stream]->info.id;
        if (kind == FTR_CHUNK_DICTIONARY && run < texts->run_count && texts->runs[run].chunk == i)
            indexed.strings = texts->runs[run++].count;
        const ftr_id_cover ids = ftr_chunk_ids_get(reader, chunk);
        ftr_index_put(writer, &indexed, &ids);
    }
}

static bool are_ids_known(const ftr_reader *reader)
{
    for (size_t i = 0; i < reader->chunk_count; i++)
        if (lacks_ids(NULL, ftr_chunk_at(reader, i)))
            return false;
    return true;
}

/* Returns true if the file still has the size that the reader has indexed. */
static bool is_unchanged(const ftr_reader *reader)
{
    struct stat about;
    return fstat(reader->source.fd, &about) == 0 && (uint64_t)about.st_size == reader->source.size;
}

ftr_status ftr_reader_write_index(ftr_reader *reader, const char *trace)
{
    ftr_index_writer writer;
    if (reader->source.is_pipe || reader->source.fd < 0 || !are_ids_known(reader) ||
        !is_unchanged(reader))
        return FTR_ERR_STATE;
    ftr_index_writer_init(&writer, trace);
    writer.omits_chunks = !are_usual(reader);
    put_chunks(reader, &writer);
    const ftr_status status = ftr_index_write(&writer, trace, reader->source.fd);
    ftr_index_writer_release(&writer);
    return status;
}
