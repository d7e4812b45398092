/* Threads for independent pieces of work. */
#ifndef FTR_PARALLEL_FOR_H
#define FTR_PARALLEL_FOR_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

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
