/* Opens the trace of a buffer that has a sink of its own. */
#ifndef FTR_BUFFER_TRACES_H
#define FTR_BUFFER_TRACES_H

#include "recorder_state.h"

/* A recorder for the buffer, which follows @p rec. @p blocks is the budget of its own buffer,
 * unless it is a ring: that is for the caller to add. */
FTR_MUST_USE ftr_status ftr_buffer_trace_open(ftr_recorder *rec, const ftr_buffer_options *options,
                                              size_t blocks, ftr_recorder **trace);

#endif
