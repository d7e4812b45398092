/* Prevents a failing write from ending the program by a signal. A write beyond the file size limit
 * raises SIGXFSZ; a write to a closed pipe raises SIGPIPE. For the recorder both are ordinary
 * errors, and the writing thread may be a thread of the simulation. */
#ifndef FTR_HELD_SIGNALS_H
#define FTR_HELD_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

typedef struct ftr_held_signals {
    sigset_t before;  /* the signal mask of the thread */
    sigset_t pending; /* signals that were already pending; they stay pending */
} ftr_held_signals;

/* Blocks SIGXFSZ and SIGPIPE on the calling thread until ftr_signals_let_go(). */
void ftr_signals_hold(ftr_held_signals *held);

/* Restores the signal mask. If @p was_whole is false, first consumes the signals that were raised
 * since ftr_signals_hold(). @p was_whole states whether the write was complete, because a partial
 * write to a pipe can also raise SIGPIPE. Preserves errno. */
void ftr_signals_let_go(const ftr_held_signals *held, bool was_whole);

#endif
