/* Names of processes and threads, from events of a log, and the streams named after them. */
#ifndef FTR_KEV_THREADS_H
#define FTR_KEV_THREADS_H

#include "kev_log.h"
#include "tx_table.h"

/* Must be zero-initialised. */
typedef struct ftr_kev_threads {
    /* key: a life of a thread or process; `owner` is the index in `names` */
    ftr_tx_table index;
    /* key: thread, or process (ftr_kev_thread_of()); `time` is the number of ended lives */
    ftr_tx_table lives;
    char **names;
    size_t count, capacity;
} ftr_kev_threads;

/* Combines process and thread into one number. */
static inline uint64_t ftr_kev_thread_of(uint32_t process, uint32_t thread)
{
    return (uint64_t)process << 32 | thread;
}

/* Stores the name of the process or thread that an event contains, if any. Each thread has one
 * name: the last one of its life. Names are stored in a first pass over the log, and used in a
 * second one.
 * @return false if out of memory */
bool ftr_kev_threads_note(ftr_kev_threads *threads, const ftr_kev_log *log,
                          const ftr_kev_event *event);

/* Must be called behind each event in both passes: the event may end the life of a process or
 * thread, whose numbers another one can get then. @return false if out of memory */
bool ftr_kev_threads_follow(ftr_kev_threads *threads, const ftr_kev_event *event);

/* Begins the second pass. */
void ftr_kev_threads_begin_again(ftr_kev_threads *threads);

/* Formats the name of a stream: KIND.PROCESS.PID-TID:THREAD. Unknown names are omitted. */
void ftr_kev_threads_stream(const ftr_kev_threads *threads, const char *kind, uint64_t thread,
                            char *name, size_t size);

void ftr_kev_threads_release(ftr_kev_threads *threads);

#endif
