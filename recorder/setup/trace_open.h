/* Opens the trace of a recorder and its journal without overwriting data silently. */
#ifndef FTR_TRACE_OPEN_H
#define FTR_TRACE_OPEN_H

#include "recorder_state.h"

/* Opens the sink or @p path. If another recorder uses @p path, opens a name with the process id.
 * First recovers the run of a journal that is still there. On return, rec->journal is started, or
 * has no header if there is none. Files of other processes of rec->run are not replaced. Reports
 * everything except success. */
FTR_MUST_USE ftr_status ftr_trace_open(ftr_recorder *rec, const char *path);

/* For a journal without disk space, or that cannot be mapped: removes the journal and reports it.
 * Has no effect without a journal. */
void ftr_trace_give_up_journal(ftr_recorder *rec);

#endif
