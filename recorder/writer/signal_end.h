/* The end of all files of a recorder when a signal ends the program. */
#ifndef FTR_SIGNAL_END_H
#define FTR_SIGNAL_END_H

#include "recorder_state.h"

/* Ends all files of the recorder. The other threads may be in any state. Called by the writer
 * thread, which does nothing afterwards. Returns false if a thread has already begun to close the
 * recorder: all files are then ended because of this thread. */
bool ftr_signal_end(ftr_recorder *rec);

/* The same for a recorder whose writer thread is scheduled: ends the files in a child process and
 * waits for the child, at most 3 s. Called in the handler of the signal by a thread that is in no
 * call of the recorder; async-signal-safe. Returns false if the file was not ended: the writer
 * thread has been started meanwhile, the recorder is closed, or the child could not end the file,
 * which is then in the journal. */
bool ftr_signal_end_in_child(ftr_recorder *rec);

#endif
