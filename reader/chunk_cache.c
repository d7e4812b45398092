/* The contents of chunks: expands them, counts their memory, and evicts the least recently used. */
#include "chunk_cache.h"

#include "cbor_reader.h"
#include "chunk_frame.h"
#include "lz4_block.h"

#include <stdlib.h>
#include <string.h>

static void unlink_content(ftr_chunk_cache *cache, ftr_content *content)
{
    *(content->older != NULL ? &content->older->newer : &cache->oldest) = content->newer;
    *(content->newer != NULL ? &content->newer->older : &cache->newest) = content->older;
}

static void link_newest(ftr_chunk_cache *cache, ftr_content *content)
{
    content->older = cache->newest;
    content->newer = NULL;
    *(cache->newest != NULL ? &cache->newest->newer : &cache->oldest) = content;
    cache->newest = content;
}

static void free_content(ftr_content *content)
{
    free(content->memory);
    free(content->texts);
    free(content->joined);
    free(content);
}

static void free_evicted(ftr_chunk_cache *cache)
{
    while (cache->evicted != NULL) {
        ftr_content *content = cache->evicted;
        cache->evicted = content->older;
        free_content(content);
    }
}

static void drop(ftr_chunk_cache *cache, ftr_content *content)
{
    unlink_content(cache, content);
    content->chunk->content = NULL;
    ftr_budget_release(cache->budget, content->held);
    if (content->chunk->kind != FTR_CHUNK_DICTIONARY) {
        free_content(content);
        return;
    }
    cache->evictions++;
    content->older = cache->evicted;
    cache->evicted = content;
}

void ftr_chunk_cache_reclaim(void *user, size_t size)
{
    ftr_chunk_cache *cache = user;
    size_t given = 0;
    if (cache->evicted_at < cache->moment)
        free_evicted(cache);
    cache->evicted_at = cache->moment;
    for (ftr_content *content = cache->oldest; content != NULL && given < size;) {
        ftr_content *newer = content->newer;
        if (content->pins == 0 && content->used < cache->moment) {
            given += content->held;
            drop(cache, content);
        }
        content = newer;
    }
}

void ftr_chunk_cache_clear(ftr_chunk_cache *cache)
{
    for (ftr_content *content = cache->oldest; content != NULL;) {
        ftr_content *newer = content->newer;
        if (content->pins == 0)
            drop(cache, content);
        content = newer;
    }
    free_evicted(cache);
}

void ftr_chunk_cache_refuse(ftr_chunk_cache *cache, ftr_chunk *chunk)
{
    chunk->unusable = 1;
    ftr_findings_add(cache->findings, FTR_RULE_CHUNK_BUDGET, chunk->offset, 0,
                     "a chunk of %lu bytes exceeds the memory budget: skipped",
                     (unsigned long)chunk->raw_size);
}

/* Concatenates the pieces of a byte string. @param[out] memory allocated; the caller frees it, also
 * after an error */
static ftr_status gather_pieces(const uint8_t *payload, size_t size, uint8_t **memory,
                                size_t *gathered)
{
    ftr_cbor_reader r;
    ftr_cbor_reader_init(&r, payload, size);
    *memory = malloc(size > 0 ? size : 1);
    if (*memory == NULL)
        return FTR_ERR_MEMORY;
    return ftr_cbor_copy_string(&r, FTR_CBOR_MAJOR_BYTES, *memory, size, gathered);
}

static ftr_status say_lz4(ftr_chunk_cache *cache, ftr_chunk *chunk)
{
    chunk->unusable = 1;
    ftr_findings_add(
        cache->findings, FTR_RULE_CHUNK_LZ4, chunk->offset, 0,
        "its block of %lu bytes does not expand to the declared %lu bytes: chunk skipped",
        (unsigned long)chunk->payload_size, (unsigned long)chunk->raw_size);
    return FTR_ERR_FORMAT;
}

static ftr_status expand(ftr_chunk_cache *cache, ftr_content *content, const uint8_t *payload)
{
    ftr_chunk *chunk = content->chunk;
    size_t size = chunk->payload_size;
    uint8_t *gathered = NULL;
    if (chunk->in_pieces) {
        const ftr_status status = gather_pieces(payload, size, &gathered, &size);
        if (status != FTR_OK) {
            free(gathered);
            return status;
        }
        payload = gathered;
    }
    if (!chunk->compressed) {
        if (gathered == NULL && cache->source->is_pipe) {
            gathered = malloc(size > 0 ? size : 1);
            if (gathered == NULL)
                return FTR_ERR_MEMORY;
            memcpy(gathered, payload, size);
            payload = gathered;
        }
        content->memory = gathered;
        content->bytes = payload;
        content->size = (uint32_t)size;
        return FTR_OK;
    }
    ftr_status status = FTR_ERR_MEMORY;
    content->memory = malloc(chunk->raw_size > 0 ? chunk->raw_size : 1);
    if (content->memory != NULL) {
        status = ftr_lz4_expand(payload, size, content->memory, chunk->raw_size);
        if (status != FTR_OK)
            status = say_lz4(cache, chunk);
        content->bytes = content->memory;
        content->size = chunk->raw_size;
    }
    free(gathered);
    return status;
}

/* Creates an empty content and counts @p held bytes in the budget. */
static ftr_status new_content(const ftr_chunk_cache *cache, ftr_chunk *chunk, size_t held,
                              ftr_content **made)
{
    if (!ftr_budget_reserve(cache->budget, held))
        return FTR_ERR_LIMIT;
    *made = calloc(1, sizeof **made);
    if (*made == NULL) {
        ftr_budget_release(cache->budget, held);
        return FTR_ERR_MEMORY;
    }
    (*made)->chunk = chunk;
    (*made)->held = held;
    return FTR_OK;
}

/* Returns true if the file contains the frame that the index beside the file describes. */
static bool is_as_listed(const ftr_chunk_cache *cache, const ftr_chunk *chunk)
{
    const uint8_t *bytes = ftr_source_at(cache->source, chunk->offset);
    const uint64_t left = cache->source->size - chunk->offset;
    const size_t head_size = left < FTR_FRAME_HEAD_MAX ? (size_t)left : FTR_FRAME_HEAD_MAX;
    ftr_frame frame;
    if (!ftr_frame_parse_head(bytes, head_size, left, &frame) || frame.in_pieces ||
        frame.kind != (ftr_chunk_kind)chunk->kind || frame.compressed != chunk->compressed ||
        frame.payload != bytes + chunk->head || frame.payload_size != chunk->payload_size ||
        frame.raw_size != chunk->raw_size)
        return false;
    return frame.kind != FTR_CHUNK_TRANSACTIONS ||
           (frame.start == chunk->start && frame.end == chunk->end &&
            frame.stream == cache->directory->streams[chunk->stream]->info.id);
}

static ftr_status say_not_listed(ftr_chunk_cache *cache, ftr_chunk *chunk)
{
    chunk->unusable = 1;
    ftr_findings_add(cache->findings, FTR_RULE_DAMAGED, chunk->offset, 0,
                     "the head of the chunk is not the one in the index beside the file: chunk "
                     "skipped; 'ftr check' examines the file without the index");
    return FTR_ERR_FORMAT;
}

static ftr_status load(ftr_chunk_cache *cache, ftr_chunk *chunk)
{
    if (chunk->is_listed && !is_as_listed(cache, chunk))
        return say_not_listed(cache, chunk);
    if (chunk->compressed && !ftr_expansion_is_possible(chunk->payload_size, chunk->raw_size))
        return say_lz4(cache, chunk);
    /* The bytes of a pipe are discarded later, so they are copied. */
    const bool copied = chunk->in_pieces || (!chunk->compressed && cache->source->is_pipe);
    const size_t held = sizeof(ftr_content) + (chunk->compressed ? chunk->raw_size : 0) +
                        (copied ? chunk->payload_size : 0);
    ftr_content *content;
    ftr_status status = new_content(cache, chunk, held, &content);
    if (status != FTR_OK)
        return status;
    ftr_source_touch(cache->source, chunk->payload_size);
    status = expand(cache, content, ftr_source_at(cache->source, chunk->offset) + chunk->head);
    if (status != FTR_OK) {
        ftr_budget_release(cache->budget, held);
        free(content->memory);
        free(content);
        return status;
    }
    chunk->content = content;
    link_newest(cache, content);
    return FTR_OK;
}

ftr_status ftr_chunk_cache_pin(ftr_chunk_cache *cache, ftr_chunk *chunk, ftr_content **pinned)
{
    if (chunk->unusable)
        return FTR_ERR_FORMAT;
    if (chunk->content == NULL) {
        const ftr_status status = load(cache, chunk);
        if (status != FTR_OK)
            return status;
    } else if (chunk->content != cache->newest) {
        unlink_content(cache, chunk->content);
        link_newest(cache, chunk->content);
    }
    chunk->content->pins++;
    chunk->content->used = cache->moment;
    *pinned = chunk->content;
    return FTR_OK;
}

ftr_status ftr_chunk_cache_adopt(ftr_chunk_cache *cache, ftr_chunk *chunk, uint8_t **memory,
                                 ftr_content **pinned)
{
    if (*memory == NULL || chunk->content != NULL)
        return ftr_chunk_cache_pin(cache, chunk, pinned);
    ftr_content *content;
    const ftr_status status =
        new_content(cache, chunk, sizeof(ftr_content) + chunk->raw_size, &content);
    if (status != FTR_OK)
        return status;
    content->bytes = content->memory = *memory;
    content->size = chunk->raw_size;
    *memory = NULL;
    chunk->content = content;
    link_newest(cache, content);
    return ftr_chunk_cache_pin(cache, chunk, pinned);
}

ftr_status ftr_chunk_cache_pin_usable(ftr_chunk_cache *cache, ftr_chunk *chunk,
                                      ftr_content **content)
{
    *content = NULL;
    const ftr_status status = ftr_chunk_cache_pin(cache, chunk, content);
    if (status == FTR_ERR_LIMIT)
        ftr_chunk_cache_refuse(cache, chunk);
    return status == FTR_ERR_MEMORY ? status : FTR_OK;
}

void ftr_chunk_cache_unpin(ftr_chunk_cache *cache, ftr_content *content)
{
    content->pins--;
    /* A cursor reads each chunk of transactions once. The next pass would need its content later
     * than the contents of all other chunks, so the content is not kept. */
    if (content->pins == 0 && content->chunk->kind != FTR_CHUNK_DICTIONARY)
        drop(cache, content);
}

void ftr_chunk_cache_unpin_kept(ftr_content *content)
{
    content->pins--;
}
