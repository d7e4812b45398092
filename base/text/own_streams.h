/* Names of streams that ftr itself records. All of them begin with the same prefix. */
#ifndef FTR_OWN_STREAMS_H
#define FTR_OWN_STREAMS_H

#include "text_compare.h"

#define FTR_OWN_STREAM_PREFIX "ftr."
#define FTR_RUN_STREAM "ftr.run"
#define FTR_LOSS_STREAM "ftr.losses"
#define FTR_LOSS_KIND "losses" /* kind of the stream of losses */
#define FTR_VIOLATION_STREAM "ftr.protocol"

/* Returns true for the streams of the model, and for the stream of the violations of the TLM-2.0
 * base protocol (docs/protocol.md), because they describe the model. Returns false for all other
 * streams of ftr. */
static inline bool ftr_stream_describes_model(const char *name, size_t size)
{
    return !ftr_text_begins(name, size, FTR_OWN_STREAM_PREFIX) ||
           ftr_text_is(name, size, FTR_VIOLATION_STREAM);
}

/* Returns true for a stream of losses. In a merged file, its name has a prefix. If another stream
 * is called `ftr` or `ftr.losses`, its dot is a slash, or "#" and a number follow its name. */
static inline bool ftr_stream_has_losses(const char *name, size_t size, const char *kind,
                                         size_t kind_size)
{
    const size_t length = sizeof FTR_LOSS_STREAM - 1;
    const size_t dot = sizeof FTR_OWN_STREAM_PREFIX - 2;
    if (!ftr_text_is(kind, kind_size, FTR_LOSS_KIND))
        return false;
    for (size_t i = 0; i + length <= size; i++) {
        const char *at = name + i;
        if ((i == 0 || at[-1] == '.' || at[-1] == '/') && (at[dot] == '.' || at[dot] == '/') &&
            memcmp(at, FTR_LOSS_STREAM, dot) == 0 &&
            memcmp(at + dot + 1, &FTR_LOSS_STREAM[dot + 1], length - dot - 1) == 0)
            return true;
    }
    return false;
}

#endif
