/* The ids left out, for all threads. Knows nothing of why an id was left out. */
#include "left_out.h"

void ftr_left_out_init(ftr_left_out *left_out)
{
    *left_out =
        (ftr_left_out){.lock = PTHREAD_MUTEX_INITIALIZER, .ids = {.excess = FTR_ID_SET_JOINS}};
}

void ftr_left_out_release(ftr_left_out *left_out)
{
    ftr_id_set_release(&left_out->ids);
}

void ftr_left_out_add(ftr_left_out *left_out, uint64_t id)
{
    pthread_mutex_lock(&left_out->lock);
    ftr_id_set_add(&left_out->ids, id);
    pthread_mutex_unlock(&left_out->lock);
}

bool ftr_left_out_contains(ftr_left_out *left_out, uint64_t id)
{
    pthread_mutex_lock(&left_out->lock);
    bool found = ftr_id_set_contains(&left_out->ids, id);
    pthread_mutex_unlock(&left_out->lock);
    return found;
}
