/* Patterns of names: `*` matches any text, `?` any one byte, and every other character is itself.
 * Brackets are ordinary characters, because names have them (`bus.out[0]`), and so are `.`, `/` and
 * `\`. A list of patterns is separated by commas; blanks around a pattern and empty patterns are
 * ignored. The recorder, the tool and the trace linker all use these functions. */
#ifndef FTR_NAME_GLOB_H
#define FTR_NAME_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the text is a pattern rather than a plain name. */
bool ftr_glob_is_pattern(const char *text);

bool ftr_glob_matches(const char *glob, size_t glob_size, const char *name, size_t name_size);

/* Takes the next pattern from @p list, which moves on. Returns false at the end. */
bool ftr_glob_list_next(const char **list, const char **glob, size_t *size);

/* Whether @p name matches one of the patterns of @p list. */
bool ftr_glob_list_matches(const char *list, const char *name, size_t name_size);

#endif
