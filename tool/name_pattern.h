/* Patterns of names (name_glob.h), as options of the command have them. */
#ifndef FTR_NAME_PATTERN_H
#define FTR_NAME_PATTERN_H

#include <ftr/reader.h>

bool ftr_pattern_matches(const char *pattern, ftr_view name);

/* The same for several: those of an option given more than once, each a comma-separated list. */
#define FTR_PATTERNS_MAX 64
typedef struct ftr_patterns {
    const char *pattern[FTR_PATTERNS_MAX];
    size_t count;
} ftr_patterns;

/* @return false when there are too many */
bool ftr_patterns_add(ftr_patterns *patterns, const char *pattern);

/* Whether any of them matches. */
bool ftr_patterns_match(const ftr_patterns *patterns, ftr_view name);

#endif
