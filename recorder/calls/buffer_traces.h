/* The traces of buffers with a separate file or a callback. */
#ifndef FTR_BUFFER_TRACES_H
#define FTR_BUFFER_TRACES_H

#include "recorder_state.h"

/* Opens the trace of a buffer. It records the same interval of simulated time as @p rec. @p blocks
 * is the budget of the main buffer of the trace. If the buffer is a ring, @p blocks is ignored: the
 * caller then adds the ring to the trace. */
FTR_MUST_USE ftr_status ftr_buffer_trace_open(ftr_recorder *rec, const ftr_buffer_options *options,
                                              size_t blocks, ftr_recorder **trace);

#endif
