/* Name patterns (name_glob.h) in options of the command. */
#ifndef FTR_NAME_PATTERN_H
#define FTR_NAME_PATTERN_H

#include <ftr/reader.h>

bool ftr_pattern_matches(const char *pattern, ftr_view name);

/* The arguments of a repeated option, each a comma-separated list of patterns. */
#define FTR_PATTERNS_MAX 64
typedef struct ftr_patterns {
    const char *pattern[FTR_PATTERNS_MAX];
    size_t count;
} ftr_patterns;

/* @return false if there are already FTR_PATTERNS_MAX patterns */
bool ftr_patterns_add(ftr_patterns *patterns, const char *pattern);

/* Returns true if any pattern matches. */
bool ftr_patterns_match(const ftr_patterns *patterns, ftr_view name);

#endif
