/* Memory in cache lines that contain no other data. If one thread often changes data, and another
 * thread reads other data in the same cache line, each change evicts the line from the cache of the
 * reading thread's processor. */
#ifndef FTR_CACHE_LINES_H
#define FTR_CACHE_LINES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Size of a line of the processor's caches, in bytes. */
#define FTR_CACHE_LINE ((size_t)64)

/* Returns zeroed memory that shares no cache line with other data; NULL if out of memory. The
 * caller frees the memory with free(). */
static inline void *ftr_cache_lines_allocate(size_t size)
{
    const size_t whole = (size / FTR_CACHE_LINE + 1) * FTR_CACHE_LINE;
    void *lines = size < SIZE_MAX - FTR_CACHE_LINE ? aligned_alloc(FTR_CACHE_LINE, whole) : NULL;
    if (lines != NULL)
        memset(lines, 0, whole);
    return lines;
}

#endif
