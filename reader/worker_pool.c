/* Owns the threads and the order of jobs. Does not know the work. */
#include "worker_pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

typedef enum job_state { JOB_WAITING, JOB_RUNNING, JOB_DONE } job_state;

typedef struct pool_job {
    void *job;
    job_state state;
} pool_job;

typedef struct pool_thread {
    ftr_pool *pool;
    pthread_t thread;
    unsigned number;
} pool_thread;

struct ftr_pool {
    void (*run)(void *user, unsigned thread, void *job);
    void *user;
    pool_thread *threads;
    unsigned thread_count;
    unsigned capacity;
    pthread_mutex_t lock; /* protects the following members */
    pthread_cond_t work;  /* a job waits, or the threads must end */
    pthread_cond_t done;  /* a job is complete */
    pool_job *ring;
    /* jobs submitted and not taken: [first, next); index in `ring`: number % capacity */
    size_t first, next;
    size_t next_to_run; /* all jobs before this one are running or complete */
    bool ends;
};

/* Works on the next waiting job. The caller holds the lock; it is released during the job.
 * @return false if no job waits */
static bool run_next(ftr_pool *pool, unsigned thread)
{
    if (pool->next_to_run == pool->next)
        return false;
    pool_job *next = &pool->ring[pool->next_to_run++ % pool->capacity];
    next->state = JOB_RUNNING;
    pthread_mutex_unlock(&pool->lock);
    pool->run(pool->user, thread, next->job);
    pthread_mutex_lock(&pool->lock);
    next->state = JOB_DONE;
    pthread_cond_signal(&pool->done);
    return true;
}

static void *thread_main(void *started)
{
    const pool_thread *self = started;
    ftr_pool *pool = self->pool;
    pthread_mutex_lock(&pool->lock);
    while (!pool->ends)
        if (!run_next(pool, self->number))
            pthread_cond_wait(&pool->work, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* The threads receive no signals, so handlers of the program run only on the program's threads. */
static void start(ftr_pool *pool, unsigned threads)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (unsigned i = 0; i + 1 < threads; i++) {
        pool_thread *thread = &pool->threads[i];
        *thread = (pool_thread){.pool = pool, .number = i + 1};
        if (pthread_create(&thread->thread, NULL, thread_main, thread) != 0)
            break;
        pthread_setname_np(thread->thread, "ftr-reader");
        pool->thread_count++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void discard_none(void *user, void *job)
{
    (void)user;
    (void)job;
}

ftr_status ftr_pool_create(unsigned threads, unsigned capacity,
                           void (*run)(void *user, unsigned thread, void *job), void *user,
                           ftr_pool **created)
{
    ftr_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL)
        return FTR_ERR_MEMORY;
    pool->run = run;
    pool->user = user;
    pool->capacity = capacity;
    pool->threads = calloc(threads, sizeof *pool->threads);
    pool->ring = calloc(capacity, sizeof *pool->ring);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->done, NULL);
    if (pool->threads != NULL && pool->ring != NULL)
        start(pool, threads);
    if (pool->threads == NULL || pool->ring == NULL || (threads > 1 && pool->thread_count == 0)) {
        ftr_pool_destroy(pool, discard_none);
        return FTR_ERR_MEMORY;
    }
    *created = pool;
    return FTR_OK;
}

void ftr_pool_destroy(ftr_pool *pool, void (*discard)(void *user, void *job))
{
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->ends = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->thread_count; i++)
        (void)pthread_join(pool->threads[i].thread, NULL);
    for (size_t i = pool->first; i < pool->next; i++)
        discard(pool->user, pool->ring[i % pool->capacity].job);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->work);
    pthread_cond_destroy(&pool->done);
    free(pool->threads);
    free(pool->ring);
    free(pool);
}

unsigned ftr_pool_room(const ftr_pool *pool)
{
    /* No lock: only the calling thread changes these numbers. */
    return pool->capacity - (unsigned)(pool->next - pool->first);
}

void ftr_pool_submit(ftr_pool *pool, void *job)
{
    pthread_mutex_lock(&pool->lock);
    pool->ring[pool->next++ % pool->capacity] = (pool_job){job, JOB_WAITING};
    pthread_cond_signal(&pool->work);
    pthread_mutex_unlock(&pool->lock);
}

const void *ftr_pool_oldest(const ftr_pool *pool)
{
    return pool->first < pool->next ? pool->ring[pool->first % pool->capacity].job : NULL;
}

void *ftr_pool_take(ftr_pool *pool)
{
    if (pool->first == pool->next)
        return NULL;
    pthread_mutex_lock(&pool->lock);
    const pool_job *oldest = &pool->ring[pool->first % pool->capacity];
    while (oldest->state != JOB_DONE)
        if (!run_next(pool, 0))
            pthread_cond_wait(&pool->done, &pool->lock);
    void *job = oldest->job;
    pool->first++;
    pthread_mutex_unlock(&pool->lock);
    return job;
}
