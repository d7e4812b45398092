/* Guarded calls hold the recorder's locks. During a guarded call, its thread cannot be cancelled,
 * and a signal that ends the program is deferred to the end of the call. A second call of the same
 * recorder on this thread, from a signal handler or a report callback, is refused, because it would
 * wait for a lock that the thread itself holds. */
#ifndef FTR_GUARDED_CALL_H
#define FTR_GUARDED_CALL_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

#include <ftr/recorder.h>

typedef enum ftr_call_kind {
    FTR_CALL_NONE,
    FTR_CALL_LOCKS, /* holds `lock`, or waits for the writer and checks for signals */
    FTR_CALL_WRITES /* holds `encoding`; this thread may write to the trace */
} ftr_call_kind;

/* The guarded call that the calling thread is in. Signal handlers on this thread read it. */
typedef struct ftr_thread_call {
    const ftr_recorder *volatile rec;
    volatile sig_atomic_t kind;
    volatile sig_atomic_t deferred; /* number of a signal that arrived during the call; 0: none */
} ftr_thread_call;

extern _Thread_local ftr_thread_call ftr_current_call
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* A guarded call; calls of different recorders may be nested. */
typedef struct ftr_guarded_call {
    const ftr_recorder *outer;
    ftr_call_kind outer_kind;
    int cancel_state;
} ftr_guarded_call;

/* Returns false if the calling thread is in a guarded call of @p rec already; the status is then
 * FTR_ERR_STATE. */
FTR_MUST_USE bool ftr_call_enter(ftr_guarded_call *call, const ftr_recorder *rec,
                                 ftr_call_kind kind);

/* Leaves the call. A deferred signal then ends the program, after the file is complete or the time
 * limit has passed. */
void ftr_call_leave(const ftr_guarded_call *call);

/* A thread that waits for a condition checks for a deferred signal at this interval, in ns. */
#define FTR_CALL_WAIT_NS UINT64_C(100000000)

/* Waits for @p condition, with the locked mutex @p lock, for at most @p ns, which must not exceed
 * FTR_CALL_WAIT_NS. The caller then tests again for the event that it waits for. If the time limit
 * of a deferred signal has passed, the signal ends the program. */
void ftr_call_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t ns);

/* ---- signals that end the program -------------------------------------------------------------
 * The flag of ftr_call_start_signal() is true while a signal waits until a file is ended. At any
 * time, a process has at most one such flag. The functions are async-signal-safe. */

/* Called when a signal arrives: sets @p flag and starts the time limit. The writer clears the flag
 * when the file is complete. */
void ftr_call_start_signal(_Atomic bool *flag);

/* Waits until the flag of ftr_call_start_signal() is cleared or the time limit has passed. */
void ftr_call_finish_signal(void);

/* Delays a call that arrives after the file was ended for a signal: the signal will end the
 * program, which must not continue without recording. If @p flag is not set, the function returns
 * immediately. Otherwise it returns only if the program does not end within the time limit. */
void ftr_call_await_signal(const _Atomic bool *flag);

#endif
