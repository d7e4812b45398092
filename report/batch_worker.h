/* A thread that works on batches, one after the other, while its owner fills the next one. */
#ifndef FTR_BATCH_WORKER_H
#define FTR_BATCH_WORKER_H

#include <pthread.h>
#include <stdbool.h>

typedef void ftr_batch_work(void *user, void *batch);

typedef struct ftr_batch_worker {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    ftr_batch_work *work;
    void *user;
    void *batch;     /* batch in progress; NULL: none */
    bool is_started; /* false: there is no thread, and the owner does the work itself */
    bool is_ending;
} ftr_batch_worker;

void ftr_batch_worker_start(ftr_batch_worker *worker, ftr_batch_work *work, void *user);

/* Waits until the previous batch is finished, then hands over @p batch. The worker owns the batch
 * until the next call of this function or of ftr_batch_worker_wait() returns. */
void ftr_batch_worker_give(ftr_batch_worker *worker, void *batch);

/* Waits until no batch is in progress. Then the owner may use the data that the work uses. */
void ftr_batch_worker_wait(ftr_batch_worker *worker);

/* Waits until no batch is in progress, and ends the thread. */
void ftr_batch_worker_stop(ftr_batch_worker *worker);

#endif
