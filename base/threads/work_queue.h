/* Work on several threads: a queue of jobs, and independent pieces. */
#ifndef FTR_WORK_QUEUE_H
#define FTR_WORK_QUEUE_H

#include <ftr/status.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Additional threads that work on a sequence of jobs. The results are taken in the order in which
 * the jobs were submitted. Only one thread, the owner of the queue, may call the functions of a
 * queue. */
typedef struct ftr_work_queue ftr_work_queue;

typedef struct ftr_work_queue_options {
    /* Number of threads besides the owner. If it is 0, the owner works on the jobs. */
    unsigned threads;
    unsigned capacity; /* maximum number of jobs that are submitted and not yet taken */
    /* A thread that has no job is woken when this number of jobs wait, because waking a thread can
     * take as long as a job; 0 means 1. While the owner waits, threads are also woken for fewer
     * jobs. */
    unsigned worth_waking;
    /* If true, the jobs run one after the other, and the owner works on no job if there is a
     * thread; `threads` must then be at most 1. If false, the owner works on jobs while the next
     * result is not complete. */
    bool is_serial;
    const char *name; /* name of the threads */
    /* Works on a job. @p thread is 0 for the owner, and another number for each other thread. */
    void (*run)(void *user, unsigned thread, void *job);
    void *user;
} ftr_work_queue_options;

/* Starts the threads, or fewer of them if the system refuses.
 * @return FTR_OK; FTR_ERR_MEMORY, also if threads are requested and none could be started */
FTR_MUST_USE ftr_status ftr_work_queue_create(const ftr_work_queue_options *options,
                                              ftr_work_queue **queue);

/* Waits for the jobs that are running, and ends the threads. Calls @p discard for each job that was
 * not taken, unless @p discard is NULL. @p queue may be NULL. */
void ftr_work_queue_destroy(ftr_work_queue *queue, void (*discard)(void *user, void *job));

/* Returns the number of further jobs that can be submitted. */
unsigned ftr_work_queue_room(const ftr_work_queue *queue);

/* Adds a job. ftr_work_queue_room() must not be 0. */
void ftr_work_queue_submit(ftr_work_queue *queue, void *job);

/* Returns the oldest job, whether it is complete or not; NULL if there is none. */
const void *ftr_work_queue_oldest(const ftr_work_queue *queue);

/* Waits until the oldest job is complete, removes it and returns it. Returns NULL if there is no
 * job. */
void *ftr_work_queue_take(ftr_work_queue *queue);

/* Takes the oldest jobs until at most @p most jobs are left. With one thread besides the owner,
 * waits only once. */
void ftr_work_queue_take_until(ftr_work_queue *queue, unsigned most);

/* ---- threads for independent pieces of work -------------------------------------------------- */

/* Returns the number of processors that this process may use. */
unsigned ftr_processor_count(void);

/* Starts a thread that receives no signals, so handlers of the program run only on the program's
 * threads. Returns false if the system refuses. */
bool ftr_thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *user);

/* Works on the pieces 0 to @p count - 1, in any order, and returns when all are complete. Each
 * thread repeatedly takes the next piece. If the system refuses a thread, the others take its
 * pieces.
 * @param threads maximum number of threads, including the calling thread
 * @param work @p thread is 0 for the calling thread, and another number below @p threads for each
 *             other thread */
void ftr_parallel_for(size_t count, unsigned threads,
                      void (*work)(void *user, unsigned thread, size_t piece), void *user);

#endif
