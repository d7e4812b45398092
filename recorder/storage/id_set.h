/* Sets of transaction ids, stored as sorted intervals. Ids are added nearly in order, so the number
 * of intervals is about the number of open transactions. */
#ifndef FTR_ID_SET_H
#define FTR_ID_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ftr_interval {
    uint64_t first;
    uint64_t last;
} ftr_interval;

/* The policy for a set with too many intervals. Both policies affect the lowest ids. */
typedef enum ftr_id_set_excess {
    /* the two lowest intervals are merged: the set then also contains the ids between these
     * intervals */
    FTR_ID_SET_JOINS,
    FTR_ID_SET_FORGETS /* the lowest intervals are removed, several at a time */
} ftr_id_set_excess;

typedef struct ftr_id_set {
    ftr_interval *intervals; /* sorted, disjoint, not adjacent */
    size_t count;
    size_t capacity;
    ftr_id_set_excess excess;
} ftr_id_set;

/* Adds @p id, except if there is no memory for the first interval. */
void ftr_id_set_add(ftr_id_set *set, uint64_t id);
bool ftr_id_set_contains(const ftr_id_set *set, uint64_t id);
void ftr_id_set_clear(ftr_id_set *set);
void ftr_id_set_release(ftr_id_set *set);

#endif
