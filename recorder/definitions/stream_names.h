/* The names streams are written under: unique, without an empty part beside a dot, and never
 * with a dotted prefix that is a stream itself (docs/format.md, "Stream names"). */
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

/* Chooses and remembers the name that @p wanted is written under. @p chosen lives until release;
 * @p renamed tells whether it differs. FTR_ERR_MEMORY leaves everything as it was. */
FTR_MUST_USE ftr_status ftr_stream_names_choose(ftr_stream_names *names, const char *wanted,
                                                const char **chosen, bool *renamed);
void ftr_stream_names_release(ftr_stream_names *names);

#endif
