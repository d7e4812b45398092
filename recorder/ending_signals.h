/* Ends the file of the default recorder when a signal ends the program. Nothing is lost without
 * that: the journal has it; the file is just whole at once. */
#ifndef FTR_ENDING_SIGNALS_H
#define FTR_ENDING_SIGNALS_H

#include "recorder_state.h"

/* Takes SIGTERM and SIGINT where they would end the program, for this one recorder. */
void ftr_ending_signals_watch(ftr_recorder *rec);

/* What the writer thread asks now and then: whether a signal waits for the file to be ended, which
 * it then does with ftr_recorder_end_for_signal(). */
bool ftr_ending_signals_wait(const ftr_recorder *rec);

/* The file is ended: the signal may go on. */
void ftr_ending_signals_done(ftr_recorder *rec);

#endif
