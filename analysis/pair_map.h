/* From ids of one file to ids of another, for files in which neighbouring ids are mostly as far
 * apart as their counterparts. */
#ifndef FTR_PAIR_MAP_H
#define FTR_PAIR_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ftr_pair_page ftr_pair_page;

/* Zero-initialised it is empty; set the limit before it is used. */
typedef struct ftr_pair_map {
    ftr_pair_page **pages; /* by page number, open addressing */
    size_t capacity, count;
    ftr_pair_page *recent;
    size_t held, limit; /* bytes */
} ftr_pair_map;

/* @return false when the limit is reached, or without memory */
bool ftr_pair_map_put(ftr_pair_map *map, uint64_t id, uint64_t other);

/* @return whether @p id has a counterpart */
bool ftr_pair_map_get(ftr_pair_map *map, uint64_t id, uint64_t *other);

void ftr_pair_map_release(ftr_pair_map *map);

#endif
