/* Opens the trace of a recorder and the journal of the trace. Does not overwrite data that another
 * process is recording, or that a crashed run has left. */
#ifndef FTR_TRACE_OPEN_H
#define FTR_TRACE_OPEN_H

#include "recorder_state.h"

/* Opens the output of @p rec: the sink of its options or, without a sink, the file at @p path. With
 * a sink, only the journal is created for @p path; NULL: no journal. If another recorder uses @p
 * path, opens a file with the process id in its name. If there is a journal of a crashed run,
 * recovers this run first. Files of other processes of rec->run are not replaced. On success,
 * rec->journal is started; without a journal, rec->journal.header is NULL. Reports to the user an
 * error other than FTR_ERR_MEMORY, another name of the file, a missing journal, and the result of a
 * recovery.
 * @return FTR_OK; FTR_ERR_IO; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_trace_open(ftr_recorder *rec, const char *path);

/* Returns whether the writer thread, and the rest of the journal, may be started later than the
 * recorder is opened. A sink, a pipe and a flight recorder have a reader or a trigger that waits
 * for the thread. A summary is written when the recorder is opened, and its state is saved at
 * intervals. */
bool ftr_trace_may_start_later(const ftr_recorder *rec);

#endif
