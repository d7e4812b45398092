/* A small number for each of many ids, for example the stream of every transaction of a file.
 * Optimised for dense ids: one, two or four bytes for each. If the map takes half of the budget,
 * its pages are packed. If the values of consecutive ids repeat, a packed page takes about 48
 * bytes. */
#ifndef FTR_ID_MAP_H
#define FTR_ID_MAP_H

#include "id_index.h"
#include "memory_budget.h"

#include <ftr/status.h>

#include <stdbool.h>
#include <stdint.h>

#define FTR_ID_PAGE 4096u

/* Several ids of one page that have the same value. */
typedef struct ftr_id_run {
    uint64_t page;           /* id / FTR_ID_PAGE */
    const uint16_t *offsets; /* id % FTR_ID_PAGE */
    size_t count;
    uint32_t value;
} ftr_id_run;

/* Packed pages that were expanded to be read. */
typedef struct ftr_expanded_pages ftr_expanded_pages;

typedef struct ftr_id_map {
    ftr_budget *budget;
    unsigned width; /* bytes of a value: 1, 2 or 4 */
    /* from page number to the address of the page's values; address + 1: the values are packed */
    ftr_id_index pages;
    uint64_t recent;              /* number of the page that was changed last and is not packed */
    uint8_t *recent_values;       /* values of the page `recent`; NULL: `recent` is not valid */
    size_t held;                  /* bytes of all pages */
    size_t opened;                /* number of pages that were added or expanded since packing */
    ftr_expanded_pages *expanded; /* NULL: no page was packed */
} ftr_id_map;

/* Initialises a map for values from 1 to @p greatest. A greater value is stored as the greatest
 * value that fits. */
void ftr_id_map_init(ftr_id_map *map, ftr_budget *budget, uint64_t greatest);
void ftr_id_map_release(ftr_id_map *map);

/* Initialises @p view for reading the values of @p map on another thread. The map must not change
 * until ftr_id_map_end_view(). @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_id_map_view(const ftr_id_map *map, ftr_id_map *view);
void ftr_id_map_end_view(ftr_id_map *view);

/* @return the value of @p id; 0 if the id has no value */
uint32_t ftr_id_map_get(const ftr_id_map *map, uint64_t id);

/* @return the greatest id that has a value; 0 if there is none */
uint64_t ftr_id_map_greatest(const ftr_id_map *map);

/* Sets the value of @p id; an earlier value is replaced. @return FTR_OK; FTR_ERR_LIMIT;
 * FTR_ERR_MEMORY */
ftr_status ftr_id_map_put(ftr_id_map *map, uint64_t id, uint32_t value);

/* Sets the value of the ids of @p run in order. Stops at the first id that already has a value, or
 * if memory is exhausted. @return the number of ids whose value was set */
size_t ftr_id_map_put_new(ftr_id_map *map, const ftr_id_run *run);

/* Removes the values of the first @p count ids of @p run. @return false if memory is exhausted: the
 * values then remain */
bool ftr_id_map_remove(ftr_id_map *map, const ftr_id_run *run, size_t count);

/* Returns the value that is read back after @p value was put. */
static inline uint32_t ftr_id_map_kept(const ftr_id_map *map, uint32_t value)
{
    const uint32_t greatest = map->width == 1   ? UINT8_MAX
                              : map->width == 2 ? UINT16_MAX
                                                : UINT32_MAX;
    return value < greatest ? value : greatest;
}

#endif
