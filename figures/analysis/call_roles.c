/* The kind of a stream of calls is `[TLM][PROTOCOL]` and the kind of the calls; its name has a
 * suffix that matches. Streams without the suffix are accepted, because other programs write the
 * same kinds with names of their own. */
#include "call_roles.h"

#include "text_view.h"

typedef struct role_names {
    const char *kind; /* the part of the kind behind the protocol */
    const char *suffix;
} role_names;

static const role_names ROLES[FTR_CALL_ROLES] = {
    [FTR_ROLE_BLOCKING] = {"[b]", "_bl"},
    [FTR_ROLE_BLOCKING_TIMED] = {"[b][timed]", "_bl_timed"},
    [FTR_ROLE_NONBLOCKING] = {"[nb]", "_nb"},
    [FTR_ROLE_NONBLOCKING_TIMED] = {"[nb][timed]", "_nb_timed"},
    [FTR_ROLE_DMI_CALLS] = {"[dmi]", "_dmi"},
    [FTR_ROLE_DEBUG_CALLS] = {"[dbg]", "_dbg"},
};

/* Sets @p rest to the text after `[TLM][protocol]` in the kind of a stream. Returns false if the
 * kind does not begin with a protocol. */
static bool skip_protocol(ftr_view kind, ftr_view *rest)
{
    static const char PREFIX[] = "[TLM][";
    const size_t before = sizeof PREFIX - 1;
    if (!ftr_text_begins(kind.data, kind.size, PREFIX))
        return false;
    const char *end = memchr(kind.data + before, ']', kind.size - before);
    if (end == NULL)
        return false;
    *rest = (ftr_view){end + 1, kind.size - (size_t)(end + 1 - kind.data)};
    return true;
}

ftr_call_role ftr_call_role_of(const ftr_stream_info *stream, ftr_view *link)
{
    ftr_view rest;
    if (!skip_protocol(stream->kind, &rest))
        return FTR_ROLE_NO_CALLS;
    for (ftr_call_role role = FTR_ROLE_BLOCKING; role < FTR_CALL_ROLES; role++) {
        const size_t suffix = strlen(ROLES[role].suffix);
        if (!ftr_view_is(rest, ROLES[role].kind))
            continue;
        if (link != NULL) {
            *link = stream->name;
            if (link->size > suffix && ftr_text_ends(link->data, link->size, ROLES[role].suffix))
                link->size -= suffix;
        }
        return role;
    }
    return FTR_ROLE_NO_CALLS;
}

bool ftr_trace_has_calls(const ftr_reader *reader)
{
    for (size_t i = 0; i < ftr_reader_stream_count(reader); i++) {
        const ftr_stream_info *stream = ftr_reader_get_stream(reader, i);
        if (stream->chunks > 0 && ftr_call_role_of(stream, NULL) != FTR_ROLE_NO_CALLS)
            return true;
    }
    return false;
}

bool ftr_trace_has_accesses(const ftr_reader *reader)
{
    for (size_t i = 0; i < ftr_reader_stream_count(reader); i++) {
        const ftr_stream_info *stream = ftr_reader_get_stream(reader, i);
        if (stream->chunks > 0 && ftr_view_is(stream->kind, FTR_ACCESS_KIND))
            return true;
    }
    return false;
}
