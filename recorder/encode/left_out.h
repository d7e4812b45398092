/* The ids of transactions that began but are not in the file: they come in bursts. Past a bound the
 * lowest neighbours become one interval, and a relation to what lay between them is then left out,
 * and counted, too. */
#ifndef FTR_LEFT_OUT_H
#define FTR_LEFT_OUT_H

#include <pthread.h>

#include "id_set.h"

typedef struct ftr_left_out {
    pthread_mutex_t lock;
    ftr_id_set ids;
} ftr_left_out;

void ftr_left_out_init(ftr_left_out *left_out);
void ftr_left_out_release(ftr_left_out *left_out);

/* Any thread. */
void ftr_left_out_add(ftr_left_out *left_out, uint64_t id);
bool ftr_left_out_contains(ftr_left_out *left_out, uint64_t id);

#endif
