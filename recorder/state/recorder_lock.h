/* The two locks of a recorder, and the conditions that threads wait for. The outer lock,
 * `encoding`, is held by the thread that encodes and writes. The inner lock, `lock`, protects
 * blocks, slots, lanes, definitions and the failure. Only the files that own this data take `lock`,
 * inside their functions (test/house/owners.py).
 *
 * Where threads are woken often, they are woken after `lock` was released, because a woken thread
 * would otherwise have to wait for `lock`. */
#ifndef FTR_RECORDER_LOCK_H
#define FTR_RECORDER_LOCK_H

#include <pthread.h>
#include <time.h>

#include "guarded_call.h"

typedef struct ftr_locks {
    pthread_mutex_t encoding;
    pthread_mutex_t lock;
    pthread_cond_t space; /* blocks were read or released, or a complete drain has ended */
    pthread_cond_t work;  /* blocks are full, a drain is requested, or the writer must stop */
    bool writer_sleeps;   /* the writer thread waits for `work`; under `lock` */
} ftr_locks;

static inline void ftr_encoding_take(ftr_locks *locks)
{
    pthread_mutex_lock(&locks->encoding);
}

static inline void ftr_encoding_release(ftr_locks *locks)
{
    pthread_mutex_unlock(&locks->encoding);
}

static inline void ftr_lock_take(ftr_locks *locks)
{
    pthread_mutex_lock(&locks->lock);
}

/* Takes `lock` and returns true, or returns false if a thread holds it. */
static inline bool ftr_lock_try(ftr_locks *locks)
{
    return pthread_mutex_trylock(&locks->lock) == 0;
}

static inline void ftr_lock_release(ftr_locks *locks)
{
    pthread_mutex_unlock(&locks->lock);
}

/* Wakes all threads in ftr_lock_await_space(). */
static inline void ftr_lock_wake_recording(ftr_locks *locks)
{
    pthread_cond_broadcast(&locks->space);
}

static inline void ftr_lock_wake_writer(ftr_locks *locks)
{
    pthread_cond_signal(&locks->work);
}

/* Waits until another thread wakes the caller, at most @p ns; see ftr_call_wait(). The caller holds
 * `lock`, in a guarded call. */
static inline void ftr_lock_await_space(ftr_locks *locks, uint64_t ns)
{
    ftr_call_wait(&locks->space, &locks->lock, ns);
}

/* Like ftr_lock_await_space(), but without a time limit. For a thread that ends the program. */
static inline void ftr_lock_await_end(ftr_locks *locks)
{
    pthread_cond_wait(&locks->space, &locks->lock);
}

/* Waits until another thread wakes the writer thread, at most until @p until. The caller is the
 * writer thread, and holds `lock`. */
static inline void ftr_lock_await_work(ftr_locks *locks, const struct timespec *until)
{
    locks->writer_sleeps = true;
    pthread_cond_timedwait(&locks->work, &locks->lock, until);
    locks->writer_sleeps = false;
}

#endif
