/* The place of the index of a trace: beside the trace, under the name of the trace with the suffix
 * `.idx` (docs/index-format.md). */
#ifndef FTR_INDEX_PLACE_H
#define FTR_INDEX_PLACE_H

#include <stdbool.h>

#define FTR_INDEX_SUFFIX ".idx"

/* The first bytes of an index: the tag of self-described CBOR, an array of 4 items, and the text
 * "ftr index", with its head, as the first item. */
#define FTR_INDEX_MAGIC    \
    "\xd9\xd9\xf7\x84\x69" \
    "ftr index"
#define FTR_INDEX_MAGIC_SIZE (sizeof FTR_INDEX_MAGIC - 1)

/* Returns the path of the index of @p trace, malloc'ed; NULL if out of memory. */
char *ftr_index_path(const char *trace);

/* Returns true if no file has the path @p index, or if the file there is an index. Only a file for
 * which the result is true may be replaced. Sets errno to the reason otherwise. */
bool ftr_index_is_replaceable(const char *index);

/* Removes the index of @p trace, for a caller that has removed or replaced the trace. Leaves other
 * files at this place alone. Preserves errno. */
void ftr_index_remove(const char *trace);

/* Renames the index of the trace @p from to the index of @p to, for a caller that has renamed the
 * trace. If there is none, removes the index of @p to. Preserves errno. */
void ftr_index_rename(const char *from, const char *to);

#endif
