/* Accesses by address and time: a row for each page of addresses with an access, a column for each
 * slot of time. Pages are small at first; when there are too many, two neighbours become one. */
#ifndef FTR_ADDRESS_MAP_H
#define FTR_ADDRESS_MAP_H

#include "json_members.h"
#include "time_slots.h"

#define FTR_ADDRESS_PAGES_MAX 256u

typedef struct ftr_address_map {
    const ftr_time_slots *slots; /* borrowed */
    unsigned page_shift;         /* a page has 2^page_shift addresses */
    uint64_t count;
    uint64_t pages[FTR_ADDRESS_PAGES_MAX]; /* of the rows, in order of their first access */
    size_t row_count;
    uint16_t rows_of[2 * FTR_ADDRESS_PAGES_MAX]; /* row + 1 by hash of the page; 0: free */
    uint32_t *counts;                            /* slots->count for each row */
    /* The counts of the latest slot, by row. Kept together, because accesses come in order of time:
     * the cells of a column of `counts` are far from each other. */
    uint32_t present[FTR_ADDRESS_PAGES_MAX];
    size_t column; /* their slot */
} ftr_address_map;

/* @return false if out of memory */
bool ftr_address_map_init(ftr_address_map *map, const ftr_time_slots *slots);

/* Counts an access at the tick @p begin. */
void ftr_address_map_add(ftr_address_map *map, uint64_t begin, uint64_t address);

/* Makes small pages as large as the alignment of the addresses, and puts the rows in order of their
 * address. Nothing may be added after this call. @return false if out of memory */
bool ftr_address_map_sort(ftr_address_map *map);

/* Writes the numbers and columns as members of the open object. */
void ftr_address_map_print(const ftr_address_map *map, ftr_data_block *block, ftr_json *json);

void ftr_address_map_release(ftr_address_map *map);

#endif
