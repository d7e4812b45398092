/* Keeps the signals that a failing write raises from ending the program: a size limit (SIGXFSZ) or
 * a reader that went away (SIGPIPE) is an error like any other, and whoever writes may be the
 * simulation's own thread. */
#ifndef FTR_HELD_SIGNALS_H
#define FTR_HELD_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

typedef struct ftr_held_signals {
    sigset_t before;  /* the thread's mask */
    sigset_t pending; /* what was raised before, and is not ours */
} ftr_held_signals;

void ftr_signals_hold(ftr_held_signals *held);

/* Takes back what a call in between raised, if it failed or did a part only: a pipe may raise
 * SIGPIPE for the rest of what it took a part of. Leaves errno alone. */
void ftr_signals_let_go(const ftr_held_signals *held, bool was_whole);

#endif
