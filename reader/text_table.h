/* The dictionary: locations of texts by id, without the texts themselves. */
#ifndef FTR_TEXT_TABLE_H
#define FTR_TEXT_TABLE_H

#include "chunk_cache.h"
#include "id_index.h"

struct ftr_reader;

/* Consecutive ids in one chunk. */
typedef struct ftr_text_run {
    uint64_t first;
    uint32_t count;
    uint32_t chunk;   /* index of the chunk */
    uint32_t ordinal; /* ordinal of the first one among the entries of its chunk */
} ftr_text_run;

#define FTR_TEXT_CACHE 1024

typedef struct ftr_text_table {
    ftr_text_run *runs; /* ascending, disjoint */
    size_t run_count, run_capacity;
    ftr_id_index strays; /* ids that came out of order and are in none of the runs */
    uint64_t count;
    uint64_t evictions; /* evictions of the cache when `recent` was filled */
    struct {
        uint64_t id; /* id + 1; 0: none */
        ftr_view text;
    } recent[FTR_TEXT_CACHE];
} ftr_text_table;

/* Adds the ids of dictionary chunk @p chunk. Invalid entries are reported and skipped. If an id is
 * defined several times, the first definition counts, as for streams and generators: a pipe has
 * returned it before the others arrive. */
FTR_MUST_USE ftr_status ftr_text_table_add(struct ftr_reader *reader, uint32_t chunk);

/* Returns the text of @p id; data is NULL if the id is undefined or its chunk exceeds the
 * budget. */
ftr_view ftr_text_table_find(struct ftr_reader *reader, uint64_t id);

/* Finds the number of the chunk that defines @p id. @return false if none does */
bool ftr_text_table_chunk(const ftr_text_table *table, uint64_t id, uint32_t *chunk);

static inline ftr_view ftr_text_of(struct ftr_reader *reader, ftr_text_table *table,
                                   const ftr_chunk_cache *cache, uint64_t id)
{
    const size_t slot = id % FTR_TEXT_CACHE;
    if (table->recent[slot].id == id + 1 && table->evictions == cache->evictions)
        return table->recent[slot].text;
    return ftr_text_table_find(reader, id);
}

/* Returns one past the greatest id. */
uint64_t ftr_text_table_limit(const ftr_text_table *table);

void ftr_text_table_release(ftr_text_table *table, ftr_budget *budget);

#endif
