/* The names of streams in the file: unique, without an empty part beside a dot, and without a
 * dotted prefix that is itself a stream (docs/format.md, "Stream names"). */
#ifndef FTR_STREAM_NAMES_H
#define FTR_STREAM_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ftr/status.h>

typedef struct ftr_stream_names {
    char **names; /* open addressing, NULL: free; owned */
    size_t capacity;
    size_t count;
} ftr_stream_names;

/* Chooses and stores the name of @p wanted in the file. @p chosen stays valid until release; @p
 * renamed is set if it differs from @p wanted. FTR_ERR_MEMORY changes nothing. */
FTR_MUST_USE ftr_status ftr_stream_names_choose(ftr_stream_names *names, const char *wanted,
                                                const char **chosen, bool *renamed);
void ftr_stream_names_release(ftr_stream_names *names);

#endif
