/* What signals ask of the default recorder: to end its file when they end the program, or to
 * trigger it. Nothing is lost without the first: the journal has it; the file is just whole at
 * once. */
#ifndef FTR_SIGNAL_WATCH_H
#define FTR_SIGNAL_WATCH_H

#include "recorder_state.h"

/* Takes SIGTERM and SIGINT where they would end the program, for this one recorder. */
void ftr_signal_watch_endings(ftr_recorder *rec);

/* Takes SIGUSR1, where it would end the program, to trigger this flight recorder. */
void ftr_signal_watch_trigger(ftr_recorder *rec);

/* What the writer thread asks now and then: whether a signal waits for the file to be ended, which
 * it then does with ftr_recorder_end_for_signal(). */
bool ftr_signal_watch_waits(const ftr_recorder *rec);

/* The file is ended: the signal may go on. */
void ftr_signal_watch_done(ftr_recorder *rec);

/* Waits for `space` under the lock, a bounded time: the caller looks again. A signal that was put
 * off in this thread ends the program when its time is up, however long the writer takes. */
void ftr_signal_watch_wait(ftr_recorder *rec);

/* Lets the signal that was put off in this thread end the program, once the file is ended. */
void ftr_signal_watch_catch_up(void);

/* Holds a call back that comes after the end of the file for a signal: the program is about to end,
 * and must not go on unrecorded. Returns when it does not. */
void ftr_signal_watch_hold_back(const ftr_recorder *rec);

#endif
