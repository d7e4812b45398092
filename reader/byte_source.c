/* Descriptors, mappings and the buffer of a pipe. */
#include "byte_source.h"

#include "growing_array.h"
#include "atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* The pages of the mappings are released each time this number of bytes was read. */
#define RELEASE_AFTER (32u << 20)
/* When a page is read, Linux also maps the pages around it, up to this number of bytes
 * (fault_around_bytes). */
#define MAPPED_AROUND (64u << 10)
/* Address space reserved after the end of a file, so that the mapping also covers bytes that are
 * appended later. */
#define GROWTH (64u << 20)
#define PIPE_READ ((size_t)256 << 10)

void ftr_source_init_memory(ftr_source *source, const void *bytes, size_t size)
{
    *source = (ftr_source){.bytes = bytes, .size = size, .fd = -1};
}

ftr_status ftr_write_all(int fd, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    while (size > 0) {
        const ssize_t written = write(fd, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return FTR_ERR_IO;
        at += written;
        size -= (size_t)written;
    }
    return FTR_OK;
}

static ftr_status map(ftr_source *source, uint64_t size)
{
    source->size = size;
    if (size == 0)
        return FTR_OK;
    for (unsigned i = 0; i < source->mapping_count; i++)
        if (source->mappings[i].size >= size)
            return FTR_OK; /* the growth is within the mapping */
    if (source->mapping_count == FTR_MAPPINGS || size > SIZE_MAX / 2 - GROWTH)
        return FTR_ERR_LIMIT;
    size_t length = (size_t)size + (source->mapping_count > 0 ? (size_t)size : 0) + GROWTH;
    void *base = mmap(NULL, length, PROT_READ, MAP_SHARED, source->fd, 0);
    if (base == MAP_FAILED) { /* too little address space: map without room for growth */
        length = (size_t)size;
        base = mmap(NULL, length, PROT_READ, MAP_SHARED, source->fd, 0);
    }
    if (base == MAP_FAILED)
        return FTR_ERR_IO;
    source->mappings[source->mapping_count++] = (ftr_mapping){base, length};
    source->bytes = base;
    return FTR_OK;
}

static ftr_status spool_pipe(int from, const char *directory, int *spooled)
{
    const int to = ftr_temporary_file(directory);
    if (to < 0)
        return FTR_ERR_IO;
    uint8_t bytes[1 << 16];
    for (;;) {
        const ssize_t got = read(from, bytes, sizeof bytes);
        if (got == 0) {
            *spooled = to;
            return FTR_OK;
        }
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 || ftr_write_all(to, bytes, (size_t)got) != FTR_OK) {
            const int cause = errno;
            (void)close(to);
            errno = cause;
            return FTR_ERR_IO;
        }
    }
}

ftr_status ftr_source_init_fd(ftr_source *source, int fd, bool own, bool spool,
                              const char *directory, ftr_budget *budget)
{
    *source = (ftr_source){.fd = fd, .owns_fd = own, .budget = budget};
    struct stat status;
    ftr_status result = FTR_ERR_IO;
    if (fstat(fd, &status) != 0)
        goto failed;
    if (S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        goto failed;
    }
    if (!S_ISREG(status.st_mode)) {
        if (!spool) {
            source->is_pipe = true;
            return FTR_OK;
        }
        int spooled;
        result = spool_pipe(fd, directory, &spooled);
        if (result != FTR_OK)
            goto failed;
        if (own)
            (void)close(fd);
        source->fd = spooled;
        source->owns_fd = true;
        result = FTR_ERR_IO;
        if (fstat(spooled, &status) != 0)
            goto failed;
    }
    result = map(source, (uint64_t)status.st_size);
    if (result == FTR_OK)
        return FTR_OK;
failed:;
    const int cause = errno;
    ftr_source_release(source);
    errno = cause;
    return result;
}

ftr_status ftr_source_refresh(ftr_source *source)
{
    if (source->fd < 0 || source->is_pipe)
        return FTR_OK;
    struct stat status;
    if (fstat(source->fd, &status) != 0)
        return FTR_ERR_IO;
    /* The file was truncated, probably to be replaced: the mapped pages no longer exist. */
    if ((uint64_t)status.st_size < source->size)
        return FTR_ERR_TRUNCATED;
    return map(source, (uint64_t)status.st_size);
}

void ftr_source_consume(ftr_source *source, uint64_t offset)
{
    if (!source->is_pipe || offset <= source->first)
        return;
    const size_t left = (size_t)(source->size - offset);
    if (left > 0)
        memmove(source->buffer, source->buffer + (offset - source->first), left);
    source->first = offset;
}

ftr_status ftr_source_read_more(ftr_source *source)
{
    if (!source->is_pipe || source->at_end)
        return FTR_ERR_END;
    const size_t held = (size_t)(source->size - source->first);
    const ftr_status status =
        ftr_array_reserve(source->budget, &source->buffer, &source->capacity, held + PIPE_READ, 1);
    if (status != FTR_OK)
        return status;
    source->bytes = source->buffer;
    ssize_t got;
    do
        got = read(source->fd, source->buffer + held, source->capacity - held);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return FTR_ERR_IO;
    if (got == 0) {
        source->at_end = true;
        return FTR_ERR_END;
    }
    source->size += (size_t)got;
    return FTR_OK;
}

size_t ftr_source_copy_cached(const ftr_source *source, uint64_t offset, void *to, size_t size)
{
    if (source->mapping_count == 0)
        return 0;
    const struct iovec part = {to, size};
    const ssize_t got = preadv2(source->fd, &part, 1, (off_t)offset, RWF_NOWAIT);
    return got > 0 ? (size_t)got : 0;
}

void ftr_source_touch(ftr_source *source, size_t size)
{
    if (source->mapping_count == 0)
        return;
    source->touched += size + MAPPED_AROUND;
    if (source->touched < RELEASE_AFTER)
        return;
    source->touched = 0;
    for (unsigned i = 0; i < source->mapping_count; i++)
        (void)madvise(source->mappings[i].base, source->mappings[i].size, MADV_DONTNEED);
}

void ftr_source_release(ftr_source *source)
{
    for (unsigned i = 0; i < source->mapping_count; i++)
        (void)munmap(source->mappings[i].base, source->mappings[i].size);
    if (source->owns_fd)
        (void)close(source->fd);
    if (source->buffer != NULL)
        ftr_budget_release(source->budget, source->capacity);
    free(source->buffer);
    *source = (ftr_source){.fd = -1};
}
