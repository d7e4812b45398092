/* The numbers of accesses by address and time. There is a row for each page of addresses with an
 * access, and a column for each time slot. Pages are small at first. If there are too many, the
 * size of all pages is doubled, so that two neighbouring pages become one page. */
#ifndef FTR_ADDRESS_MAP_H
#define FTR_ADDRESS_MAP_H

#include "data_block.h"
#include "time_slots.h"

#define FTR_ADDRESS_PAGES_MAX 256u

typedef struct ftr_address_map {
    const ftr_time_slots *slots; /* borrowed */
    unsigned page_shift;         /* a page has 2^page_shift addresses */
    uint64_t count;
    /* number of the page of each row; rows are in order of the first access */
    uint64_t pages[FTR_ADDRESS_PAGES_MAX];
    size_t row_count;
    uint16_t rows_of[2 * FTR_ADDRESS_PAGES_MAX]; /* row + 1; 0: free; index: hash of the page */
    uint32_t *counts; /* number of accesses; index: row * slots->count + time slot */
    /* The counts of the time slot `column`, which contains the latest access; index: row. They are
     * kept here because accesses come in order of time, so many successive accesses change counts
     * of the same time slot. These counts are close together here, but far apart in `counts`. */
    uint32_t present[FTR_ADDRESS_PAGES_MAX];
    size_t column; /* the time slot of `present` */
} ftr_address_map;

/* @return false if out of memory */
bool ftr_address_map_init(ftr_address_map *map, const ftr_time_slots *slots);

/* Counts an access at the tick @p begin. */
void ftr_address_map_add(ftr_address_map *map, uint64_t begin, uint64_t address);

/* If all addresses are aligned, enlarges small pages to the alignment. Then sorts the rows by
 * address. Nothing may be added after this call. @return false if out of memory */
bool ftr_address_map_sort(ftr_address_map *map);

/* Writes the numbers and columns as members of the open object. */
void ftr_address_map_print(const ftr_address_map *map, ftr_data_block *block, ftr_json *json);

void ftr_address_map_release(ftr_address_map *map);

#endif
