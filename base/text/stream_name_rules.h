/* Names of streams, kinds and relations that ftr itself records, and dots in names that viewers
 * cannot read. */
#ifndef FTR_STREAM_NAME_RULES_H
#define FTR_STREAM_NAME_RULES_H

#include "text_view.h"

#include <stdbool.h>
#include <stddef.h>

/* All streams that ftr itself records begin with this prefix. */
#define FTR_OWN_STREAM_PREFIX "ftr."
#define FTR_RUN_STREAM "ftr.run"
#define FTR_LOSS_STREAM "ftr.losses"
#define FTR_LOSS_KIND "losses" /* kind of the stream of losses */
#define FTR_VIOLATION_STREAM "ftr.protocol"

/* Kinds of the streams of a TLM link. With FTR_TLM=calls, the kinds of its streams begin with
 * FTR_CALL_KIND_PREFIX instead. */
#define FTR_ACCESS_KIND "TLM"
#define FTR_DMI_KIND "TLM DMI"
#define FTR_DEBUG_KIND "TLM debug"
#define FTR_PHASES_KIND "TLM phases"
#define FTR_CALL_KIND_PREFIX "[TLM]"

/* The relation from a transaction to those that it causes, for example from an access to the access
 * of the next link. */
#define FTR_PARENT_CHILD "PARENT_CHILD"

/* The events of the transactions of a generator are in the generator with its name and this
 * suffix. */
#define FTR_EVENTS_SUFFIX ".events"

/* Returns true for the streams of the model. Also returns true for the stream with violations of
 * the TLM-2.0 base protocol (docs/protocol.md), because the violations describe the model. Returns
 * false for all other streams of ftr. */
static inline bool ftr_stream_describes_model(const char *name, size_t size)
{
    return !ftr_text_begins(name, size, FTR_OWN_STREAM_PREFIX) ||
           ftr_text_is(name, size, FTR_VIOLATION_STREAM);
}

/* Returns true for a stream of losses. In a merged file, the name of this stream has a prefix. If
 * another stream has the name `ftr` or `ftr.losses`, the name of the stream of losses contains a
 * slash instead of the dot, or ends with "#" and a number. */
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

/* ---- dots that viewers cannot read ----------------------------------------------------------- */

/* Finds dots in a stream's name that prevent SCViewer from loading the stream, independently of the
 * names of other streams. SCViewer makes a tree of the parts between the dots; if a part is empty,
 * SCViewer fails or loses the stream (docs/format.md, "Stream names"). The recorder replaces these
 * dots by other characters, and `ftr check` reports them. */

/* Returns true if the character at @p dot is a dot, and if this dot begins or ends the name or
 * follows another dot. */
static inline bool ftr_stream_name_is_bare_dot(const char *name, size_t size, size_t dot)
{
    return name[dot] == '.' && (dot == 0 || dot + 1 == size || name[dot - 1] == '.');
}

/* Returns true if a part of the name is empty. */
static inline bool ftr_stream_name_has_empty_part(const char *name, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (ftr_stream_name_is_bare_dot(name, size, i))
            return true;
    }
    return size == 0;
}

#endif
