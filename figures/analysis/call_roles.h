/* Recognises recordings of TLM-2.0 calls: traces that have several transactions for each access, as
 * SCC's recorder and ftr with FTR_TLM=calls write them. A recording of accesses has one transaction
 * for each access (docs/attach.md). */
#ifndef FTR_CALL_ROLES_H
#define FTR_CALL_ROLES_H

#include "stream_name_rules.h"

/* The meaning of a stream in a recording of calls. */
typedef enum ftr_call_role {
    FTR_ROLE_NO_CALLS, /* any other stream */
    FTR_ROLE_BLOCKING, /* N_bl: b_transport calls */
    FTR_ROLE_BLOCKING_TIMED,
    FTR_ROLE_NONBLOCKING, /* N_nb: nb_transport calls */
    FTR_ROLE_NONBLOCKING_TIMED,
    FTR_ROLE_DMI_CALLS,
    FTR_ROLE_DEBUG_CALLS,
    FTR_CALL_ROLES
} ftr_call_role;

/* Returns the role of a stream, which depends on the kind of the stream.
 * @param[out] link the name of the stream without the suffix of its role: a part of stream->name;
 *             NULL: not needed */
ftr_call_role ftr_call_role_of(const ftr_stream_info *stream, ftr_view *link);

/* Return whether the trace has transactions of calls, or of accesses. The index of the trace must
 * be known, so the trace must not be a pipe. */
bool ftr_trace_has_calls(const ftr_reader *reader);
bool ftr_trace_has_accesses(const ftr_reader *reader);

#endif
