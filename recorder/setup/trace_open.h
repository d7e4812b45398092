/* Opens the trace of a recorder and the journal of the trace. Does not overwrite data that another
 * process is recording, or that a crashed run has left. */
#ifndef FTR_TRACE_OPEN_H
#define FTR_TRACE_OPEN_H

#include "recorder_state.h"

/* Opens the sink or @p path. If another recorder uses @p path, opens a file with the process id in
 * its name. If there is a journal of a crashed run, recovers this run first. On return,
 * rec->journal is started; without a journal, rec->journal.header is NULL. Files of other processes
 * of rec->run are not replaced. Sends a message to the user in all cases except success. */
FTR_MUST_USE ftr_status ftr_trace_open(ftr_recorder *rec, const char *path);

/* Removes a journal that has no disk space or cannot be mapped, and reports this; errno is the
 * cause. Has no effect without a journal. */
void ftr_trace_give_up_journal(ftr_recorder *rec);

#endif
