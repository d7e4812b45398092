/* Name patterns: `*` matches any text, `?` matches any one byte, and every other character matches
 * itself. A `.` in a pattern also matches `/`, because the stream `top.bus.out` is written as
 * `top.bus/out` if another stream is named `top.bus`. Brackets, `/` and `\` have no special
 * meaning, because names contain them (`bus.out[0]`). Commas separate the patterns of a list;
 * blanks around a pattern and empty patterns are ignored. The recorder, the command `ftr` and the
 * trace linker all use these functions. */
#ifndef FTR_NAME_GLOB_H
#define FTR_NAME_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/* Returns true if the text contains a `*` or `?`, so that it is a pattern and not a plain name. */
bool ftr_glob_is_pattern(const char *text);

bool ftr_glob_matches(const char *glob, size_t glob_size, const char *name, size_t name_size);

/* Gets the next pattern of @p list and moves @p list past the pattern. Returns false at the end. */
bool ftr_glob_list_next(const char **list, const char **glob, size_t *size);

/* Returns true if @p name matches at least one pattern of @p list. */
bool ftr_glob_list_matches(const char *list, const char *name, size_t name_size);

#endif
