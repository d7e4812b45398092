/* The bytes of a file: memory, a mapped file that may grow, or a pipe. */
#ifndef FTR_BYTE_SOURCE_H
#define FTR_BYTE_SOURCE_H

#include "memory_budget.h"

#include <ftr/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ftr_mapping {
    void *base;
    size_t size;
} ftr_mapping;

/* Maximum number of mappings of a file. If the file outgrows its mapping, it is mapped again.
 * Earlier mappings stay, because views may point into them. */
#define FTR_MAPPINGS 64

typedef struct ftr_source {
    const uint8_t *bytes; /* the bytes from `first` up to `size` */
    uint64_t first;       /* 0, except for a pipe, which discards consumed bytes */
    uint64_t size;        /* bytes known so far */
    int fd;               /* -1: memory */
    bool owns_fd;
    bool is_pipe;
    bool at_end; /* pipe: its end was read */
    ftr_mapping mappings[FTR_MAPPINGS];
    unsigned mapping_count;
    size_t touched;  /* bytes of the mappings that were read since their pages were last released */
    uint8_t *buffer; /* pipe: the memory of `bytes` */
    size_t capacity; /* size of `buffer` */
    ftr_budget *budget;
} ftr_source;

void ftr_source_init_memory(ftr_source *source, const void *bytes, size_t size);

/* Maps the file of @p fd. A file that is not regular, for example a pipe, is not mapped. If @p
 * spool is false, ftr_source_read_more() reads its bytes when they are needed. If @p spool is true,
 * it is first copied to a temporary file in @p directory, and this file is mapped. If @p own is
 * true, the source closes @p fd, also on error.
 * @return FTR_OK; FTR_ERR_IO with errno set, EISDIR for a directory; FTR_ERR_LIMIT if the file is
 *         too large to be mapped */
FTR_MUST_USE ftr_status ftr_source_init_fd(ftr_source *source, int fd, bool own, bool spool,
                                           const char *directory, ftr_budget *budget);

/* If a mapped file has grown, makes its new bytes accessible.
 * @return FTR_OK, whether the file has grown or not, and also for a pipe and for memory;
 *         FTR_ERR_TRUNCATED if the file has become shorter; FTR_ERR_IO with errno set;
 *         FTR_ERR_LIMIT if the file is too large, or was mapped too often */
ftr_status ftr_source_refresh(ftr_source *source);

/* Pipe: discards the bytes before @p offset. Other sources do not change. */
void ftr_source_consume(ftr_source *source, uint64_t offset);

/* Pipe: waits for more bytes and reads them. Returns FTR_OK; FTR_ERR_END at the end, and for every
 * source that is not a pipe; FTR_ERR_LIMIT if the budget is exhausted; FTR_ERR_MEMORY; FTR_ERR_IO
 * with errno set. */
ftr_status ftr_source_read_more(ftr_source *source);

/* Copies bytes of a file without mapping their pages.
 * @return number of bytes copied: fewer than @p size at the end of the file, or if some of the
 * bytes are not in the page cache; 0 if none of them is, and for a source that is not mapped. The
 * caller reads the missing bytes with ftr_source_at(). */
size_t ftr_source_copy_cached(const ftr_source *source, uint64_t offset, void *to, size_t size);

/* Counts @p size bytes of the mappings as read. From time to time, releases all pages of the
 * mappings. These pages stay in the page cache, but no longer count as memory of this process. */
void ftr_source_touch(ftr_source *source, size_t size);

void ftr_source_release(ftr_source *source);

/* Writes all bytes. @return FTR_OK, or FTR_ERR_IO with errno set */
FTR_MUST_USE ftr_status ftr_write_all(int fd, const void *bytes, size_t size);

static inline const uint8_t *ftr_source_at(const ftr_source *source, uint64_t offset)
{
    return source->bytes + (offset - source->first);
}

#endif
