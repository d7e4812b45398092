/* Owns the patterns of an option that may be repeated. */
#include "name_pattern.h"

#include "name_glob.h"

bool ftr_pattern_matches(const char *pattern, ftr_view name)
{
    return ftr_glob_list_matches(pattern, name.data, name.size);
}

bool ftr_patterns_add(ftr_patterns *patterns, const char *pattern)
{
    if (patterns->count == FTR_PATTERNS_MAX)
        return false;
    patterns->pattern[patterns->count++] = pattern;
    return true;
}

bool ftr_patterns_match(const ftr_patterns *patterns, ftr_view name)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (ftr_pattern_matches(patterns->pattern[i], name))
            return true;
    return false;
}
