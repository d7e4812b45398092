/* The traces of buffers that have a file or a callback of their own. */
#ifndef FTR_BUFFER_TRACES_H
#define FTR_BUFFER_TRACES_H

#include "recorder_state.h"

/* Opens the trace of a buffer, which records the same part of the simulation as @p rec. @p blocks
 * is the budget of its own buffer, unless the buffer is a ring: the caller adds that. */
FTR_MUST_USE ftr_status ftr_buffer_trace_open(ftr_recorder *rec, const ftr_buffer_options *options,
                                              size_t blocks, ftr_recorder **trace);

#endif
