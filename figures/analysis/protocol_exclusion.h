/* Checks the rules request-exclusion and response-exclusion. The trace must contain the phases of
 * its accesses as events (FTR_PHASES=events, docs/attach.md). */
#ifndef FTR_PROTOCOL_EXCLUSION_H
#define FTR_PROTOCOL_EXCLUSION_H

#include "protocol_order.h"

/* Checks all links of a file in a pass of its own. The file must not be a pipe.
 * @param is_checked the streams of accesses to check
 * @param user passed to @p is_checked and @p report
 * @param[out] requests number of accesses with an event BEGIN_REQ
 * @return FTR_OK; FTR_ERR_LIMIT if @p memory is too small for the events; another error of a
 *         cursor */
FTR_MUST_USE ftr_status
ftr_protocol_exclusion_check(ftr_reader *reader, size_t memory,
                             bool (*is_checked)(void *user, const ftr_stream_info *stream),
                             ftr_protocol_order_report *report, void *user, uint64_t *requests);

#endif
