/* Finds kept transactions by id. Successive searches are often for neighbouring ids, so a search
 * begins where the previous search ended. */
#ifndef FTR_KEPT_PLACES_H
#define FTR_KEPT_PLACES_H

#include "kept_transactions.h"

#define FTR_KEPT_NOWHERE SIZE_MAX

typedef struct ftr_kept_place {
    uint64_t id;
    size_t place; /* index in `txs` */
} ftr_kept_place;

typedef struct ftr_kept_places {
    ftr_kept_place *of; /* in order of id */
    size_t count;
    size_t latest;   /* index of the place found last */
    uint64_t *marks; /* a bit for the low bits of each id; excludes most ids without a search */
} ftr_kept_places;

/* @return false if out of memory */
bool ftr_kept_places_init(ftr_kept_places *places, const ftr_kept_transactions *kept);

/* Returns the place of a transaction; FTR_KEPT_NOWHERE if it is not kept. */
size_t ftr_kept_places_find(ftr_kept_places *places, uint64_t id);

void ftr_kept_places_release(ftr_kept_places *places);

#endif
