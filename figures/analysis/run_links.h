/* Reads the names of the TLM links of a trace from its stream `ftr.run` (link_names.h). This takes
 * no noticeable time, because the stream has few transactions. */
#ifndef FTR_RUN_LINKS_H
#define FTR_RUN_LINKS_H

#include "link_names.h"

#include <ftr/reader.h>

/* Sets @p names to the names of the links of a trace. The streams of a pipe are not known before it
 * is read: the function then reads nothing, and @p names stays empty. Damage in `ftr.run` is not an
 * error: the reader reports it as a finding.
 * @param[out] names owned by the caller until ftr_link_names_release(); {0} on failure
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_run_links_read(ftr_reader *reader, ftr_link_names *names);

#endif
