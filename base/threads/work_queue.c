/* The jobs of a queue are in a ring. Each job has a state. */
#include "work_queue.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- independent pieces ---------------------------------------------------------------------- */

/* The pieces may have different sizes. A thread therefore takes its next piece only when it has
 * finished the previous one. */

typedef struct pieces {
    void (*work)(void *user, unsigned thread, size_t piece);
    void *user;
    size_t count;
    atomic_size_t next; /* the first piece that no thread has taken */
} pieces;

typedef struct worker {
    pieces *all;
    pthread_t thread;
    unsigned number;
} worker;

unsigned ftr_processor_count(void)
{
    cpu_set_t usable;
    const int count = sched_getaffinity(0, sizeof usable, &usable) == 0 ? CPU_COUNT(&usable) : 1;
    return count > 0 ? (unsigned)count : 1;
}

bool ftr_thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *user)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool is_started = pthread_create(thread, NULL, run, user) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (is_started)
        pthread_setname_np(*thread, name);
    return is_started;
}

static void *work_on(void *user)
{
    const worker *self = user;
    pieces *all = self->all;
    size_t piece;
    while ((piece = atomic_fetch_add_explicit(&all->next, 1, memory_order_relaxed)) < all->count)
        all->work(all->user, self->number, piece);
    return NULL;
}

void ftr_parallel_for(size_t count, unsigned threads,
                      void (*work)(void *user, unsigned thread, size_t piece), void *user)
{
    pieces all = {work, user, count, 0};
    worker self = {.all = &all};
    const size_t most = threads < count ? threads : count;
    worker *others = most > 1 ? calloc(most - 1, sizeof *others) : NULL;
    size_t started = 0;
    for (; others != NULL && started + 1 < most; started++) {
        others[started] = (worker){.all = &all, .number = (unsigned)started + 1};
        if (!ftr_thread_start(&others[started].thread, "ftr-worker", work_on, &others[started]))
            break;
    }
    (void)work_on(&self);
    while (started > 0)
        (void)pthread_join(others[--started].thread, NULL);
    free(others);
}

/* ---- the queue ------------------------------------------------------------------------------- */

typedef enum job_state { JOB_WAITING, JOB_RUNNING, JOB_DONE } job_state;

typedef struct queued_job {
    void *job;
    job_state state;
} queued_job;

typedef struct queue_thread {
    ftr_work_queue *queue;
    pthread_t thread;
    unsigned number;
} queue_thread;

struct ftr_work_queue {
    ftr_work_queue_options options;
    queue_thread *threads;
    unsigned thread_count;
    pthread_mutex_t lock; /* protects the following members */
    pthread_cond_t work;  /* enough jobs wait, the owner waits, or the threads must end */
    pthread_cond_t done;  /* the job that the owner waits for is complete */
    queued_job *ring;
    /* Numbers of jobs. The job with number N is at index N modulo the capacity. Jobs from `first`
     * on are not taken yet. Jobs from `next_to_run` on are neither running nor complete. `next` is
     * the number of the job that is submitted next. Only the owner changes `first` and `next`. */
    size_t first, next_to_run, next;
    size_t awaited; /* number of the job that the owner waits for; SIZE_MAX: none */
    bool ends;
};

static queued_job *job_at(const ftr_work_queue *queue, size_t number)
{
    return &queue->ring[number % queue->options.capacity];
}

/* Works on the next waiting job. The caller holds the lock; it is released during the job.
 * @return false if no job waits */
static bool run_next(ftr_work_queue *queue, unsigned thread)
{
    if (queue->next_to_run == queue->next)
        return false;
    const size_t number = queue->next_to_run++;
    queued_job *next = job_at(queue, number);
    next->state = JOB_RUNNING;
    pthread_mutex_unlock(&queue->lock);
    queue->options.run(queue->options.user, thread, next->job);
    pthread_mutex_lock(&queue->lock);
    next->state = JOB_DONE;
    if (number == queue->awaited)
        pthread_cond_signal(&queue->done);
    return true;
}

static void *thread_main(void *started)
{
    const queue_thread *self = started;
    ftr_work_queue *queue = self->queue;
    pthread_mutex_lock(&queue->lock);
    while (!queue->ends)
        if (!run_next(queue, self->number))
            pthread_cond_wait(&queue->work, &queue->lock);
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

static void start(ftr_work_queue *queue)
{
    for (unsigned i = 0; i < queue->options.threads; i++) {
        queue_thread *thread = &queue->threads[i];
        *thread = (queue_thread){.queue = queue, .number = i + 1};
        if (!ftr_thread_start(&thread->thread, queue->options.name, thread_main, thread))
            break;
        queue->thread_count++;
    }
}

ftr_status ftr_work_queue_create(const ftr_work_queue_options *options, ftr_work_queue **created)
{
    ftr_work_queue *queue = calloc(1, sizeof *queue);
    if (queue == NULL)
        return FTR_ERR_MEMORY;
    queue->options = *options;
    queue->awaited = SIZE_MAX;
    queue->threads = calloc(options->threads + 1, sizeof *queue->threads);
    queue->ring = calloc(options->capacity, sizeof *queue->ring);
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->work, NULL);
    pthread_cond_init(&queue->done, NULL);
    if (queue->threads != NULL && queue->ring != NULL)
        start(queue);
    if (queue->threads == NULL || queue->ring == NULL ||
        (options->threads > 0 && queue->thread_count == 0)) {
        ftr_work_queue_destroy(queue, NULL);
        return FTR_ERR_MEMORY;
    }
    *created = queue;
    return FTR_OK;
}

void ftr_work_queue_destroy(ftr_work_queue *queue, void (*discard)(void *user, void *job))
{
    if (queue == NULL)
        return;
    pthread_mutex_lock(&queue->lock);
    queue->ends = true;
    pthread_cond_broadcast(&queue->work);
    pthread_mutex_unlock(&queue->lock);
    for (unsigned i = 0; i < queue->thread_count; i++)
        (void)pthread_join(queue->threads[i].thread, NULL);
    for (size_t i = queue->first; discard != NULL && i < queue->next; i++)
        discard(queue->options.user, job_at(queue, i)->job);
    pthread_mutex_destroy(&queue->lock);
    pthread_cond_destroy(&queue->work);
    pthread_cond_destroy(&queue->done);
    free(queue->threads);
    free(queue->ring);
    free(queue);
}

unsigned ftr_work_queue_room(const ftr_work_queue *queue)
{
    /* No lock is needed, because only the calling thread changes these numbers. */
    return queue->options.capacity - (unsigned)(queue->next - queue->first);
}

void ftr_work_queue_submit(ftr_work_queue *queue, void *job)
{
    pthread_mutex_lock(&queue->lock);
    *job_at(queue, queue->next++) = (queued_job){job, JOB_WAITING};
    if (queue->next - queue->next_to_run >= queue->options.worth_waking)
        pthread_cond_signal(&queue->work);
    pthread_mutex_unlock(&queue->lock);
}

const void *ftr_work_queue_oldest(const ftr_work_queue *queue)
{
    return queue->first < queue->next ? job_at(queue, queue->first)->job : NULL;
}

/* Waits until a job is complete. */
static void await(ftr_work_queue *queue, size_t number)
{
    const bool helps = !queue->options.is_serial || queue->thread_count == 0;
    pthread_mutex_lock(&queue->lock);
    queue->awaited = number;
    while (job_at(queue, number)->state != JOB_DONE) {
        if (helps && run_next(queue, 0))
            continue;
        pthread_cond_signal(&queue->work);
        pthread_cond_wait(&queue->done, &queue->lock);
    }
    queue->awaited = SIZE_MAX;
    pthread_mutex_unlock(&queue->lock);
}

void *ftr_work_queue_take(ftr_work_queue *queue)
{
    if (queue->first == queue->next)
        return NULL;
    await(queue, queue->first);
    return job_at(queue, queue->first++)->job;
}

void ftr_work_queue_take_until(ftr_work_queue *queue, unsigned most)
{
    if (queue->next - queue->first <= most)
        return;
    /* if there are several threads, others may still work on earlier jobs */
    await(queue, queue->next - most - 1);
    while (queue->next - queue->first > most)
        (void)ftr_work_queue_take(queue);
}
