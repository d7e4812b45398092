/* Chooses the names of streams in the file (docs/format.md, "Stream names"). The names are unique.
 * No dot has an empty part beside it, and the text before a dot is never the name of a stream that
 * was defined earlier. */
#ifndef FTR_STREAM_NAMES_H
#define FTR_STREAM_NAMES_H

#include <ftr/status.h>

#include "name_table.h"

/* Chooses the name in the file for a stream with the name @p wanted, and adds this name to @p
 * names. FTR_ERR_MEMORY changes nothing.
 * @param[out] chosen  the name in the file; borrowed from @p names
 * @param[out] renamed whether @p chosen differs from @p wanted */
FTR_MUST_USE ftr_status ftr_stream_names_choose(ftr_names *names, const char *wanted,
                                                const char **chosen, bool *renamed);

#endif
