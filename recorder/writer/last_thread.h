/* A process ends with its last thread. A program may end its main thread with pthread_exit(); then
 * writer threads must not keep the process alive. */
#ifndef FTR_LAST_THREAD_H
#define FTR_LAST_THREAD_H

#include <stdbool.h>

#define FTR_WRITER_THREAD_NAME "ftr-writer"

/* Returns whether the main thread has ended and all remaining threads are writer threads. */
bool ftr_only_writers_are_left(void);

#endif
