/* Owns the streams and generators of a file: their ids, names and numbers. Does not know the chunks
 * of a stream. */
#include "directory_table.h"

#include "cbor_fields.h"
#include "growing_array.h"
#include "reader_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TAG_STREAM = 16, TAG_GENERATOR = 17 };

ftr_stream_entry *ftr_directory_find_stream(const ftr_directory *directory, uint64_t id)
{
    const uint64_t index = ftr_id_index_get(&directory->stream_ids, id);
    return index != FTR_ID_NONE ? directory->streams[index] : NULL;
}

ftr_generator_entry *ftr_directory_find_generator(const ftr_directory *directory, uint64_t id)
{
    const uint64_t index = ftr_id_index_get(&directory->generator_ids, id);
    return index != FTR_ID_NONE ? directory->generators[index] : NULL;
}

/* ---- entries --------------------------------------------------------------------------------- */

static void *new_entry(ftr_reader *reader, size_t size)
{
    if (!ftr_budget_take(&reader->budget, size))
        return NULL;
    void *entry = calloc(1, size);
    if (entry != NULL)
        reader->directory.held += size;
    else
        ftr_budget_give(&reader->budget, size);
    return entry;
}

static ftr_view id_name(char (*text)[24], uint64_t id)
{
    const int length = snprintf(*text, sizeof *text, "#%" PRIu64, id);
    return (ftr_view){*text, (size_t)length};
}

static ftr_status add_stream(ftr_reader *reader, uint64_t id, uint64_t offset,
                             ftr_stream_entry **added)
{
    ftr_directory *directory = &reader->directory;
    ftr_status status =
        ftr_array_reserve(&reader->budget, (void **)&directory->streams,
                          &directory->stream_capacity, directory->stream_count + 1, sizeof(void *));
    if (status != FTR_OK)
        return status;
    ftr_stream_entry *stream = new_entry(reader, sizeof *stream);
    if (stream == NULL)
        return FTR_ERR_LIMIT;
    directory->streams[directory->stream_count] = stream;
    stream->info.id = id;
    stream->info.name = id_name(&stream->id_text, id);
    stream->info.index = (uint32_t)directory->stream_count++;
    stream->info.first_time = UINT64_MAX;
    stream->offset = offset;
    *added = stream;
    return ftr_id_index_put(&directory->stream_ids, &reader->budget, id, stream->info.index);
}

static ftr_status add_generator(ftr_reader *reader, uint64_t id, const ftr_stream_info *stream,
                                uint64_t offset, ftr_generator_entry **added)
{
    ftr_directory *directory = &reader->directory;
    ftr_status status = ftr_array_reserve(&reader->budget, (void **)&directory->generators,
                                          &directory->generator_capacity,
                                          directory->generator_count + 1, sizeof(void *));
    if (status != FTR_OK)
        return status;
    ftr_generator_entry *generator = new_entry(reader, sizeof *generator);
    if (generator == NULL)
        return FTR_ERR_LIMIT;
    directory->generators[directory->generator_count] = generator;
    generator->info.id = id;
    generator->info.stream = stream;
    generator->info.index = (uint32_t)directory->generator_count++;
    generator->offset = offset;
    *added = generator;
    return id != UINT64_MAX ? ftr_id_index_put(&directory->generator_ids, &reader->budget, id,
                                               generator->info.index)
                            : FTR_OK;
}

ftr_status ftr_directory_need_stream(ftr_reader *reader, uint64_t id, uint64_t offset,
                                     ftr_stream_entry **stream)
{
    *stream = ftr_directory_find_stream(&reader->directory, id);
    return *stream != NULL ? FTR_OK : add_stream(reader, id, offset, stream);
}

const ftr_generator_info *ftr_directory_undefined(ftr_reader *reader, ftr_stream_entry *stream)
{
    if (stream->undefined == NULL) {
        ftr_generator_entry *generator;
        if (add_generator(reader, UINT64_MAX, &stream->info, 0, &generator) != FTR_OK)
            return NULL;
        generator->info.name = (ftr_view){"?", 1};
        stream->undefined = &generator->info;
    }
    return stream->undefined;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Names are copied, because they outlive the contents of dictionaries. */
static bool copy_text(ftr_reader *reader, uint64_t id, ftr_view *name)
{
    const ftr_view text = ftr_text_of(reader, &reader->texts, &reader->cache, id);
    if (text.data == NULL)
        return false;
    if (text.size == 0) {
        *name = (ftr_view){"", 0};
        return true;
    }
    char *copy = new_entry(reader, text.size);
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
                     "%s %" PRIu64 " is named by text %" PRIu64 ", which is nowhere defined", what,
                     id, text_id);
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
        stream->info.name = id_name(&stream->id_text, stream->info.id);
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
                         "stream %" PRIu64 " is defined again: the first definition counts", id);
        return FTR_OK;
    }
    const ftr_status status = ftr_directory_need_stream(reader, id, walk->chunk->offset, &stream);
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
                         "generator %" PRIu64 " is defined again: the first definition counts", id);
        return FTR_OK;
    }
    ftr_stream_entry *stream = ftr_directory_find_stream(&reader->directory, stream_id);
    if (stream == NULL)
        ftr_findings_add(&reader->findings, FTR_RULE_UNDEFINED_STREAM, walk->chunk->offset,
                         1 + ftr_cbor_reader_offset(&walk->r),
                         "generator %" PRIu64 " is of stream %" PRIu64 ", which is not defined yet",
                         id, stream_id);
    ftr_status status = ftr_directory_need_stream(reader, stream_id, walk->chunk->offset, &stream);
    ftr_generator_entry *generator;
    if (status == FTR_OK)
        status = add_generator(reader, id, &stream->info, walk->chunk->offset, &generator);
    if (status != FTR_OK)
        return status;
    generator->info.defined = true;
    generator->info.name = id_name(&generator->id_text, id);
    generator->name_id = name;
    generator->unresolved = true;
    reader->directory.unresolved++;
    return FTR_OK;
}

/* Adds one entry. A malformed entry is skipped from a bookmark. */
static ftr_status add_entry(directory_walk *walk)
{
    const ftr_cbor_reader bookmark = walk->r;
    ftr_cbor_reader *r = &walk->r;
    uint64_t tag = 0;
    uint64_t field[3] = {0};
    if (ftr_cbor_peek(r) == FTR_CBOR_TAG)
        (void)ftr_cbor_get_tag(r, &tag);
    if ((tag == TAG_STREAM || tag == TAG_GENERATOR) && ftr_get_fields(r, 3, field) == FTR_OK)
        return tag == TAG_STREAM ? define_stream(walk, field[0], field[1], field[2])
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
    ftr_status status = ftr_chunk_cache_pin(&reader->cache, chunk, &content);
    if (status == FTR_ERR_LIMIT)
        ftr_chunk_cache_refuse(&reader->cache, chunk);
    if (status != FTR_OK)
        return status == FTR_ERR_MEMORY ? status : FTR_OK;
    directory_walk walk = {.reader = reader, .chunk = chunk};
    ftr_cbor_reader_init(&walk.r, content->bytes, content->size);
    uint64_t count = 0;
    if (ftr_cbor_get_array(&walk.r, &count) != FTR_OK)
        ftr_findings_add(&reader->findings, FTR_RULE_BODY_SHAPE, chunk->offset, 1,
                         "a directory that is no array: skipped");
    else {
        while (status == FTR_OK && ftr_cbor_next(&walk.r, &count))
            status = add_entry(&walk);
        if (walk.r.status != FTR_OK)
            ftr_findings_add(&reader->findings, FTR_RULE_DIRECTORY_ENTRY, chunk->offset,
                             1 + ftr_cbor_reader_offset(&walk.r),
                             "the directory breaks off: the rest is skipped");
        else if (status == FTR_OK)
            ftr_findings_add_rest(&reader->findings, chunk->offset, &walk.r);
    }
    ftr_chunk_cache_unpin(&reader->cache, content);
    return status;
}

void ftr_directory_release(ftr_directory *directory, ftr_budget *budget)
{
    for (size_t i = 0; i < directory->stream_count; i++) {
        ftr_stream_entry *stream = directory->streams[i];
        if (stream->info.name.size > 0 && stream->info.name.data != stream->id_text)
            free((char *)stream->info.name.data);
        if (stream->info.kind.size > 0)
            free((char *)stream->info.kind.data);
        free(stream);
    }
    for (size_t i = 0; i < directory->generator_count; i++) {
        ftr_generator_entry *generator = directory->generators[i];
        if (generator->info.defined && generator->info.name.size > 0 &&
            generator->info.name.data != generator->id_text)
            free((char *)generator->info.name.data);
        free(generator);
    }
    ftr_array_release(budget, directory->streams, directory->stream_capacity, sizeof(void *));
    ftr_array_release(budget, directory->generators, directory->generator_capacity, sizeof(void *));
    ftr_id_index_release(&directory->stream_ids, budget);
    ftr_id_index_release(&directory->generator_ids, budget);
    ftr_budget_give(budget, directory->held);
    *directory = (ftr_directory){0};
}
