/* Finds relations that only one of two traces has. Relations are equal if they have the same name
 * and connect partners. */
#ifndef FTR_RELATION_DIFF_H
#define FTR_RELATION_DIFF_H

#include "id_index.h"
#include "trace_differences.h"

/* A map from ids of one file to ids of another. It needs little memory if neighbouring ids have the
 * same distance to their partners. */

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

/* Compares all relations and sets the counts of relations in @p diff.
 * @param partners maps ids of the first trace to ids of the second trace
 * @param paired contains the ids of the second trace that have a partner */
FTR_MUST_USE ftr_status ftr_relation_diff_run(ftr_trace_diff *diff, const ftr_diff_options *options,
                                              ftr_reader *const readers[2], ftr_pair_map *partners,
                                              ftr_pair_map *paired);

#endif
