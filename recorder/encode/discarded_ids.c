/* The set of the ids of discarded transactions, for all threads. */
#include "discarded_ids.h"

void ftr_discarded_ids_init(ftr_discarded_ids *discarded)
{
    *discarded =
        (ftr_discarded_ids){.lock = PTHREAD_MUTEX_INITIALIZER, .ids = {.excess = FTR_ID_SET_JOINS}};
}

void ftr_discarded_ids_release(ftr_discarded_ids *discarded)
{
    ftr_id_set_release(&discarded->ids);
}

void ftr_discarded_ids_add(ftr_discarded_ids *discarded, uint64_t id)
{
    pthread_mutex_lock(&discarded->lock);
    ftr_id_set_add(&discarded->ids, id);
    pthread_mutex_unlock(&discarded->lock);
}

bool ftr_discarded_ids_contains(ftr_discarded_ids *discarded, uint64_t id)
{
    pthread_mutex_lock(&discarded->lock);
    bool found = ftr_id_set_contains(&discarded->ids, id);
    pthread_mutex_unlock(&discarded->lock);
    return found;
}
