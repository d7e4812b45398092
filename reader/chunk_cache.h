/* The contents of chunks, expanded when they are asked for and kept as long as the budget allows.
 */
#ifndef FTR_CHUNK_CACHE_H
#define FTR_CHUNK_CACHE_H

#include "byte_source.h"
#include "findings.h"
#include "memory_budget.h"

/* A chunk in the index. Offsets of its content are in 32 bits: larger chunks are not read. */
typedef struct ftr_chunk {
    uint64_t offset;
    uint64_t start, end;     /* transactions: what the chunk says */
    uint64_t min_id, max_id; /* of the transactions (relations) in it, once `has_ids` */
    struct ftr_content *content;
    uint32_t payload_size;
    uint32_t raw_size;
    uint32_t stream; /* transactions: index of the stream */
    uint8_t head;    /* bytes of the frame before the payload */
    uint8_t tail;    /* and behind it */
    uint8_t kind : 4;
    uint8_t compressed : 1;
    uint8_t in_pieces : 1;
    uint8_t unusable : 1; /* does not expand, or does not fit: said once, not tried again */
    uint8_t has_ids : 1;
    uint8_t odd_range : 1; /* its end is before its start: believed in nothing */
} ftr_chunk;

/* Where a text of a dictionary lies in the content. */
typedef struct ftr_text_place {
    uint32_t offset;
    uint32_t size;
} ftr_text_place;

/* A chunk's content. */
typedef struct ftr_content {
    const uint8_t *bytes;
    uint32_t size;
    uint32_t pins;
    size_t held;           /* bytes counted against the budget */
    uint8_t *memory;       /* NULL: bytes point into the source */
    ftr_text_place *texts; /* dictionaries, once wanted: a place an entry */
    uint32_t text_count;
    uint64_t used; /* the moment it was last used */
    ftr_chunk *chunk;
    struct ftr_content *older, *newer;
} ftr_content;

typedef struct ftr_chunk_cache {
    ftr_source *source;
    ftr_budget *budget;
    ftr_findings *findings;
    ftr_content *oldest, *newest;
    uint64_t moment; /* goes on whenever a cursor moves: texts handed out since are not dropped */
    uint64_t evictions; /* of dictionaries: views into them are stale when this changes */
} ftr_chunk_cache;

/* The content of @p chunk, pinned until ftr_chunk_cache_unpin().
 * FTR_OK; FTR_ERR_FORMAT (found and said) when it does not expand; FTR_ERR_LIMIT when the budget
 * does not hold it now; FTR_ERR_MEMORY. */
FTR_MUST_USE ftr_status ftr_chunk_cache_pin(ftr_chunk_cache *cache, ftr_chunk *chunk,
                                            ftr_content **content);
void ftr_chunk_cache_unpin(ftr_chunk_cache *cache, ftr_content *content);

/* Marks a chunk as too large for the budget, and says so. */
void ftr_chunk_cache_refuse(ftr_chunk_cache *cache, ftr_chunk *chunk);

/* Gives back at least @p size bytes of cache @p user, if there are as many that nobody uses. */
void ftr_chunk_cache_reclaim(void *user, size_t size);

/* Forgets what is not pinned. */
void ftr_chunk_cache_clear(ftr_chunk_cache *cache);

#endif
