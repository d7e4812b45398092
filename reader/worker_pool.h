/* Threads that work on a sequence of jobs. Results are handed over in the order of submission.
 * While the next result is not complete, the calling thread works on jobs, too. */
#ifndef FTR_WORKER_POOL_H
#define FTR_WORKER_POOL_H

#include <ftr/status.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct ftr_pool ftr_pool;

/* Starts @p threads - 1 threads, or fewer if the system refuses. With one thread, ftr_pool_take()
 * works on the jobs.
 * @param capacity maximum number of jobs that were submitted and not taken
 * @param run works on a job; @p thread is 0 for the calling thread, and another number for each
 *            other thread
 * @return FTR_OK; FTR_ERR_MEMORY, also if several threads are requested and none could be
 *         started */
FTR_MUST_USE ftr_status ftr_pool_create(unsigned threads, unsigned capacity,
                                        void (*run)(void *user, unsigned thread, void *job),
                                        void *user, ftr_pool **pool);

/* Waits for the jobs that are running, and ends the threads. Calls @p discard for each job that was
 * not taken. Accepts NULL. */
void ftr_pool_destroy(ftr_pool *pool, void (*discard)(void *user, void *job));

/* Returns the number of further jobs that can be submitted. */
unsigned ftr_pool_room(const ftr_pool *pool);

void ftr_pool_submit(ftr_pool *pool, void *job);

/* Returns the oldest job, whether it is complete or not; NULL if there is none. */
const void *ftr_pool_oldest(const ftr_pool *pool);

/* Waits until the oldest job is complete, removes it and returns it. Returns NULL if there is no
 * job. */
void *ftr_pool_take(ftr_pool *pool);

#endif
