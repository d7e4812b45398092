/* Signals that the default recorder handles. A signal that ends the program takes effect after the
 * file has ended; SIGUSR1 triggers the flight recorder. Without a handler for a signal that ends
 * the program, the latest data would only be in the journal. */
#ifndef FTR_SIGNAL_WATCH_H
#define FTR_SIGNAL_WATCH_H

#include <ftr/recorder.h>

/* Handles SIGTERM and SIGINT for this recorder if they would end the program. */
void ftr_signal_watch_endings(ftr_recorder *rec);

/* Makes SIGUSR1 trigger this recorder, if SIGUSR1 would otherwise end the program. */
void ftr_signal_watch_trigger(ftr_recorder *rec);

#endif
