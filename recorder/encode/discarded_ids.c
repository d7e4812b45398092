/* The ids of discarded transactions, for all threads. */
#include "discarded_ids.h"

void ftr_discarded_ids_init(ftr_discarded_ids *discarded, uint64_t watermark)
{
    *discarded = (ftr_discarded_ids){.lock = PTHREAD_MUTEX_INITIALIZER,
                                     .watermark = watermark,
                                     .kept = {.excess = FTR_ID_SET_FORGETS},
                                     .discarded = {.excess = FTR_ID_SET_JOINS}};
}

void ftr_discarded_ids_release(ftr_discarded_ids *discarded)
{
    ftr_id_set_release(&discarded->kept);
    ftr_id_set_release(&discarded->discarded);
}

void ftr_discarded_ids_set_watermark(ftr_discarded_ids *discarded, uint64_t watermark)
{
    pthread_mutex_lock(&discarded->lock);
    __atomic_store_n(&discarded->watermark, watermark, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&discarded->lock);
}

void ftr_discarded_ids_add(ftr_discarded_ids *discarded, uint64_t id)
{
    if (ftr_discarded_ids_expect(discarded, id))
        return;
    pthread_mutex_lock(&discarded->lock);
    ftr_id_set_add(&discarded->discarded, id);
    pthread_mutex_unlock(&discarded->lock);
}

void ftr_discarded_ids_keep(ftr_discarded_ids *discarded, uint64_t id)
{
    if (!ftr_discarded_ids_expect(discarded, id))
        return;
    pthread_mutex_lock(&discarded->lock);
    ftr_id_set_add(&discarded->kept, id);
    pthread_mutex_unlock(&discarded->lock);
}

bool ftr_discarded_ids_contains(ftr_discarded_ids *discarded, uint64_t id)
{
    pthread_mutex_lock(&discarded->lock);
    bool found = ftr_discarded_ids_expect(discarded, id)
                     ? !ftr_id_set_contains(&discarded->kept, id)
                     : ftr_id_set_contains(&discarded->discarded, id);
    pthread_mutex_unlock(&discarded->lock);
    return found;
}
