/* Owns a thread and the order of its batches. Does not know the work. */
#include "batch_worker.h"

#include <stddef.h>

static void *run(void *user)
{
    ftr_batch_worker *worker = user;
    (void)pthread_mutex_lock(&worker->mutex);
    for (;;) {
        while (worker->count == 0 && !worker->is_ending)
            (void)pthread_cond_wait(&worker->changed, &worker->mutex);
        if (worker->count == 0)
            break;
        void *batch = worker->batches[worker->first];
        (void)pthread_mutex_unlock(&worker->mutex);
        worker->work(worker->user, batch);
        (void)pthread_mutex_lock(&worker->mutex);
        worker->first = (worker->first + 1) % FTR_BATCHES;
        worker->count--;
        (void)pthread_cond_broadcast(&worker->changed);
    }
    (void)pthread_mutex_unlock(&worker->mutex);
    return NULL;
}

void ftr_batch_worker_start(ftr_batch_worker *worker, ftr_batch_work *work, void *user)
{
    *worker = (ftr_batch_worker){.work = work, .user = user};
    (void)pthread_mutex_init(&worker->mutex, NULL);
    (void)pthread_cond_init(&worker->changed, NULL);
    worker->is_started = pthread_create(&worker->thread, NULL, run, worker) == 0;
}

/* Waits until the worker has at most @p most batches. The caller holds the mutex. */
static void wait_until(ftr_batch_worker *worker, unsigned most)
{
    while (worker->count > most)
        (void)pthread_cond_wait(&worker->changed, &worker->mutex);
}

void ftr_batch_worker_give(ftr_batch_worker *worker, void *batch)
{
    if (!worker->is_started) {
        worker->work(worker->user, batch);
        return;
    }
    (void)pthread_mutex_lock(&worker->mutex);
    wait_until(worker, FTR_BATCHES - 2);
    worker->batches[(worker->first + worker->count++) % FTR_BATCHES] = batch;
    (void)pthread_cond_broadcast(&worker->changed);
    (void)pthread_mutex_unlock(&worker->mutex);
}

void ftr_batch_worker_wait(ftr_batch_worker *worker)
{
    if (!worker->is_started)
        return;
    (void)pthread_mutex_lock(&worker->mutex);
    wait_until(worker, 0);
    (void)pthread_mutex_unlock(&worker->mutex);
}

void ftr_batch_worker_stop(ftr_batch_worker *worker)
{
    if (worker->is_started) {
        (void)pthread_mutex_lock(&worker->mutex);
        wait_until(worker, 0);
        worker->is_ending = true;
        (void)pthread_cond_broadcast(&worker->changed);
        (void)pthread_mutex_unlock(&worker->mutex);
        (void)pthread_join(worker->thread, NULL);
    }
    (void)pthread_cond_destroy(&worker->changed);
    (void)pthread_mutex_destroy(&worker->mutex);
    worker->is_started = false;
}
