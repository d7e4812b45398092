/* Opens the trace of a recorder and its journal, so that nothing is overwritten unseen. */
#ifndef FTR_TRACE_OPEN_H
#define FTR_TRACE_OPEN_H

#include "recorder_state.h"

/* Opens the sink, or @p path, or, when another recorder has that, a name with our pid; first brings
 * back the run whose journal is left over there. Leaves rec->journal started, or without a header
 * when there is none. What other processes of rec->run wrote is not replaced. The user is told of
 * everything but success. */
FTR_MUST_USE ftr_status ftr_trace_open(ftr_recorder *rec, const char *path);

/* The disk has no room for the journal, or it cannot be mapped: removes it and says so. Harmless
 * when there is none. */
void ftr_trace_give_up_journal(ftr_recorder *rec);

#endif
