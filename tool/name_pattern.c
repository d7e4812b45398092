/* Owns globs. */
#include "name_pattern.h"

#include <string.h>

/* Matches the pattern's @p size bytes. Goes back to the last * only, which takes time by the
   product of the lengths at worst. */
static bool matches(const char *pattern, size_t size, ftr_view name)
{
    size_t p = 0;
    size_t n = 0;
    size_t star = SIZE_MAX;
    size_t star_name = 0;
    while (n < name.size) {
        if (p < size && pattern[p] == '*') {
            star = p++;
            star_name = n;
        } else if (p < size && (pattern[p] == '?' || pattern[p] == name.data[n])) {
            p++;
            n++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            n = ++star_name;
        } else {
            return false;
        }
    }
    while (p < size && pattern[p] == '*')
        p++;
    return p == size;
}

bool ftr_pattern_matches(const char *pattern, ftr_view name)
{
    for (;;) {
        const char *comma = strchr(pattern, ',');
        const size_t size = comma != NULL ? (size_t)(comma - pattern) : strlen(pattern);
        if (matches(pattern, size, name))
            return true;
        if (comma == NULL)
            return false;
        pattern = comma + 1;
    }
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
