/* The ids of transactions that began but are not in the file, as intervals: they come in bursts, so
 * there are few. Past a bound the oldest neighbours become one interval, and a relation to what lay
 * between them is then left out, and counted, too. */
#ifndef FTR_LEFT_OUT_H
#define FTR_LEFT_OUT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ftr/status.h>

typedef struct ftr_interval {
    uint64_t first;
    uint64_t last;
} ftr_interval;

typedef struct ftr_left_out {
    pthread_mutex_t lock;
    ftr_interval *intervals; /* sorted, apart from each other */
    size_t count;
    size_t capacity;
} ftr_left_out;

void ftr_left_out_init(ftr_left_out *ids);
void ftr_left_out_release(ftr_left_out *ids);

/* Any thread. Without memory for a first interval an id is forgotten. */
void ftr_left_out_add(ftr_left_out *ids, uint64_t id);
bool ftr_left_out_contains(ftr_left_out *ids, uint64_t id);

#endif
