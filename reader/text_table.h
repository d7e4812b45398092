/* The dictionary: locations of texts by id, without the texts themselves. */
#ifndef FTR_TEXT_TABLE_H
#define FTR_TEXT_TABLE_H

#include "id_index.h"

#include <ftr/reader.h>

/* Consecutive ids in one chunk. */
typedef struct ftr_text_run {
    uint64_t first;
    uint32_t count;
    uint32_t chunk;   /* index of the chunk */
    uint32_t ordinal; /* ordinal of the first id among the entries of its chunk */
} ftr_text_run;

#define FTR_TEXT_CACHE 1024

typedef struct ftr_text_table {
    ftr_text_run *runs; /* ascending, disjoint */
    size_t run_count, run_capacity;
    ftr_id_index strays; /* locations of ids that came out of order and are in no run */
    uint64_t count;      /* number of entries of all dictionaries */
    uint64_t evictions;  /* value of the cache's `evictions` when `recent` was filled */
    struct {
        uint64_t id; /* id + 1; 0: none */
        ftr_view text;
    } recent[FTR_TEXT_CACHE];
} ftr_text_table;

/* Adds an id and its location. @return FTR_OK; FTR_ERR_STATE if the id is already defined;
 * FTR_ERR_LIMIT; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_text_table_put(ftr_text_table *table, ftr_budget *budget, uint64_t id,
                                           uint32_t chunk, uint32_t ordinal);

/* Adds @p count ids from @p first, which is the limit of the table: the entries of one chunk, in
 * their order. @return FTR_OK; FTR_ERR_LIMIT; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_text_table_put_run(ftr_text_table *table, ftr_budget *budget,
                                               uint64_t first, uint32_t count, uint32_t chunk);

/* Finds the location of a text: the number of its chunk, and its ordinal in this chunk.
 * @return false if the id is not defined */
bool ftr_text_table_locate(const ftr_text_table *table, uint64_t id, uint32_t *chunk,
                           uint32_t *ordinal);

/* Finds the number of the chunk that defines @p id. @return false if no chunk does */
bool ftr_text_table_chunk(const ftr_text_table *table, uint64_t id, uint32_t *chunk);

/* Returns one past the greatest id. */
uint64_t ftr_text_table_limit(const ftr_text_table *table);

void ftr_text_table_release(ftr_text_table *table, ftr_budget *budget);

#endif
