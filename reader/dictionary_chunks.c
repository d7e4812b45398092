/* Reads dictionary chunks. Ids are read once; a text is read each time it is needed. */
#include "dictionary_chunks.h"

#include "cbor_reader.h"
#include "reader_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the entries of a chunk ------------------------------------------------------------------ */

/* Walks the entries of a dictionary. Each dictionary is walked twice, to collect the ids and to
 * locate the texts; an entry has the same ordinal in both walks. */
typedef struct entry_walk {
    ftr_cbor_reader r;
    uint64_t left;
    bool is_map;
} entry_walk;

static bool walk_begin(entry_walk *walk, const uint8_t *bytes, size_t size)
{
    ftr_cbor_reader_init(&walk->r, bytes, size);
    walk->left = 0;
    walk->is_map = ftr_cbor_get_map(&walk->r, &walk->left) == FTR_OK;
    return walk->is_map;
}

/* Moves to the next valid entry. Adds the number of skipped entries to *odd. For a text in pieces,
 * *text points to the head of the whole item, before the first piece, and *size is the total size
 * of the pieces without their heads. Otherwise, *text points to the text. Returns false after the
 * last entry, and after an error, which is in walk->r.status. */
static bool walk_next(entry_walk *walk, uint64_t *id, const uint8_t **text, size_t *size,
                      bool *in_pieces, size_t *odd)
{
    ftr_cbor_reader *r = &walk->r;
    while (ftr_cbor_next(r, &walk->left)) {
        const bool has_id = ftr_cbor_peek(r) == FTR_CBOR_UINT;
        if (has_id)
            (void)ftr_cbor_get_uint(r, id);
        else
            (void)ftr_cbor_skip(r);
        if (has_id && ftr_cbor_peek(r) == FTR_CBOR_TEXT) {
            *in_pieces = ftr_cbor_peek_indefinite(r);
            if (!*in_pieces)
                return ftr_cbor_get_text(r, (const char **)text, size) == FTR_OK;
            *text = r->cursor;
            return ftr_cbor_measure_string(r, FTR_CBOR_MAJOR_TEXT, size) == FTR_OK &&
                   ftr_cbor_skip(r) == FTR_OK;
        }
        (void)ftr_cbor_skip(r);
        (*odd)++;
    }
    return false;
}

static void say_again(ftr_reader *reader, const ftr_chunk *chunk, const entry_walk *walk,
                      uint64_t id)
{
    ftr_findings_add(&reader->findings, FTR_RULE_TEXT_DEFINED_TWICE, chunk->offset,
                     1 + ftr_cbor_reader_offset(&walk->r),
                     "text %" PRIu64 " is defined again: the first definition is used", id);
}

ftr_status ftr_dictionary_add(ftr_reader *reader, uint32_t index)
{
    ftr_text_table *table = &reader->texts;
    ftr_chunk *chunk = ftr_chunk_at(reader, index);
    ftr_content *content;
    ftr_status status = ftr_chunk_cache_pin_usable(&reader->cache, chunk, &content);
    if (content == NULL)
        return status;
    entry_walk walk;
    uint64_t id = 0;
    const uint8_t *text;
    size_t size;
    size_t odd = 0;
    bool in_pieces;
    uint32_t ordinal = 0;
    if (!walk_begin(&walk, content->bytes, content->size))
        ftr_findings_add(&reader->findings, FTR_RULE_BODY_SHAPE, chunk->offset, 1,
                         "a dictionary that is not a map: skipped");
    while (status == FTR_OK && walk_next(&walk, &id, &text, &size, &in_pieces, &odd)) {
        if (id == UINT64_MAX) /* not supported, because the end of its run, id + 1, would be 0 */
            ftr_findings_add(&reader->findings, FTR_RULE_DICTIONARY_ENTRY, chunk->offset,
                             1 + ftr_cbor_reader_offset(&walk.r), "id 2^64-1 is not supported");
        else
            status = ftr_text_table_put(table, &reader->budget, id, index, ordinal);
        if (status == FTR_ERR_STATE) {
            say_again(reader, chunk, &walk, id);
            status = FTR_OK;
        }
        ordinal++;
        table->count++;
    }
    if (walk.is_map && walk.r.status != FTR_OK)
        ftr_findings_add(&reader->findings, FTR_RULE_DICTIONARY_ENTRY, chunk->offset,
                         1 + ftr_cbor_reader_offset(&walk.r),
                         "the dictionary ends early, after %lu entries: the rest is skipped",
                         (unsigned long)ordinal);
    if (walk.is_map && status == FTR_OK)
        ftr_findings_add_trailing(&reader->findings, chunk->offset, &walk.r);
    if (odd > 0)
        ftr_findings_add(&reader->findings, FTR_RULE_DICTIONARY_ENTRY, chunk->offset, 0,
                         "%zu entries that are not a number and a text: skipped", odd);
    /* The bytes of a pipe cannot be read again, so the dictionaries of a pipe stay pinned. */
    if (!reader->source.is_pipe)
        ftr_chunk_cache_unpin(&reader->cache, content);
    memset(table->recent, 0, sizeof table->recent);
    return status;
}

/* ---- look-up --------------------------------------------------------------------------------- */

/* Stores the locations of the texts of a content. The pieces of a text are concatenated in
 * `joined`, because the bytes of the content can be a part of the mapped file, which cannot be
 * changed. */
static ftr_status locate_texts(ftr_chunk_cache *cache, ftr_content *content)
{
    entry_walk walk;
    uint64_t id = 0;
    const uint8_t *text;
    size_t size;
    size_t odd = 0;
    bool in_pieces;
    size_t count = 0;
    size_t joined_size = 0;
    for ((void)walk_begin(&walk, content->bytes, content->size);
         walk_next(&walk, &id, &text, &size, &in_pieces, &odd); count++)
        joined_size += in_pieces ? size : 0;
    const size_t held = count * sizeof *content->texts + joined_size;
    if (joined_size > UINT32_MAX - content->size) /* the offsets have 32 bits */
        return FTR_ERR_LIMIT;
    if (!ftr_budget_reserve(cache->budget, held))
        return FTR_ERR_LIMIT;
    ftr_text_location *texts = calloc(count + 1, sizeof *texts);
    uint8_t *joined = malloc(joined_size + 1);
    if (texts == NULL || joined == NULL) {
        free(texts);
        free(joined);
        ftr_budget_release(cache->budget, held);
        return FTR_ERR_MEMORY;
    }
    uint32_t joined_end = 0;
    (void)walk_begin(&walk, content->bytes, content->size);
    for (size_t i = 0; i < count && walk_next(&walk, &id, &text, &size, &in_pieces, &odd); i++) {
        uint32_t offset = (uint32_t)(text - content->bytes);
        if (in_pieces) {
            ftr_cbor_reader pieces;
            ftr_cbor_reader_init(&pieces, text, (size_t)(walk.r.cursor - text));
            (void)ftr_cbor_copy_string(&pieces, FTR_CBOR_MAJOR_TEXT, joined + joined_end, size,
                                       &size);
            offset = content->size + joined_end;
            joined_end += (uint32_t)size;
        }
        texts[i] = (ftr_text_location){offset, (uint32_t)size};
    }
    content->held += held;
    content->texts = texts;
    content->text_count = (uint32_t)count;
    content->joined = joined;
    return FTR_OK;
}

static ftr_view text_of_entry(const ftr_content *content, uint32_t ordinal)
{
    if (ordinal >= content->text_count)
        return (ftr_view){NULL, 0};
    const ftr_text_location at = content->texts[ordinal];
    const uint8_t *text = at.offset < content->size ? content->bytes + at.offset
                                                    : content->joined + (at.offset - content->size);
    return (ftr_view){(const char *)text, at.size};
}

ftr_view ftr_text_find(ftr_reader *reader, uint64_t id)
{
    const ftr_view none = {NULL, 0};
    ftr_text_table *table = &reader->texts;
    uint32_t index;
    uint32_t ordinal;
    if (!ftr_text_table_locate(table, id, &index, &ordinal))
        return none;
    ftr_chunk *chunk =
        reader->origin != NULL ? ftr_reader_view_chunk(reader, index) : ftr_chunk_at(reader, index);
    ftr_content *content;
    if (chunk == NULL)
        return none;
    ftr_status status = ftr_chunk_cache_pin(&reader->cache, chunk, &content);
    if (status != FTR_OK)
        return none;
    if (content->texts == NULL)
        status = locate_texts(&reader->cache, content);
    const ftr_view text = status == FTR_OK ? text_of_entry(content, ordinal) : none;
    ftr_chunk_cache_unpin(&reader->cache, content);
    if (text.data == NULL)
        return none;
    if (table->evictions != reader->cache.evictions) {
        memset(table->recent, 0, sizeof table->recent);
        ftr_forms_forget_names(&reader->forms);
        table->evictions = reader->cache.evictions;
    }
    table->recent[id % FTR_TEXT_CACHE].id = id + 1;
    table->recent[id % FTR_TEXT_CACHE].text = text;
    return text;
}
