/* A call that holds the recorder's locks. While it lasts, the calling thread cannot be cancelled, a
 * signal that ends the program waits for its end, and another call of the same recorder, by a
 * signal handler or a report callback, is refused instead of waiting for a lock that its own thread
 * holds.
 */
#ifndef FTR_GUARDED_CALL_H
#define FTR_GUARDED_CALL_H

#include <signal.h>
#include <stdbool.h>

#include <ftr/recorder.h>

typedef enum ftr_call_kind {
    FTR_CALL_NONE,
    FTR_CALL_LOCKS, /* holds `lock`, or waits for the writer and looks for signals meanwhile */
    FTR_CALL_WRITES /* holds `encoding` and may write to the trace itself */
} ftr_call_kind;

/* What the calling thread does in a recorder, as its signal handlers see it. */
typedef struct ftr_thread_call {
    const ftr_recorder *volatile rec;
    volatile sig_atomic_t kind;
    volatile sig_atomic_t put_off; /* a signal that came meanwhile and ends the program */
} ftr_thread_call;

extern _Thread_local ftr_thread_call ftr_current_call
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* A guarded call; calls of different recorders may be nested. */
typedef struct ftr_guarded_call {
    const ftr_recorder *outer;
    ftr_call_kind outer_kind;
    int cancel_state;
} ftr_guarded_call;

/* Returns false if the calling thread is in a guarded call of @p rec already: then the answer is
 * FTR_ERR_STATE. */
FTR_MUST_USE bool ftr_call_enter(ftr_guarded_call *call, const ftr_recorder *rec,
                                 ftr_call_kind kind);

/* Lets a signal that was put off end the program, once the file is ended. */
void ftr_call_leave(const ftr_guarded_call *call);

#endif
