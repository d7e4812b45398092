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

/* Removes a journal that has no disk space or cannot be mapped, and reports this; errno is the
 * cause. Has no effect without a journal. */
void ftr_trace_give_up_journal(ftr_recorder *rec);

#endif
