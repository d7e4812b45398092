/* A map from ids of one file to ids of another. It needs little memory if neighbouring ids have the
 * same distance to their partners. */
#ifndef FTR_PAIR_MAP_H
#define FTR_PAIR_MAP_H

#include "id_index.h"

typedef struct ftr_pair_page ftr_pair_page;

/* `{0}` is an empty map; the limit of the budget must be set before use. */
typedef struct ftr_pair_map {
    ftr_budget budget;
    ftr_pair_page **pages;
    size_t capacity, count;
    ftr_id_index index; /* from the number of a page to its place in `pages` */
    ftr_pair_page *recent;
} ftr_pair_map;

/* Sets the partner of @p id. @return false if the limit is reached or memory is exhausted */
bool ftr_pair_map_put(ftr_pair_map *map, uint64_t id, uint64_t other);

/* Finds the partner of @p id. @return false if it has none; then @p other is untouched */
bool ftr_pair_map_get(ftr_pair_map *map, uint64_t id, uint64_t *other);

void ftr_pair_map_release(ftr_pair_map *map);

#endif
