/* Where the bytes of a file come from: memory, a mapped file that may grow, or a pipe. */
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

/* A file that doubles is mapped anew; earlier mappings stay, for there may be views into them. */
#define FTR_MAPPINGS 64

typedef struct ftr_source {
    const uint8_t *bytes; /* those from `first` up to `size` */
    uint64_t first;       /* 0 but for a pipe, which forgets what has been consumed */
    uint64_t size;        /* bytes known so far */
    int fd;               /* -1: memory */
    bool owns_fd;
    bool is_pipe;
    bool at_end; /* of a pipe */
    ftr_mapping mappings[FTR_MAPPINGS];
    unsigned mapping_count;
    size_t touched;  /* bytes of the mapping used since its pages were last let go */
    uint8_t *buffer; /* of a pipe */
    size_t capacity;
    ftr_budget *budget;
} ftr_source;

void ftr_source_init_memory(ftr_source *source, const void *bytes, size_t size);

/* Maps what @p fd is open on. What cannot be mapped is read as a pipe, or with @p spool copied to
 * a temporary file first. The descriptor becomes the source's own with @p own, also on error. */
FTR_MUST_USE ftr_status ftr_source_init_fd(ftr_source *source, int fd, bool own, bool spool,
                                           const char *directory, ftr_budget *budget);

/* Looks whether a mapped file has grown. */
ftr_status ftr_source_refresh(ftr_source *source);

/* Pipe: forgets the bytes before @p offset. */
void ftr_source_consume(ftr_source *source, uint64_t offset);

/* Pipe: reads more. FTR_ERR_END when there is no more, FTR_ERR_LIMIT when the budget is used up. */
ftr_status ftr_source_read_more(ftr_source *source);

/* Notes that @p size bytes were looked at. Lets the pages of a mapping go from time to time: they
 * stay in the system's cache, and do not count as this process's memory. */
void ftr_source_touch(ftr_source *source, size_t size);

void ftr_source_release(ftr_source *source);

/* Writes all of it. FTR_ERR_IO with errno set. */
FTR_MUST_USE ftr_status ftr_write_all(int fd, const void *bytes, size_t size);

static inline const uint8_t *ftr_source_at(const ftr_source *source, uint64_t offset)
{
    return source->bytes + (offset - source->first);
}

#endif
