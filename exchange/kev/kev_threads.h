/* Names of processes and threads, from events of a log, and the streams named after them. */
#ifndef FTR_KEV_THREADS_H
#define FTR_KEV_THREADS_H

#include "kev_log.h"
#include "tx_table.h"

/* Must be zero-initialised. */
typedef struct ftr_kev_threads {
    /* key: a life of a thread or process; `owner`: index in `names` */
    ftr_tx_table index;
    /* key: number of a thread or process (ftr_kev_thread_of()); `time`: how many of its lives have
     * ended */
    ftr_tx_table lives;
    char **names;
    size_t count, capacity;
} ftr_kev_threads;

/* Combines process and thread into one number. */
static inline uint64_t ftr_kev_thread_of(uint32_t process, uint32_t thread)
{
    return (uint64_t)process << 32 | thread;
}

/* If an event contains the name of a process or thread, stores this name. Each thread has one name:
 * the last name that it gets in its life. The first pass over the log stores the names, and the
 * second pass uses them.
 * @return false if out of memory */
bool ftr_kev_threads_note(ftr_kev_threads *threads, const ftr_kev_log *log,
                          const ftr_kev_event *event);

/* Call this function after each event, in both passes: the event may end the life of a process or
 * thread, and another process or thread can then get the same number. @return false if out of
 * memory */
bool ftr_kev_threads_follow(ftr_kev_threads *threads, const ftr_kev_event *event);

/* Begins the second pass. */
void ftr_kev_threads_begin_again(ftr_kev_threads *threads);

/* Formats the name of a stream: KIND.PROCESS.PID-TID:THREAD. Unknown names are omitted. */
void ftr_kev_threads_stream(const ftr_kev_threads *threads, const char *kind, uint64_t thread,
                            char *name, size_t size);

void ftr_kev_threads_release(ftr_kev_threads *threads);

#endif
