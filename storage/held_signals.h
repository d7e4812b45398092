/* Prevents the signals of a failing write from ending the program. A file size limit (SIGXFSZ) or a
 * closed pipe (SIGPIPE) is an ordinary error here, and the writing thread may be the simulation's
 * own. */
#ifndef FTR_HELD_SIGNALS_H
#define FTR_HELD_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

typedef struct ftr_held_signals {
    sigset_t before;  /* the signal mask of the thread */
    sigset_t pending; /* signals that were already pending, which stay pending */
} ftr_held_signals;

void ftr_signals_hold(ftr_held_signals *held);

/* Consumes the signals that the enclosed call raised if it failed or was incomplete: a partial
 * write to a pipe may raise SIGPIPE for the rest. Preserves errno. */
void ftr_signals_let_go(const ftr_held_signals *held, bool was_whole);

#endif
