/* Reads and extends history files. A night is written behind the last one. If the writer is killed,
 * the file ends with a part of a night, which readers recognise and the next writer removes. */
#include "history_file.h"

#include "atomic_file.h"
#include "cbor_reader.h"
#include "cbor_writer.h"
#include "growing_array.h"
#include "lz4_block.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define MAGIC "ftr-history"
#define VERSION 1u
#define NIGHT_ITEMS 8u
/* The head of a night is shorter than this. */
#define HEAD_MAX 512u
#define FILE_HEAD_MAX 64u
/* Greatest size of the content of a night, and of its block. */
#define CONTENT_MAX ((uint64_t)256 << 20)
/* Maximum number of bytes to which LZ4 expands one byte. */
#define EXPANSION_MAX 255u
#define LZ4_LEVEL 4

/* ---- bytes of the file ----------------------------------------------------------------------- */

/* Reads up to @p size bytes. @return the number of bytes before the end of the file; -1 with errno
 * set */
static ssize_t read_at(int fd, void *to, size_t size, uint64_t offset)
{
    size_t filled = 0;
    while (filled < size) {
        const ssize_t got = pread(fd, (char *)to + filled, size - filled, (off_t)(offset + filled));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        filled += (size_t)got;
    }
    return (ssize_t)filled;
}

static bool write_at(int fd, const void *bytes, size_t size, uint64_t offset)
{
    for (size_t done = 0; done < size;) {
        const ssize_t put =
            pwrite(fd, (const char *)bytes + done, size - done, (off_t)(offset + done));
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        done += (size_t)put;
    }
    return true;
}

static void hash_block(const uint8_t *block, size_t size, uint8_t hash[8])
{
    uint8_t whole[FTR_CONTENT_HASH_SIZE];
    ftr_content_hash sum;
    ftr_content_hash_init(&sum);
    ftr_content_hash_add(&sum, block, size);
    ftr_content_hash_get(&sum, whole);
    memcpy(hash, whole, 8);
}

static ftr_status set_problem(ftr_summary_problem *problem, uint64_t offset, const char *message)
{
    problem->offset = offset;
    (void)snprintf(problem->message, sizeof problem->message, "%s", message);
    return FTR_ERR_FORMAT;
}

/* ---- reading heads --------------------------------------------------------------------------- */

/* Reads the head of the file. @param[out] size 0: the file is empty */
static ftr_status read_file_head(int fd, uint64_t *size, ftr_summary_problem *problem)
{
    uint8_t bytes[FILE_HEAD_MAX];
    ftr_cbor_reader r;
    uint64_t tag = 0, count = 0, version = 0;
    const char *magic = NULL;
    size_t magic_size = 0;
    const ssize_t filled = read_at(fd, bytes, sizeof bytes, 0);
    if (filled < 0)
        return FTR_ERR_IO;
    *size = 0;
    if (filled == 0)
        return FTR_OK;
    ftr_cbor_reader_init(&r, bytes, (size_t)filled);
    (void)ftr_cbor_get_tag(&r, &tag);
    (void)ftr_cbor_get_array(&r, &count);
    (void)ftr_cbor_get_text(&r, &magic, &magic_size);
    if (r.status != FTR_OK || tag != FTR_CBOR_TAG_SELF_DESCRIBED || count != 2 ||
        magic_size != strlen(MAGIC) || memcmp(magic, MAGIC, magic_size) != 0)
        return set_problem(problem, 0, "it is not a history file");
    if (ftr_cbor_get_uint(&r, &version) != FTR_OK || version != VERSION)
        return set_problem(problem, 0,
                           "it is of a later version of the format; read it with a later ftr");
    *size = ftr_cbor_reader_offset(&r);
    return FTR_OK;
}

static ftr_status parse_night(ftr_cbor_reader *r, ftr_history_entry *entry)
{
    uint64_t count = 0;
    const uint8_t *identity = NULL, *hash = NULL;
    const char *name = NULL;
    size_t identity_size = 0, hash_size = 0, name_size = 0;
    ftr_cbor_head block = {0};
    (void)ftr_cbor_get_array(r, &count);
    (void)ftr_cbor_get_bytes(r, &identity, &identity_size);
    (void)ftr_cbor_get_int(r, &entry->time);
    (void)ftr_cbor_get_text(r, &name, &name_size);
    (void)ftr_cbor_get_uint(r, &entry->runs);
    (void)ftr_cbor_get_uint(r, &entry->complete);
    (void)ftr_cbor_get_uint(r, &entry->raw_size);
    (void)ftr_cbor_get_bytes(r, &hash, &hash_size);
    (void)ftr_cbor_get_head(r, &block);
    if (r->status != FTR_OK)
        return r->status;
    if (count != NIGHT_ITEMS || identity_size != sizeof entry->identity ||
        hash_size != sizeof entry->hash || name_size >= sizeof entry->name ||
        block.major != FTR_CBOR_MAJOR_BYTES || block.indefinite || block.argument > CONTENT_MAX ||
        entry->raw_size > CONTENT_MAX || entry->raw_size > block.argument * EXPANSION_MAX)
        return FTR_ERR_FORMAT;
    memcpy(entry->identity, identity, sizeof entry->identity);
    memcpy(entry->hash, hash, sizeof entry->hash);
    memcpy(entry->name, name, name_size);
    entry->block_size = block.argument;
    return FTR_OK;
}

static int compare_nights(const void *a, const void *b)
{
    const ftr_history_entry *x = a;
    const ftr_history_entry *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return memcmp(x->identity, y->identity, sizeof x->identity);
}

/* Reads the head of the night at history->end. @param[out] found false: the file ends there, or
 * within the night */
static ftr_status read_night_head(ftr_history *history, uint64_t file_size, bool *found,
                                  ftr_summary_problem *problem)
{
    uint8_t bytes[HEAD_MAX];
    ftr_history_entry entry = {.offset = history->end};
    ftr_cbor_reader r;
    *found = false;
    const ssize_t filled = read_at(history->fd, bytes, sizeof bytes, history->end);
    if (filled < 0)
        return FTR_ERR_IO;
    if (filled == 0)
        return FTR_OK;
    ftr_cbor_reader_init(&r, bytes, (size_t)filled);
    const ftr_status status = parse_night(&r, &entry);
    entry.block_offset = history->end + ftr_cbor_reader_offset(&r);
    entry.size = entry.block_offset - history->end + entry.block_size;
    history->is_cut = status == FTR_OK
                          ? entry.block_offset + entry.block_size > file_size
                          : status == FTR_ERR_TRUNCATED && (size_t)filled < sizeof bytes;
    if (history->is_cut)
        return FTR_OK;
    if (status != FTR_OK)
        return set_problem(problem, history->end, "the head of a night is damaged");
    if (!ftr_array_grow(&history->nights, &history->capacity, history->count,
                        sizeof *history->nights))
        return FTR_ERR_MEMORY;
    history->nights[history->count++] = entry;
    history->end += entry.size;
    *found = true;
    return FTR_OK;
}

static ftr_status read_heads(ftr_history *history, ftr_summary_problem *problem)
{
    const off_t file_size = lseek(history->fd, 0, SEEK_END);
    bool found = true;
    if (file_size < 0)
        return FTR_ERR_IO;
    ftr_status status = read_file_head(history->fd, &history->end, problem);
    while (status == FTR_OK && found && history->end > 0)
        status = read_night_head(history, (uint64_t)file_size, &found, problem);
    if (status == FTR_OK && history->count > 1)
        qsort(history->nights, history->count, sizeof *history->nights, compare_nights);
    return status;
}

/* ---- opening --------------------------------------------------------------------------------- */

ftr_status ftr_history_open(ftr_history *history, const char *path, ftr_summary_problem *problem)
{
    *history = (ftr_history){.fd = open(path, O_RDONLY | O_CLOEXEC)};
    if (history->fd < 0)
        return FTR_ERR_IO;
    const ftr_status status = read_heads(history, problem);
    return status == FTR_OK && history->end == 0 ? set_problem(problem, 0, "the file is empty")
                                                 : status;
}

/* Opens and locks the file. Another process can replace it before it is locked; then it is opened
 * again. */
static int open_locked(const char *path)
{
    for (;;) {
        struct stat opened, named;
        const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0)
            return -1;
        int locked;
        do
            locked = flock(fd, LOCK_EX);
        while (locked != 0 && errno == EINTR);
        if (locked == 0 && fstat(fd, &opened) == 0 && stat(path, &named) == 0 &&
            opened.st_ino == named.st_ino && opened.st_dev == named.st_dev)
            return fd;
        const int error = errno;
        (void)close(fd);
        errno = error;
        if (locked != 0)
            return -1;
    }
}

ftr_status ftr_history_open_to_add(ftr_history *history, const char *path,
                                   ftr_summary_problem *problem)
{
    *history = (ftr_history){.fd = open_locked(path)};
    if (history->fd < 0)
        return FTR_ERR_IO;
    const ftr_status status = read_heads(history, problem);
    if (status != FTR_OK || !history->is_cut)
        return status;
    history->is_cut = false;
    return ftruncate(history->fd, (off_t)history->end) == 0 ? FTR_OK : FTR_ERR_IO;
}

void ftr_history_close(ftr_history *history)
{
    if (history->fd >= 0)
        (void)close(history->fd);
    free(history->nights);
    *history = (ftr_history){.fd = -1};
}

const ftr_history_entry *ftr_history_find(const ftr_history *history,
                                          const uint8_t identity[FTR_CONTENT_HASH_SIZE])
{
    for (size_t i = 0; i < history->count; i++)
        if (memcmp(history->nights[i].identity, identity, FTR_CONTENT_HASH_SIZE) == 0)
            return &history->nights[i];
    return NULL;
}

const ftr_history_entry *ftr_history_find_name(const ftr_history *history, const char *name)
{
    for (size_t i = 0; i < history->count; i++)
        if (strcmp(history->nights[i].name, name) == 0)
            return &history->nights[i];
    return NULL;
}

/* ---- reading a night ------------------------------------------------------------------------- */

/* Reads bytes of the file into memory that the caller frees. @return NULL with errno set */
static uint8_t *read_bytes(const ftr_history *history, uint64_t offset, uint64_t size)
{
    uint8_t *bytes = malloc(size + 1);
    const ssize_t filled = bytes != NULL ? read_at(history->fd, bytes, size, offset) : -1;
    if (filled >= 0 && (uint64_t)filled == size)
        return bytes;
    if (filled >= 0)
        errno = EIO; /* the file became shorter after it was opened */
    const int error = errno;
    free(bytes);
    errno = error;
    return NULL;
}

static ftr_status decode_block(const ftr_history_entry *entry, const uint8_t *block,
                               ftr_history_night *night)
{
    if (entry->raw_size == 0)
        return ftr_history_decode(block, entry->block_size, night);
    uint8_t *content = malloc(entry->raw_size);
    if (content == NULL)
        return FTR_ERR_MEMORY;
    ftr_status status = ftr_lz4_expand(block, entry->block_size, content, entry->raw_size);
    if (status == FTR_OK)
        status = ftr_history_decode(content, entry->raw_size, night);
    free(content);
    return status;
}

ftr_status ftr_history_read(const ftr_history *history, size_t at, ftr_history_night *night,
                            ftr_summary_problem *problem)
{
    const ftr_history_entry *entry = &history->nights[at];
    uint8_t hash[sizeof entry->hash];
    ftr_history_night_init(night);
    uint8_t *block = read_bytes(history, entry->block_offset, entry->block_size);
    if (block == NULL)
        return errno == ENOMEM ? FTR_ERR_MEMORY : FTR_ERR_IO;
    hash_block(block, entry->block_size, hash);
    ftr_status status = memcmp(hash, entry->hash, sizeof hash) == 0
                            ? decode_block(entry, block, night)
                            : FTR_ERR_FORMAT;
    free(block);
    if (status == FTR_OK && (night->run_count != entry->runs || night->complete != entry->complete))
        status = FTR_ERR_FORMAT;
    memcpy(night->identity, entry->identity, sizeof night->identity);
    memcpy(night->name, entry->name, sizeof night->name);
    night->time = entry->time;
    if (status == FTR_OK || status == FTR_ERR_MEMORY)
        return status;
    return set_problem(problem, entry->offset, "the content of a night is damaged");
}

/* ---- adding ---------------------------------------------------------------------------------- */

static void put_file_head(ftr_cbor_writer *w)
{
    ftr_cbor_put_tag(w, FTR_CBOR_TAG_SELF_DESCRIBED);
    ftr_cbor_put_array(w, 2);
    ftr_cbor_put_text(w, MAGIC, strlen(MAGIC));
    ftr_cbor_put_uint(w, VERSION);
}

static void put_night(const ftr_history_night *night, const uint8_t *block, size_t size,
                      uint64_t raw_size, ftr_cbor_writer *w)
{
    uint8_t hash[8];
    hash_block(block, size, hash);
    ftr_cbor_put_array(w, NIGHT_ITEMS);
    ftr_cbor_put_bytes(w, night->identity, sizeof night->identity);
    ftr_cbor_put_int(w, night->time);
    ftr_cbor_put_text(w, night->name, strlen(night->name));
    ftr_cbor_put_uint(w, night->run_count);
    ftr_cbor_put_uint(w, night->complete);
    ftr_cbor_put_uint(w, raw_size);
    ftr_cbor_put_bytes(w, hash, sizeof hash);
    ftr_cbor_put_bytes(w, block, size);
}

/* Compresses the content of a night and writes it with its head. */
static ftr_status encode_night(ftr_history_night *night, ftr_cbor_writer *w)
{
    ftr_cbor_writer content;
    ftr_lz4_compressor *compressor = NULL;
    ftr_cbor_writer_init_growing(&content, CONTENT_MAX);
    ftr_history_encode(night, &content);
    ftr_status status = content.status;
    const size_t size = ftr_cbor_writer_size(&content);
    const size_t capacity = ftr_lz4_bound(size);
    size_t compressed = 0;
    uint8_t *block = status == FTR_OK ? malloc(capacity) : NULL;
    if (status == FTR_OK)
        status = block != NULL ? ftr_lz4_compressor_create(LZ4_LEVEL, &compressor) : FTR_ERR_MEMORY;
    if (status == FTR_OK)
        status = ftr_lz4_compress(compressor, 0, content.begin, size, block, capacity, &compressed);
    if (status == FTR_OK && compressed < size)
        put_night(night, block, compressed, size, w);
    else if (status == FTR_OK)
        put_night(night, content.begin, size, 0, w);
    ftr_lz4_compressor_destroy(compressor);
    free(block);
    ftr_cbor_writer_free(&content);
    return status == FTR_OK ? w->status : status;
}

/* Writes bytes of nights behind the last night. */
static ftr_status append_bytes(ftr_history *history, const uint8_t *bytes, size_t size)
{
    uint8_t head[FILE_HEAD_MAX];
    ftr_cbor_writer w;
    ftr_cbor_writer_init(&w, head, sizeof head);
    if (history->end == 0)
        put_file_head(&w);
    const size_t head_size = ftr_cbor_writer_size(&w);
    if (write_at(history->fd, head, head_size, 0) &&
        write_at(history->fd, bytes, size, history->end + head_size) && fsync(history->fd) == 0) {
        history->end += head_size + size;
        return FTR_OK;
    }
    const int error = errno;
    if (ftruncate(history->fd, (off_t)history->end) != 0)
        return FTR_ERR_IO;
    errno = error;
    return FTR_ERR_IO;
}

/* Enters a night that was written at the end of the file. */
static ftr_status add_entry(ftr_history *history, const ftr_history_entry *entry)
{
    if (!ftr_array_grow(&history->nights, &history->capacity, history->count,
                        sizeof *history->nights))
        return FTR_ERR_MEMORY;
    history->nights[history->count++] = *entry;
    qsort(history->nights, history->count, sizeof *history->nights, compare_nights);
    return FTR_OK;
}

ftr_status ftr_history_append(ftr_history *history, ftr_history_night *night)
{
    ftr_cbor_writer w;
    ftr_cbor_reader r;
    ftr_history_entry entry = {0};
    ftr_cbor_writer_init_growing(&w, 0);
    ftr_status status = encode_night(night, &w);
    if (status == FTR_OK)
        status = append_bytes(history, w.begin, ftr_cbor_writer_size(&w));
    if (status == FTR_OK) {
        ftr_cbor_reader_init(&r, w.begin, ftr_cbor_writer_size(&w));
        status = parse_night(&r, &entry);
        entry.size = ftr_cbor_writer_size(&w);
        entry.offset = history->end - entry.size;
        entry.block_offset = entry.offset + ftr_cbor_reader_offset(&r);
    }
    ftr_cbor_writer_free(&w);
    return status == FTR_OK ? add_entry(history, &entry) : status;
}

ftr_status ftr_history_copy(ftr_history *to, const ftr_history *from, size_t at)
{
    ftr_history_entry entry = from->nights[at];
    uint8_t *bytes = read_bytes(from, entry.offset, entry.size);
    if (bytes == NULL)
        return errno == ENOMEM ? FTR_ERR_MEMORY : FTR_ERR_IO;
    ftr_status status = append_bytes(to, bytes, entry.size);
    free(bytes);
    entry.block_offset = to->end - entry.size + (entry.block_offset - entry.offset);
    entry.offset = to->end - entry.size;
    return status == FTR_OK ? add_entry(to, &entry) : status;
}

/* ---- removing -------------------------------------------------------------------------------- */

static ftr_status write_kept(const ftr_history *history, const bool *is_kept, ftr_atomic_file *file)
{
    ftr_history kept = {.fd = file->fd};
    ftr_status status = FTR_OK;
    /* The head of the file, also if no night is kept. */
    status = append_bytes(&kept, NULL, 0);
    for (size_t i = 0; i < history->count && status == FTR_OK; i++)
        if (is_kept[i])
            status = ftr_history_copy(&kept, history, i);
    free(kept.nights);
    return status;
}

ftr_status ftr_history_keep(ftr_history *history, const char *path, const bool *is_kept)
{
    ftr_atomic_file file;
    ftr_status status = ftr_atomic_file_create(&file, path, FTR_ATOMIC_FILE_MODE);
    if (status != FTR_OK)
        return status;
    status = write_kept(history, is_kept, &file);
    if (status == FTR_OK)
        return ftr_atomic_file_commit(&file, true);
    ftr_atomic_file_discard(&file);
    return status;
}
