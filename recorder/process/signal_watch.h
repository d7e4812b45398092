/* Signals that the default recorder handles. A signal that ends the program takes effect after the
 * file has ended; SIGUSR1 triggers the flight recorder. Without handlers for the signals of the
 * first kind, the journal would contain the data. */
#ifndef FTR_SIGNAL_WATCH_H
#define FTR_SIGNAL_WATCH_H

#include <ftr/recorder.h>

/* Handles SIGTERM and SIGINT for this recorder if they would end the program. */
void ftr_signal_watch_endings(ftr_recorder *rec);

/* Handles SIGUSR1 if it would end the program; then it triggers this recorder. */
void ftr_signal_watch_trigger(ftr_recorder *rec);

#endif
