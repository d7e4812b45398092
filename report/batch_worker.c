/* Owns a thread and the order of its batches. Does not know the work. */
#include "batch_worker.h"

#include <stddef.h>

/* The owner waits if the worker has FULL batches, until it has HALF of them. The worker waits if it
 * has none, until it has HALF. Threads therefore wait and wake each other once for several batches.
 */
#define FULL (FTR_BATCHES - 1)
#define HALF (FTR_BATCHES / 2)

static bool has_enough(const ftr_batch_worker *worker)
{
    return worker->count >= HALF || (worker->count > 0 && worker->is_hurried) || worker->is_ending;
}

static void *run(void *user)
{
    ftr_batch_worker *worker = user;
    (void)pthread_mutex_lock(&worker->mutex);
    for (;;) {
        if (worker->count == 0)
            while (!has_enough(worker))
                (void)pthread_cond_wait(&worker->changed, &worker->mutex);
        if (worker->count == 0)
            break;
        void *batch = worker->batches[worker->first];
        (void)pthread_mutex_unlock(&worker->mutex);
        worker->work(worker->user, batch);
        (void)pthread_mutex_lock(&worker->mutex);
        worker->first = (worker->first + 1) % FTR_BATCHES;
        worker->count--;
        if (worker->count == HALF || worker->count == 0)
            (void)pthread_cond_signal(&worker->changed);
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
    worker->batches[(worker->first + worker->count++) % FTR_BATCHES] = batch;
    if (worker->count == HALF)
        (void)pthread_cond_signal(&worker->changed);
    if (worker->count == FULL)
        wait_until(worker, HALF);
    (void)pthread_mutex_unlock(&worker->mutex);
}

/* Waits until the worker has no batches. The caller holds the mutex. */
static void wait_for_all(ftr_batch_worker *worker)
{
    worker->is_hurried = true;
    (void)pthread_cond_signal(&worker->changed);
    wait_until(worker, 0);
    worker->is_hurried = false;
}

void ftr_batch_worker_wait(ftr_batch_worker *worker)
{
    if (!worker->is_started)
        return;
    (void)pthread_mutex_lock(&worker->mutex);
    wait_for_all(worker);
    (void)pthread_mutex_unlock(&worker->mutex);
}

void ftr_batch_worker_stop(ftr_batch_worker *worker)
{
    if (worker->is_started) {
        (void)pthread_mutex_lock(&worker->mutex);
        wait_for_all(worker);
        worker->is_ending = true;
        (void)pthread_cond_signal(&worker->changed);
        (void)pthread_mutex_unlock(&worker->mutex);
        (void)pthread_join(worker->thread, NULL);
    }
    (void)pthread_cond_destroy(&worker->changed);
    (void)pthread_mutex_destroy(&worker->mutex);
    worker->is_started = false;
}
