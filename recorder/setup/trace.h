/* A trace: one output with its journal, memory, encoder and writer thread. The first trace of a
 * recorder is the recorder's own struct; each buffer with a separate file or a callback adds
 * another trace. */
#ifndef FTR_TRACE_H
#define FTR_TRACE_H

#include <ftr/recorder.h>

#include "run_claim.h"

/* Opens a trace of @p run. @p path and @p options are as for ftr_recorder_open(). On error,
 * releases everything, and leaves @p rec unchanged.
 * @return FTR_OK; FTR_ERR_ARGUMENT or FTR_ERR_IO after a report; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_trace_create(const char *path, const ftr_recorder_options *options,
                                         const ftr_run *run, ftr_recorder **rec);

/* Ends and closes a trace; the caller has closed the valve of the trace. The handle stays valid as
 * an argument of calls. Returns the first failure of the trace. */
ftr_status ftr_trace_close(ftr_recorder *rec);

#endif
