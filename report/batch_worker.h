/* A thread that works on batches, one after the other, while its owner fills the next one. */
#ifndef FTR_BATCH_WORKER_H
#define FTR_BATCH_WORKER_H

#include <pthread.h>
#include <stdbool.h>

/* Number of batches of an owner: it fills one, and the worker has at most the others. */
#define FTR_BATCHES 24u

typedef void ftr_batch_work(void *user, void *batch);

typedef struct ftr_batch_worker {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    ftr_batch_work *work;
    void *user;
    void *batches[FTR_BATCHES]; /* a ring: the batch in progress, then those that wait */
    unsigned first, count;
    bool is_started; /* false: there is no thread, and the owner does the work itself */
    bool is_hurried; /* the owner waits for all batches */
    bool is_ending;
} ftr_batch_worker;

void ftr_batch_worker_start(ftr_batch_worker *worker, ftr_batch_work *work, void *user);

/* Hands over @p batch, after waiting until the worker has few enough batches. The owner uses its
 * FTR_BATCHES batches in turn: when this function returns, the next one is free. */
void ftr_batch_worker_give(ftr_batch_worker *worker, void *batch);

/* Waits until all batches are finished. Then the owner may use the data that the work uses. */
void ftr_batch_worker_wait(ftr_batch_worker *worker);

/* Waits until all batches are finished, and ends the thread. */
void ftr_batch_worker_stop(ftr_batch_worker *worker);

#endif
