/* Names of streams that ftr itself records. All of them begin with the same prefix. */
#ifndef FTR_OWN_STREAMS_H
#define FTR_OWN_STREAMS_H

#include "text_compare.h"

#define FTR_OWN_STREAM_PREFIX "ftr."
#define FTR_RUN_STREAM "ftr.run"
#define FTR_LOSS_STREAM "ftr.losses"
#define FTR_VIOLATION_STREAM "ftr.protocol"

/* Returns true for the streams of the model, and for the stream of the violations of the TLM-2.0
 * base protocol (docs/protocol.md), because they describe the model. Returns false for all other
 * streams of ftr. */
static inline bool ftr_stream_describes_model(const char *name, size_t size)
{
    return !ftr_text_begins(name, size, FTR_OWN_STREAM_PREFIX) ||
           ftr_text_is(name, size, FTR_VIOLATION_STREAM);
}

#endif
