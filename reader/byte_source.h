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

/* If a file outgrows its mapping, it is mapped again. Earlier mappings stay, because views may
 * point into them. */
#define FTR_MAPPINGS 64

typedef struct ftr_source {
    const uint8_t *bytes; /* the bytes from `first` up to `size` */
    uint64_t first;       /* 0, except for a pipe, which discards consumed bytes */
    uint64_t size;        /* bytes known so far */
    int fd;               /* -1: memory */
    bool owns_fd;
    bool is_pipe;
    bool at_end; /* pipe only */
    ftr_mapping mappings[FTR_MAPPINGS];
    unsigned mapping_count;
    size_t touched;  /* bytes of the mappings that were read since their pages were last released */
    uint8_t *buffer; /* pipe only */
    size_t capacity;
    ftr_budget *budget;
} ftr_source;

void ftr_source_init_memory(ftr_source *source, const void *bytes, size_t size);

/* Maps the file of @p fd. If the file cannot be mapped, it is read as a pipe, or, if @p spool is
 * true, first copied to a temporary file in @p directory. If @p own is true, the source closes @p
 * fd, also on error. */
FTR_MUST_USE ftr_status ftr_source_init_fd(ftr_source *source, int fd, bool own, bool spool,
                                           const char *directory, ftr_budget *budget);

/* Checks whether a mapped file has grown. */
ftr_status ftr_source_refresh(ftr_source *source);

/* Pipe: discards the bytes before @p offset. */
void ftr_source_consume(ftr_source *source, uint64_t offset);

/* Pipe: reads more bytes. Returns FTR_ERR_END at the end, FTR_ERR_LIMIT if the budget is
 * exhausted. */
ftr_status ftr_source_read_more(ftr_source *source);

/* Copies bytes of a file without mapping their pages.
 * @return number of bytes copied: fewer than @p size at the end of the file, and 0 if the bytes are
 * not in the page cache. The caller then reads them through the mapping. */
size_t ftr_source_copy_cached(const ftr_source *source, uint64_t offset, void *to, size_t size);

/* Counts @p size bytes of the mappings as read. From time to time, releases all pages of the
 * mappings. These pages stay in the page cache, but no longer count as memory of this process. */
void ftr_source_touch(ftr_source *source, size_t size);

void ftr_source_release(ftr_source *source);

/* Writes all bytes. FTR_ERR_IO with errno set. */
FTR_MUST_USE ftr_status ftr_write_all(int fd, const void *bytes, size_t size);

static inline const uint8_t *ftr_source_at(const ftr_source *source, uint64_t offset)
{
    return source->bytes + (offset - source->first);
}

#endif
