/* Reads the index beside a trace. An index whose trace has other bytes is stale, and a damaged
 * index counts as stale: the reader then reads the frames of the trace itself. The index can still
 * differ from the trace in its middle, if a byte of the trace was changed in place. The frame of
 * each chunk is therefore compared with the index when the chunk is read (chunk_cache.c). */
#include "index_file_reader.h"

#include "chunk_ids.h"
#include "index_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- sections -------------------------------------------------------------------------------- */

typedef struct index_parts {
    ftr_cbor_reader sections; /* at the first section */
    bool has_chunks;
    uint64_t trace_size, trace_hash;
} index_parts;

static bool is_name(const char *name, size_t size, const char *expected)
{
    return size == strlen(expected) && memcmp(name, expected, size) == 0;
}

/* Reads a section. @return false if it is malformed */
static bool get_section(ftr_cbor_reader *r, const char **name, size_t *name_size, uint64_t *hash,
                        ftr_cbor_reader *content)
{
    uint64_t count = 0;
    const uint8_t *bytes = NULL;
    size_t size = 0;
    if (ftr_cbor_get_array(r, &count) != FTR_OK || count != 3 ||
        ftr_cbor_get_text(r, name, name_size) != FTR_OK || ftr_cbor_get_uint(r, hash) != FTR_OK ||
        ftr_cbor_get_bytes(r, &bytes, &size) != FTR_OK)
        return false;
    ftr_cbor_reader_init(content, bytes, size);
    return true;
}

/* Finds the parts of an index and verifies the sections that are known. @return false if the index
 * is damaged or has another version */
static bool find_parts(const uint8_t *bytes, size_t size, index_parts *parts)
{
    ftr_cbor_reader r;
    ftr_cbor_reader content;
    uint64_t version = 0;
    uint64_t left = 0;
    const char *name = NULL;
    size_t name_size = 0;
    uint64_t hash = 0;
    uint64_t trace[2] = {0, 0};
    if (size < FTR_INDEX_MAGIC_SIZE || memcmp(bytes, FTR_INDEX_MAGIC, FTR_INDEX_MAGIC_SIZE) != 0)
        return false;
    ftr_cbor_reader_init(&r, bytes + FTR_INDEX_MAGIC_SIZE, size - FTR_INDEX_MAGIC_SIZE);
    if (ftr_cbor_get_uint(&r, &version) != FTR_OK || version != FTR_INDEX_VERSION ||
        ftr_cbor_get_array(&r, &left) != FTR_OK || left != FTR_CBOR_INDEFINITE)
        return false;
    *parts = (index_parts){.sections = r};
    while (ftr_cbor_next(&r, &left)) {
        if (!get_section(&r, &name, &name_size, &hash, &content))
            return false;
        const bool is_chunks = is_name(name, name_size, FTR_INDEX_CHUNKS);
        if ((is_chunks || is_name(name, name_size, FTR_INDEX_IDS)) &&
            hash != ftr_index_hash_section(content.begin, ftr_cbor_reader_left(&content)))
            return false;
        parts->has_chunks |= is_chunks;
    }
    if (ftr_cbor_get_fields(&r, 2, trace) != FTR_OK || ftr_cbor_reader_left(&r) > 0)
        return false;
    parts->trace_size = trace[0];
    parts->trace_hash = trace[1];
    return true;
}

static bool is_of_trace(const index_parts *parts, const ftr_source *source)
{
    const uint64_t size = source->size;
    const uint64_t last = size < FTR_INDEX_BOUND_LAST ? size : FTR_INDEX_BOUND_LAST;
    return parts->trace_size == size &&
           parts->trace_hash == ftr_index_hash_trace(ftr_source_at(source, 0),
                                                     ftr_source_at(source, size - last), size);
}

/* Walks the entries of all sections with one name. */
typedef struct entry_walk {
    ftr_cbor_reader sections, content;
    uint64_t left;
    const char *name;
    bool failed; /* a section does not end with a complete entry */
    ftr_index_before before;
} entry_walk;

static void walk_begin(entry_walk *walk, const index_parts *parts, const char *name)
{
    *walk = (entry_walk){.sections = parts->sections, .left = FTR_CBOR_INDEFINITE, .name = name};
    ftr_cbor_reader_init(&walk->content, NULL, 0);
}

/* Moves to the next entry. Returns false after the last entry and after an error. */
static bool walk_next(entry_walk *walk)
{
    walk->failed |= walk->content.status != FTR_OK;
    while (!walk->failed && ftr_cbor_reader_left(&walk->content) == 0) {
        const char *name = NULL;
        size_t size = 0;
        uint64_t hash;
        ftr_cbor_reader content;
        if (!ftr_cbor_next(&walk->sections, &walk->left))
            return false;
        walk->failed = !get_section(&walk->sections, &name, &size, &hash, &content);
        if (!walk->failed && is_name(name, size, walk->name))
            walk->content = content;
    }
    return !walk->failed;
}

static uint64_t get_difference(ftr_cbor_reader *r, uint64_t before)
{
    int64_t difference = 0;
    (void)ftr_cbor_get_int(r, &difference);
    return before + (uint64_t)difference;
}

/* ---- chunks ---------------------------------------------------------------------------------- */

/* Reads an entry of `chunks`. @return false if it cannot describe the chunk at `indexed` */
static bool get_chunk(entry_walk *walk, const ftr_reader *reader, ftr_frame *frame,
                      ftr_listed_chunk *listed)
{
    ftr_cbor_reader *r = &walk->content;
    const uint64_t left = reader->source.size - reader->indexed;
    uint64_t head = 0;
    uint64_t duration = 0;
    *frame = (ftr_frame){.kind = FTR_CHUNK_UNKNOWN};
    *listed = (ftr_listed_chunk){0};
    if (ftr_cbor_get_uint(r, &frame->tag) != FTR_OK || !ftr_frame_set_kind(frame, frame->tag))
        return false;
    (void)ftr_cbor_get_uint(r, &head);
    (void)ftr_cbor_get_uint(r, &frame->payload_size);
    frame->raw_size = frame->payload_size;
    if (frame->compressed)
        (void)ftr_cbor_get_uint(r, &frame->raw_size);
    if (frame->kind == FTR_CHUNK_DICTIONARY)
        (void)ftr_cbor_get_uint(r, &listed->strings);
    if (frame->kind == FTR_CHUNK_TRANSACTIONS) {
        (void)ftr_cbor_get_uint(r, &frame->stream);
        frame->start = walk->before.start = get_difference(r, walk->before.start);
        (void)ftr_cbor_get_uint(r, &duration);
        frame->end = frame->start + duration;
    }
    if (r->status != FTR_OK || head == 0 || head > FTR_FRAME_HEAD_MAX || head > left ||
        frame->payload_size > left - head || listed->strings > UINT32_MAX)
        return false;
    frame->payload = ftr_source_at(&reader->source, reader->indexed) + head;
    frame->size = head + frame->payload_size;
    return true;
}

/* Adds all chunks that the index lists. @return FTR_ERR_STATE if they do not fill the trace up to
 * its break, or if there is a finding */
static ftr_status add_chunks(ftr_reader *reader, const index_parts *parts)
{
    entry_walk walk;
    ftr_frame frame;
    ftr_listed_chunk listed;
    walk_begin(&walk, parts, FTR_INDEX_CHUNKS);
    while (walk_next(&walk)) {
        if (!get_chunk(&walk, reader, &frame, &listed))
            return FTR_ERR_STATE;
        const ftr_status status = ftr_index_add_listed(reader, &frame, &listed);
        if (status != FTR_OK)
            return status;
        if (reader->findings.count > 0)
            return FTR_ERR_STATE;
    }
    const uint64_t end = reader->indexed;
    return !walk.failed && end + 1 == reader->source.size &&
                   *ftr_source_at(&reader->source, end) == FTR_CBOR_BYTE_BREAK
               ? FTR_OK
               : FTR_ERR_STATE;
}

/* Fills the index of the reader without reading the frames of the trace.
 * @return FTR_ERR_STATE if the index of the trace is wrong: the index of the reader is then wrong,
 *         too */
static ftr_status replace_walk(ftr_reader *reader, const index_parts *parts)
{
    const ftr_findings findings = reader->findings;
    reader->findings.callback = NULL;
    ftr_status status = add_chunks(reader, parts);
    if (status == FTR_OK) /* the break */
        status = ftr_index_extend(reader) == FTR_ERR_END ? FTR_OK : FTR_ERR_STATE;
    if (status == FTR_OK && reader->findings.count > 0)
        status = FTR_ERR_STATE;
    reader->findings = findings;
    return status;
}

/* ---- ids ------------------------------------------------------------------------------------- */

/* Reads an entry of `ids`. */
static bool get_ids(entry_walk *walk, ftr_id_cover *ids)
{
    ftr_cbor_reader *r = &walk->content;
    uint64_t count = 0;
    uint64_t step[3] = {0, 0, 0}; /* of the lower range, of the gap, of the upper range */
    *ids = ftr_id_cover_none;
    if (ftr_cbor_get_array(r, &count) != FTR_OK || (count != 0 && count != 2 && count != 4))
        return false;
    if (count == 0)
        return true;
    const uint64_t first = walk->before.id = get_difference(r, walk->before.id);
    for (unsigned i = count == 4 ? 0 : 2; i < 3; i++)
        (void)ftr_cbor_get_uint(r, &step[i]);
    ids->first = first;
    bool fits = r->status == FTR_OK;
    if (count == 4) {
        ids->low_first = first;
        fits = fits && step[1] > 0 && !__builtin_add_overflow(first, step[0], &ids->low_last) &&
               !__builtin_add_overflow(ids->low_last, step[1], &ids->first);
    }
    return fits && !__builtin_add_overflow(ids->first, step[2], &ids->last);
}

/* Reads the ids of all chunks of the reader. @p stores false: only verifies that the entries of the
 * index are the ids of these chunks */
static bool read_ids(ftr_reader *reader, const index_parts *parts, bool stores)
{
    entry_walk walk;
    ftr_id_cover ids;
    walk_begin(&walk, parts, FTR_INDEX_IDS);
    for (size_t i = 0; i < reader->chunk_count; i++) {
        if (!ftr_chunk_has_ids((ftr_chunk_kind)ftr_chunk_at(reader, i)->kind))
            continue;
        if (!walk_next(&walk) || !get_ids(&walk, &ids))
            return false;
        if (stores)
            ftr_chunk_ids_set(reader, i, &ids);
    }
    return !walk_next(&walk) && !walk.failed;
}

ftr_status ftr_index_file_apply(ftr_reader *reader, const uint8_t *bytes, size_t size)
{
    index_parts parts;
    ftr_status status = FTR_OK;
    if (!find_parts(bytes, size, &parts) || !is_of_trace(&parts, &reader->source))
        return FTR_ERR_STATE;
    if (parts.has_chunks)
        status = replace_walk(reader, &parts);
    else if ((status = ftr_index_extend(reader)) == FTR_ERR_END)
        status = FTR_OK;
    if (status == FTR_OK && !read_ids(reader, &parts, false))
        status = FTR_ERR_STATE;
    if (status == FTR_OK)
        (void)read_ids(reader, &parts, true);
    if (status != FTR_ERR_STATE || !parts.has_chunks)
        return status;
    ftr_index_reset(reader); /* the chunks of a wrong index */
    return ftr_index_begin(reader) == FTR_OK ? FTR_ERR_STATE : FTR_ERR_IO;
}

/* ---- the file -------------------------------------------------------------------------------- */

static int open_beside(const char *trace)
{
    char *path = ftr_index_path(trace);
    /* O_NONBLOCK: the file may be a FIFO */
    const int fd = path != NULL ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    free(path);
    return fd;
}

/* Opens the index of the trace at @p path. If @p path is a symbolic link, the index can also be
 * beside the trace itself. */
static int open_index(const char *path)
{
    struct stat about;
    int fd = open_beside(path);
    if (fd >= 0 || lstat(path, &about) != 0 || !S_ISLNK(about.st_mode))
        return fd;
    char *target = realpath(path, NULL);
    if (target != NULL)
        fd = open_beside(target);
    free(target);
    return fd;
}

ftr_status ftr_index_file_load(ftr_reader *reader, const char *path)
{
    ftr_source index;
    const int cause = errno;
    const int fd = open_index(path);
    errno = cause;
    if (fd < 0)
        return FTR_OK;
    reader->index_state = FTR_INDEX_STALE;
    if (ftr_source_init_fd(&index, fd, true, false, NULL, NULL) != FTR_OK)
        return FTR_OK;
    ftr_status status = index.is_pipe || index.size == 0
                            ? FTR_ERR_STATE
                            : ftr_index_file_apply(reader, index.bytes, (size_t)index.size);
    ftr_source_release(&index);
    if (status == FTR_OK)
        reader->index_state = FTR_INDEX_USED;
    errno = cause;
    return status == FTR_ERR_STATE ? FTR_OK : status;
}
