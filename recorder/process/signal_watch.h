/* Signals that the default recorder handles: those that end the program wait until its file is
 * ended, and SIGUSR1 triggers it. Without the first nothing is lost, because the journal has it. */
#ifndef FTR_SIGNAL_WATCH_H
#define FTR_SIGNAL_WATCH_H

#include <ftr/recorder.h>

/* Handles SIGTERM and SIGINT where they would end the program, for this one recorder. */
void ftr_signal_watch_endings(ftr_recorder *rec);

/* Handles SIGUSR1, where it would end the program, to trigger this recorder. */
void ftr_signal_watch_trigger(ftr_recorder *rec);

#endif
