/* Reads directory chunks, and the names that their entries take from the dictionary. */

#include "cbor_reader.h"
#include "dictionary_chunks.h"

#include <inttypes.h>
#include <string.h>

/* ---- names ----------------------------------------------------------------------------------- */

/* Copies the text of a name, because the name may be used after the content of its dictionary was
 * evicted. */
static bool copy_text(ftr_reader *reader, uint64_t id, ftr_view *name)
{
    const ftr_view text = ftr_text_of(reader, id);
    if (text.data == NULL)
        return false;
    if (text.size == 0) {
        *name = (ftr_view){"", 0};
        return true;
    }
    char *copy = ftr_directory_allocate(&reader->directory, &reader->budget, text.size);
    if (copy == NULL)
        return false;
    memcpy(copy, text.data, text.size);
    *name = (ftr_view){copy, text.size};
    return true;
}

static void say_undefined(ftr_reader *reader, const char *what, uint64_t id, uint64_t text_id,
                          uint64_t offset)
{
    ftr_findings_add(&reader->findings, FTR_RULE_UNDEFINED_TEXT, offset, 0,
                     "%s %" PRIu64 ": its name, text %" PRIu64 ", is not defined", what, id,
                     text_id);
}

static void resolve_stream(ftr_reader *reader, ftr_stream_entry *stream, bool last)
{
    const bool named = copy_text(reader, stream->name_id, &stream->info.name);
    if (!named && !last)
        return;
    if (!copy_text(reader, stream->kind_id, &stream->info.kind)) {
        stream->info.kind = (ftr_view){"", 0};
        if (last)
            say_undefined(reader, "the kind of stream", stream->info.id, stream->kind_id,
                          stream->offset);
    }
    if (!named) {
        stream->info.name = ftr_directory_id_name(&stream->id_text, stream->info.id);
        say_undefined(reader, "stream", stream->info.id, stream->name_id, stream->offset);
    }
    stream->unresolved = false;
    reader->directory.unresolved--;
}

static void resolve_generator(ftr_reader *reader, ftr_generator_entry *generator, bool last)
{
    if (!copy_text(reader, generator->name_id, &generator->info.name)) {
        if (!last)
            return;
        say_undefined(reader, "generator", generator->info.id, generator->name_id,
                      generator->offset);
    }
    generator->unresolved = false;
    reader->directory.unresolved--;
}

void ftr_directory_resolve(ftr_reader *reader, bool last)
{
    ftr_directory *directory = &reader->directory;
    for (size_t i = 0; directory->unresolved > 0 && i < directory->stream_count; i++)
        if (directory->streams[i]->unresolved)
            resolve_stream(reader, directory->streams[i], last);
    for (size_t i = 0; directory->unresolved > 0 && i < directory->generator_count; i++)
        if (directory->generators[i]->unresolved)
            resolve_generator(reader, directory->generators[i], last);
}

/* ---- directory chunks ------------------------------------------------------------------------ */

typedef struct directory_walk {
    ftr_reader *reader;
    ftr_cbor_reader r;
    const ftr_chunk *chunk;
} directory_walk;

static ftr_status define_stream(directory_walk *walk, uint64_t id, uint64_t name, uint64_t kind)
{
    ftr_reader *reader = walk->reader;
    ftr_stream_entry *stream = ftr_directory_find_stream(&reader->directory, id);
    if (stream != NULL && stream->info.defined) {
        ftr_findings_add(&reader->findings, FTR_RULE_DEFINED_TWICE, walk->chunk->offset,
                         1 + ftr_cbor_reader_offset(&walk->r),
                         "stream %" PRIu64 " is defined again: the first definition is used", id);
        return FTR_OK;
    }
    const ftr_status status = ftr_directory_need_stream(&reader->directory, &reader->budget, id,
                                                        walk->chunk->offset, &stream);
    if (status != FTR_OK)
        return status;
    stream->info.defined = true;
    stream->name_id = name;
    stream->kind_id = kind;
    stream->unresolved = true;
    reader->directory.unresolved++;
    return FTR_OK;
}

static ftr_status define_generator(directory_walk *walk, uint64_t id, uint64_t name,
                                   uint64_t stream_id)
{
    ftr_reader *reader = walk->reader;
    if (ftr_directory_find_generator(&reader->directory, id) != NULL || id == UINT64_MAX) {
        ftr_findings_add(&reader->findings, FTR_RULE_DEFINED_TWICE, walk->chunk->offset,
                         1 + ftr_cbor_reader_offset(&walk->r),
                         "generator %" PRIu64 " is defined again: the first definition is used",
                         id);
        return FTR_OK;
    }
    ftr_stream_entry *stream = ftr_directory_find_stream(&reader->directory, stream_id);
    if (stream == NULL)
        ftr_findings_add(&reader->findings, FTR_RULE_UNDEFINED_STREAM, walk->chunk->offset,
                         1 + ftr_cbor_reader_offset(&walk->r),
                         "generator %" PRIu64 " belongs to stream %" PRIu64
                         ", which is not defined yet",
                         id, stream_id);
    ftr_status status = ftr_directory_need_stream(&reader->directory, &reader->budget, stream_id,
                                                  walk->chunk->offset, &stream);
    ftr_generator_entry *generator;
    if (status == FTR_OK)
        status = ftr_directory_add_generator(&reader->directory, &reader->budget, id, &stream->info,
                                             walk->chunk->offset, &generator);
    if (status != FTR_OK)
        return status;
    generator->info.defined = true;
    generator->info.name = ftr_directory_id_name(&generator->id_text, id);
    generator->name_id = name;
    generator->unresolved = true;
    reader->directory.unresolved++;
    return FTR_OK;
}

/* Adds one entry. If the entry is malformed, returns to its start and skips it. */
static ftr_status add_entry(directory_walk *walk)
{
    const ftr_cbor_reader bookmark = walk->r;
    ftr_cbor_reader *r = &walk->r;
    uint64_t tag = 0;
    uint64_t field[3] = {0};
    if (ftr_cbor_peek(r) == FTR_CBOR_TAG)
        (void)ftr_cbor_get_tag(r, &tag);
    if ((tag == FTR_TAG_STREAM || tag == FTR_TAG_GENERATOR) &&
        ftr_cbor_get_fields(r, 3, field) == FTR_OK)
        return tag == FTR_TAG_STREAM ? define_stream(walk, field[0], field[1], field[2])
                                     : define_generator(walk, field[0], field[1], field[2]);
    ftr_findings_add(&walk->reader->findings, FTR_RULE_DIRECTORY_ENTRY, walk->chunk->offset,
                     1 + ftr_cbor_reader_offset(&bookmark),
                     "an entry that is neither a stream nor a generator: skipped");
    *r = bookmark;
    (void)ftr_cbor_skip(r);
    return FTR_OK;
}

ftr_status ftr_directory_add(ftr_reader *reader, uint32_t index)
{
    ftr_chunk *chunk = ftr_chunk_at(reader, index);
    ftr_content *content;
    ftr_status status = ftr_chunk_cache_pin_usable(&reader->cache, chunk, &content);
    if (content == NULL)
        return status;
    directory_walk walk = {.reader = reader, .chunk = chunk};
    ftr_cbor_reader_init(&walk.r, content->bytes, content->size);
    uint64_t count = 0;
    if (ftr_cbor_get_array(&walk.r, &count) != FTR_OK)
        ftr_findings_add(&reader->findings, FTR_RULE_BODY_SHAPE, chunk->offset, 1,
                         "a directory that is not an array: skipped");
    else {
        while (status == FTR_OK && ftr_cbor_next(&walk.r, &count))
            status = add_entry(&walk);
        if (walk.r.status != FTR_OK)
            ftr_findings_add(&reader->findings, FTR_RULE_DIRECTORY_ENTRY, chunk->offset,
                             1 + ftr_cbor_reader_offset(&walk.r),
                             "the directory ends early: the rest is skipped");
        else if (status == FTR_OK)
            ftr_findings_add_trailing(&reader->findings, chunk->offset, &walk.r);
    }
    ftr_chunk_cache_unpin(&reader->cache, content);
    return status;
}
