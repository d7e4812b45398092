/* Sets of transaction ids as sorted intervals. Ids come nearly in order, so there are few: about as
 * many as transactions are open at one time. */
#ifndef FTR_ID_SET_H
#define FTR_ID_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ftr_interval {
    uint64_t first;
    uint64_t last;
} ftr_interval;

/* What gives way when there are more intervals than a set keeps. Both touch the lowest ids. */
typedef enum ftr_id_set_excess {
    FTR_ID_SET_JOINS,  /* the two lowest intervals become one: ids between them are in the set, too
                        */
    FTR_ID_SET_FORGETS /* the lowest intervals, some at a time, are no longer in it */
} ftr_id_set_excess;

typedef struct ftr_id_set {
    ftr_interval *intervals; /* sorted, apart from each other */
    size_t count;
    size_t capacity;
    ftr_id_set_excess excess;
} ftr_id_set;

/* Without memory for a first interval an id is forgotten. */
void ftr_id_set_add(ftr_id_set *set, uint64_t id);
bool ftr_id_set_contains(const ftr_id_set *set, uint64_t id);
void ftr_id_set_clear(ftr_id_set *set);
void ftr_id_set_release(ftr_id_set *set);

#endif
