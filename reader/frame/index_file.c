/* Writes an index. The sections of up to CHUNKS_A_SECTION chunks are completed together, so that
 * the memory for sections under construction is limited. */
#include "index_file.h"

#include "atomic_file.h"
#include "cbor_reader.h"
#include "hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNKS_A_SECTION 4096u
/* Complete sections are moved to the temporary file when they have this size. */
#define MEMORY_MAX ((size_t)256 << 10)
#define COPY_SIZE ((size_t)64 << 10)

/* A step of FNV-1a for a word instead of a byte, because an index can have many megabytes. */
static uint64_t add_word(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * UINT64_C(0x100000001b3);
}

uint64_t ftr_index_hash_section(const uint8_t *bytes, size_t size)
{
    uint64_t hash = add_word(FTR_HASH_SEED, size);
    for (; size >= sizeof hash; bytes += sizeof hash, size -= sizeof hash)
        hash = add_word(hash, ftr_cbor_load(bytes, sizeof hash, size));
    if (size > 0)
        hash = add_word(hash, ftr_cbor_load(bytes, (unsigned)size, size));
    return hash ^ hash >> 32;
}

uint64_t ftr_index_hash_trace(const uint8_t *first, const uint8_t *last, uint64_t size)
{
    const size_t first_size = size < FTR_INDEX_BOUND_FIRST ? (size_t)size : FTR_INDEX_BOUND_FIRST;
    const size_t last_size = size < FTR_INDEX_BOUND_LAST ? (size_t)size : FTR_INDEX_BOUND_LAST;
    return ftr_hash_text(ftr_hash_text(FTR_HASH_SEED, (const char *)first, first_size),
                         (const char *)last, last_size);
}

/* ---- collecting ------------------------------------------------------------------------------ */

void ftr_index_writer_init(ftr_index_writer *writer, const char *beside)
{
    *writer = (ftr_index_writer){.spill = -1, .beside = beside};
    ftr_cbor_writer_init_growing(&writer->chunks, 0);
    ftr_cbor_writer_init_growing(&writer->ids, 0);
    ftr_cbor_writer_init_growing(&writer->complete, 0);
}

/* Returns true if the descriptor still refers to the temporary file. A file that the program has
 * opened after it closed the descriptor can have the same inode, but it has a name. */
static bool is_spill(const ftr_index_writer *writer)
{
    struct stat about;
    return writer->spill >= 0 && fstat(writer->spill, &about) == 0 && about.st_nlink == 0 &&
           about.st_dev == writer->device && about.st_ino == writer->inode;
}

static void close_spill(ftr_index_writer *writer)
{
    if (is_spill(writer))
        (void)close(writer->spill);
    writer->spill = -1;
    writer->spilled = 0;
}

void ftr_index_writer_release(ftr_index_writer *writer)
{
    close_spill(writer);
    ftr_cbor_writer_free(&writer->chunks);
    ftr_cbor_writer_free(&writer->ids);
    ftr_cbor_writer_free(&writer->complete);
}

void ftr_index_writer_restart(ftr_index_writer *writer, const char *beside)
{
    close_spill(writer);
    ftr_cbor_writer_reset(&writer->chunks);
    ftr_cbor_writer_reset(&writer->ids);
    ftr_cbor_writer_reset(&writer->complete);
    writer->before = (ftr_index_before){0};
    writer->chunk_count = 0;
    writer->beside = beside;
    writer->status = FTR_OK;
}

uint64_t ftr_index_writer_size(const ftr_index_writer *writer)
{
    return writer->spilled + ftr_cbor_writer_size(&writer->complete) +
           ftr_cbor_writer_size(&writer->chunks) + ftr_cbor_writer_size(&writer->ids);
}

size_t ftr_index_writer_memory(const ftr_index_writer *writer)
{
    return writer->chunks.capacity + writer->ids.capacity + writer->complete.capacity;
}

static void latch(ftr_index_writer *writer, ftr_status status)
{
    if (writer->status == FTR_OK)
        writer->status = status;
}

static ftr_status write_all(int fd, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return FTR_ERR_IO;
        bytes += written;
        size -= (size_t)written;
    }
    return FTR_OK;
}

static ftr_status open_spill(ftr_index_writer *writer)
{
    struct stat about;
    const char *slash = strrchr(writer->beside, '/');
    char *folder =
        slash != NULL ? strndup(writer->beside, (size_t)(slash + 1 - writer->beside)) : strdup(".");
    if (folder == NULL)
        return FTR_ERR_MEMORY;
    writer->spill = ftr_temporary_file(folder);
    free(folder);
    if (writer->spill < 0 || fstat(writer->spill, &about) != 0)
        return FTR_ERR_IO;
    writer->device = about.st_dev;
    writer->inode = about.st_ino;
    return FTR_OK;
}

static void spill(ftr_index_writer *writer)
{
    const size_t size = ftr_cbor_writer_size(&writer->complete);
    if (writer->spill < 0)
        latch(writer, open_spill(writer));
    if (writer->status == FTR_OK)
        latch(writer, is_spill(writer) ? write_all(writer->spill, writer->complete.begin, size)
                                       : FTR_ERR_IO);
    writer->spilled += size;
    ftr_cbor_writer_reset(&writer->complete);
}

static void put_section(ftr_index_writer *writer, const char *name, ftr_cbor_writer *content)
{
    const size_t size = ftr_cbor_writer_size(content);
    ftr_cbor_writer *w = &writer->complete;
    latch(writer, content->status);
    if (size == 0 || writer->status != FTR_OK)
        return;
    ftr_cbor_put_array(w, 3);
    ftr_cbor_put_text(w, name, strlen(name));
    ftr_cbor_put_uint(w, ftr_index_hash_section(content->begin, size));
    ftr_cbor_put_bytes(w, content->begin, size);
    latch(writer, w->status);
    ftr_cbor_writer_reset(content);
}

static void complete_sections(ftr_index_writer *writer)
{
    put_section(writer, FTR_INDEX_CHUNKS, &writer->chunks);
    put_section(writer, FTR_INDEX_IDS, &writer->ids);
    writer->chunk_count = 0;
    if (ftr_cbor_writer_size(&writer->complete) >= MEMORY_MAX)
        spill(writer);
}

/* Puts the difference of two numbers, modulo 2^64. */
static void put_difference(ftr_cbor_writer *w, uint64_t number, uint64_t before)
{
    ftr_cbor_put_int(w, (int64_t)(number - before));
}

static void put_chunk(ftr_index_writer *writer, const ftr_indexed_chunk *chunk)
{
    ftr_cbor_writer *w = &writer->chunks;
    const uint64_t kind = chunk->tag & ~(uint64_t)FTR_TAG_COMPRESSED;
    ftr_cbor_put_uint(w, chunk->tag);
    ftr_cbor_put_uint(w, chunk->head);
    ftr_cbor_put_uint(w, chunk->payload);
    if (chunk->tag & FTR_TAG_COMPRESSED)
        ftr_cbor_put_uint(w, chunk->raw_size);
    if (kind == FTR_TAG_DICTIONARY)
        ftr_cbor_put_uint(w, chunk->strings);
    if (kind != FTR_TAG_TRANSACTIONS)
        return;
    ftr_cbor_put_uint(w, chunk->stream);
    put_difference(w, chunk->start, writer->before.start);
    ftr_cbor_put_uint(w, chunk->end - chunk->start);
    writer->before.start = chunk->start;
}

static void put_ids(ftr_index_writer *writer, const ftr_id_cover *ids)
{
    ftr_cbor_writer *w = &writer->ids;
    const bool is_split = ftr_id_cover_is_split(ids);
    if (ftr_id_cover_is_empty(ids)) {
        ftr_cbor_put_array(w, 0);
        return;
    }
    const uint64_t first = is_split ? ids->low_first : ids->first;
    ftr_cbor_put_array(w, is_split ? 4 : 2);
    put_difference(w, first, writer->before.id);
    if (is_split) {
        ftr_cbor_put_uint(w, ids->low_last - first);
        ftr_cbor_put_uint(w, ids->first - ids->low_last);
    }
    ftr_cbor_put_uint(w, ids->last - ids->first);
    writer->before.id = first;
}

void ftr_index_put(ftr_index_writer *writer, const ftr_indexed_chunk *chunk,
                   const ftr_id_cover *ids)
{
    const uint64_t kind = chunk->tag & ~(uint64_t)FTR_TAG_COMPRESSED;
    if (writer->status != FTR_OK)
        return;
    if (!writer->omits_chunks)
        put_chunk(writer, chunk);
    if (kind == FTR_TAG_TRANSACTIONS || kind == FTR_TAG_RELATIONS)
        put_ids(writer, ids);
    writer->chunk_count++;
    if (writer->chunk_count == CHUNKS_A_SECTION)
        complete_sections(writer);
}

void ftr_index_put_framed(ftr_index_writer *writer, const ftr_chunk_head *head,
                          const uint8_t *framed, size_t size)
{
    ftr_frame frame;
    if (!ftr_frame_parse_head(framed, size < FTR_FRAME_HEAD_MAX ? size : FTR_FRAME_HEAD_MAX, size,
                              &frame)) {
        latch(writer, FTR_ERR_FORMAT);
        return;
    }
    const ftr_indexed_chunk chunk = {.tag = frame.tag,
                                     .head = (uint64_t)(frame.payload - framed),
                                     .payload = frame.payload_size,
                                     .raw_size = frame.raw_size,
                                     .stream = frame.stream,
                                     .start = frame.start,
                                     .end = frame.end,
                                     .strings = head->strings};
    ftr_index_put(writer, &chunk, &head->ids);
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool read_at(int fd, uint8_t *to, size_t size, uint64_t offset)
{
    while (size > 0) {
        const ssize_t got = pread(fd, to, size, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            errno = got < 0 ? errno : EIO;
            return false;
        }
        to += got;
        size -= (size_t)got;
        offset += (uint64_t)got;
    }
    return true;
}

/* Puts the length and the hash of the trace, by which readers recognise it. */
static ftr_status put_trace(ftr_cbor_writer *w, int fd, uint64_t size)
{
    uint8_t first[FTR_INDEX_BOUND_FIRST];
    uint8_t last[FTR_INDEX_BOUND_LAST];
    const size_t last_size = size < sizeof last ? (size_t)size : sizeof last;
    if (!read_at(fd, first, size < sizeof first ? (size_t)size : sizeof first, 0) ||
        !read_at(fd, last, last_size, size - last_size))
        return FTR_ERR_IO;
    ftr_cbor_put_array(w, 2);
    ftr_cbor_put_uint(w, size);
    ftr_cbor_put_uint(w, ftr_index_hash_trace(first, last, size));
    return w->status;
}

static ftr_status copy_spill(const ftr_index_writer *writer, int to)
{
    uint8_t *bytes = malloc(COPY_SIZE);
    ftr_status status = bytes == NULL ? FTR_ERR_MEMORY : FTR_OK;
    for (uint64_t at = 0; status == FTR_OK && at < writer->spilled;) {
        const size_t size =
            writer->spilled - at < COPY_SIZE ? (size_t)(writer->spilled - at) : COPY_SIZE;
        status = is_spill(writer) && read_at(writer->spill, bytes, size, at)
                     ? write_all(to, bytes, size)
                     : FTR_ERR_IO;
        at += size;
    }
    free(bytes);
    return status;
}

/* Writes all parts of the index to @p to. */
static ftr_status write_parts(ftr_index_writer *writer, int to, int trace, uint64_t trace_size)
{
    ftr_cbor_writer w;
    uint8_t around[FTR_INDEX_MAGIC_SIZE + (size_t)6 * FTR_CBOR_HEAD_MAX];
    ftr_cbor_writer_init(&w, around, sizeof around);
    ftr_cbor_put_encoded(&w, FTR_INDEX_MAGIC, FTR_INDEX_MAGIC_SIZE);
    ftr_cbor_put_uint(&w, FTR_INDEX_VERSION);
    ftr_cbor_put_indefinite_array(&w);
    ftr_status status = write_all(to, around, ftr_cbor_writer_size(&w));
    if (status == FTR_OK)
        status = copy_spill(writer, to);
    if (status == FTR_OK)
        status = write_all(to, writer->complete.begin, ftr_cbor_writer_size(&writer->complete));
    ftr_cbor_writer_reset(&w);
    ftr_cbor_put_break(&w);
    if (status == FTR_OK)
        status = put_trace(&w, trace, trace_size);
    return status == FTR_OK ? write_all(to, around, ftr_cbor_writer_size(&w)) : status;
}

static ftr_status write_beside(ftr_index_writer *writer, const char *path, int fd)
{
    struct stat about;
    ftr_atomic_file file;
    if (fstat(fd, &about) != 0 || !ftr_index_is_replaceable(path))
        return FTR_ERR_IO;
    ftr_status status = ftr_atomic_file_create(&file, path, ftr_atomic_file_mode_of_copy(&about));
    if (status != FTR_OK)
        return status;
    status = write_parts(writer, file.fd, fd, (uint64_t)about.st_size);
    if (status == FTR_OK)
        return ftr_atomic_file_commit_unsynced(&file);
    ftr_atomic_file_discard(&file);
    return status;
}

ftr_status ftr_index_write(ftr_index_writer *writer, const char *trace, int fd)
{
    complete_sections(writer);
    if (writer->status != FTR_OK)
        return writer->status;
    char *path = ftr_index_path(trace);
    const ftr_status status = path != NULL ? write_beside(writer, path, fd) : FTR_ERR_MEMORY;
    free(path);
    return status;
}
