/* The ids of transactions that began but are not in the file. These ids come in bursts and are
 * stored as intervals. If there are too many intervals, the two lowest ones are merged: relations
 * to the ids between them are then also discarded and counted. */
#ifndef FTR_DISCARDED_IDS_H
#define FTR_DISCARDED_IDS_H

#include <pthread.h>

#include "id_set.h"

typedef struct ftr_discarded_ids {
    pthread_mutex_t lock;
    ftr_id_set ids;
} ftr_discarded_ids;

void ftr_discarded_ids_init(ftr_discarded_ids *discarded);
void ftr_discarded_ids_release(ftr_discarded_ids *discarded);

/* May be called on any thread. */
void ftr_discarded_ids_add(ftr_discarded_ids *discarded, uint64_t id);
bool ftr_discarded_ids_contains(ftr_discarded_ids *discarded, uint64_t id);

#endif
