/* A cache of chunk contents, expanded on demand and kept as long as the budget allows. */
#ifndef FTR_CHUNK_CACHE_H
#define FTR_CHUNK_CACHE_H

#include "byte_source.h"
#include "directory_table.h"
#include "findings.h"
#include "memory_budget.h"

/* A range of ids that grows. */
typedef struct ftr_id_range {
    uint64_t least, greatest;
} ftr_id_range;

#define FTR_ID_RANGE_NONE ((ftr_id_range){UINT64_MAX, 0})

static inline void ftr_id_range_add(ftr_id_range *range, uint64_t id)
{
    range->least = id < range->least ? id : range->least;
    range->greatest = id > range->greatest ? id : range->greatest;
}

/* A chunk in the index. Offsets within its content have 32 bits: larger chunks are not
 * supported. */
typedef struct ftr_chunk {
    uint64_t offset;
    uint64_t start, end; /* transactions: the range of times in the chunk's frame, in ticks */
    /* range of the transaction ids in the chunk or in its relations; valid if `has_ids` */
    ftr_id_range ids;
    struct ftr_content *content;
    uint32_t payload_size;
    uint32_t raw_size;
    uint32_t stream; /* transactions: index of the stream */
    uint8_t head;    /* bytes of the frame before the payload */
    uint8_t kind : 4;
    uint8_t tail : 4; /* bytes of the frame after the payload: breaks */
    uint8_t compressed : 1;
    uint8_t in_pieces : 1;
    uint8_t inverted_range : 1; /* the range ends before it starts, so it is ignored */
    /* the chunk is known from the index beside the file: its frame was not read */
    uint8_t is_listed : 1;
    /* The next three flags, `content` and `ids` change after indexing. The flags are in a byte of
     * their own, because other threads read the flags above, and a change of one flag writes its
     * whole byte. */
    uint8_t : 0;
    /* the content does not expand, or exceeds the budget: reported once and not tried again */
    uint8_t unusable : 1;
    uint8_t has_ids : 1;
    uint8_t has_gap : 1; /* the ids have a large gap (chunk_ids.h) */
} ftr_chunk;

/* Location of a dictionary text. */
typedef struct ftr_text_location {
    /* if less than the size of the content: offset in the content; otherwise: size of the content +
     * offset in `joined` */
    uint32_t offset;
    uint32_t size;
} ftr_text_location;

/* A chunk's content. */
typedef struct ftr_content {
    const uint8_t *bytes;
    uint32_t size;
    uint32_t pins;
    size_t held;     /* bytes counted against the budget */
    uint8_t *memory; /* the memory of `bytes`, owned; NULL: `bytes` points into the source */
    /* dictionaries: the location of each text; NULL: no text was needed yet */
    ftr_text_location *texts;
    uint8_t *joined; /* the texts that the content stores in pieces; valid with `texts` */
    uint32_t text_count;
    uint64_t used; /* the cache's `moment` at the last use */
    ftr_chunk *chunk;
    struct ftr_content *older, *newer;
} ftr_content;

typedef struct ftr_chunk_cache {
    ftr_source *source;
    ftr_budget *budget;
    ftr_findings *findings;
    const ftr_directory *directory; /* the streams of the chunks */
    ftr_content *oldest, *newest;
    /* Incremented each time a cursor moves. Contents with this moment in `used` are not evicted,
     * because the caller may still hold their texts. */
    uint64_t moment;
    /* number of evicted dictionaries. A change shows that texts which were found before may be
     * freed */
    uint64_t evictions;
    /* The dictionaries that were evicted in the moment `evicted_at`. They are freed later, because
     * ftr_text_of() returns recent texts without marking their contents as used. */
    ftr_content *evicted; /* a list by `older` */
    uint64_t evicted_at;
} ftr_chunk_cache;

/* Finds or expands the content of @p chunk, and pins it until ftr_chunk_cache_unpin().
 * @return FTR_OK; FTR_ERR_FORMAT if the content does not expand, or if the chunk is marked as
 *         unusable: the finding has been reported; FTR_ERR_LIMIT if the budget has no room now: the
 *         caller can release memory and try again; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_chunk_cache_pin(ftr_chunk_cache *cache, ftr_chunk *chunk,
                                            ftr_content **content);

/* Unpins a content. The content of a dictionary stays in the cache. Any other content is freed when
 * its last pin is removed, because a pass reads it once. */
void ftr_chunk_cache_unpin(ftr_chunk_cache *cache, ftr_content *content);

/* Like ftr_chunk_cache_unpin(), for a content that is likely to be read again: it is kept as long
 * as the budget allows. */
void ftr_chunk_cache_unpin_kept(ftr_content *content);

/* Like ftr_chunk_cache_pin(), for a compressed chunk that another thread has expanded to *memory.
 * If this content is needed, the cache becomes the owner of *memory and sets the pointer to NULL.
 * Otherwise *memory is not changed. */
FTR_MUST_USE ftr_status ftr_chunk_cache_adopt(ftr_chunk_cache *cache, ftr_chunk *chunk,
                                              uint8_t **memory, ftr_content **content);

/* Like ftr_chunk_cache_pin(), for callers that skip unusable chunks: if a chunk exceeds the budget,
 * this is reported and the chunk is not tried again. @return FTR_OK with NULL as the content of an
 * unusable chunk; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_chunk_cache_pin_usable(ftr_chunk_cache *cache, ftr_chunk *chunk,
                                                   ftr_content **content);

/* Marks a chunk as too large for the budget and reports it. */
void ftr_chunk_cache_refuse(ftr_chunk_cache *cache, ftr_chunk *chunk);

/* Evicts contents of the cache @p user until @p size bytes are free or no other content can be
 * evicted. Contents that are pinned, or were used in the present moment, are not evicted. */
void ftr_chunk_cache_reclaim(void *user, size_t size);

/* Evicts everything that is not pinned. */
void ftr_chunk_cache_clear(ftr_chunk_cache *cache);

#endif
