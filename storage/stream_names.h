/* The names of streams in the file: unique, without an empty part beside a dot, and without a
 * dotted prefix that is itself a stream (docs/format.md, "Stream names"). */
#ifndef FTR_STREAM_NAMES_H
#define FTR_STREAM_NAMES_H

#include <ftr/status.h>

#include "interned_names.h"

/* Chooses the name of @p wanted in the file, and adds it to @p names. @p chosen lives as long as @p
 * names; @p renamed is set if it differs from @p wanted. FTR_ERR_MEMORY changes nothing. */
FTR_MUST_USE ftr_status ftr_stream_names_choose(ftr_names *names, const char *wanted,
                                                const char **chosen, bool *renamed);

#endif
