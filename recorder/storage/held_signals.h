/* Prevents a failing write from ending the program by a signal. A write beyond the file size limit
 * raises SIGXFSZ; a write to a closed pipe raises SIGPIPE. For the recorder both are ordinary
 * errors, and the writing thread may be a thread of the simulation. */
#ifndef FTR_HELD_SIGNALS_H
#define FTR_HELD_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

typedef struct ftr_held_signals {
    bool is_held;     /* false: no signal can arrive, so nothing was changed */
    sigset_t before;  /* the signal mask of the thread */
    sigset_t pending; /* signals that were already pending; they stay pending */
} ftr_held_signals;

/* Blocks SIGXFSZ and SIGPIPE on the calling thread until ftr_signals_let_go(), unless neither can
 * arrive: the thread has blocked all signals, or writes to a file, and files have no size limit.
 * The limit is read each time, because the program can set one.
 * @param is_file whether the thread writes to a regular file */
void ftr_signals_hold(ftr_held_signals *held, bool is_file);

/* Restores the signal mask. If @p was_whole is false, first consumes the signals that were raised
 * since ftr_signals_hold(). @p was_whole states whether the write was complete, because a partial
 * write to a pipe can also raise SIGPIPE. Preserves errno. */
void ftr_signals_let_go(const ftr_held_signals *held, bool was_whole);

/* Called by a thread that has blocked all signals and never unblocks them, except by
 * ftr_signals_unblock_all(). */
void ftr_signals_are_blocked(void);

/* Consumes pending SIGXFSZ and SIGPIPE, and unblocks all signals on the calling thread. */
void ftr_signals_unblock_all(void);

#endif
