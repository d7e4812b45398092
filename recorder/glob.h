/* Comma-separated globs on names, as FTR_INCLUDE and FTR_EXCLUDE have them. */
#ifndef FTR_GLOB_H
#define FTR_GLOB_H

#include <stdbool.h>

/* Whether @p name matches one of the globs of @p list: `*` any text, `?` any byte, `[a-z]` and
 * `[!a-z]` a byte of a set, `\` takes the next byte as it is. Blanks around a glob do not count.
 * Elements of a path are not special: `*` matches dots. An unclosed `[` is that byte. */
bool ftr_glob_list_matches(const char *list, const char *name);

#endif
