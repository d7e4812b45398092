/* Matching of name patterns. fnmatch() is not used: it depends on the locale and treats brackets as
 * sets. The time of a match is at most proportional to the product of the two lengths. */
#include "name_glob.h"

#include <stdint.h>
#include <string.h>

bool ftr_glob_is_pattern(const char *text)
{
    return strpbrk(text, "*?") != NULL;
}

static bool matches_one(char pattern, char c)
{
    return pattern == '?' || pattern == c || (pattern == '.' && c == '/');
}

bool ftr_glob_matches(const char *glob, size_t glob_size, const char *name, size_t name_size)
{
    size_t g = 0;
    size_t n = 0;
    /* position in the pattern behind the last star; after a mismatch, matching resumes at this
     * position */
    size_t after_star = SIZE_MAX;
    size_t retry = 0;
    while (n < name_size) {
        if (g < glob_size && glob[g] == '*') {
            after_star = ++g;
            retry = n;
        } else if (g < glob_size && matches_one(glob[g], name[n])) {
            g++;
            n++;
        } else if (after_star != SIZE_MAX) {
            g = after_star;
            n = ++retry;
        } else {
            return false;
        }
    }
    while (g < glob_size && glob[g] == '*')
        g++;
    return g == glob_size;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

bool ftr_glob_list_next(const char **list, const char **glob, size_t *size)
{
    while (**list) {
        const char *first = *list;
        const char *last = first + strcspn(first, ",");
        *list = *last ? last + 1 : last;
        while (first < last && is_blank(*first))
            first++;
        while (last > first && is_blank(last[-1]))
            last--;
        if (last > first) {
            *glob = first;
            *size = (size_t)(last - first);
            return true;
        }
    }
    return false;
}

bool ftr_glob_list_matches(const char *list, const char *name, size_t name_size)
{
    const char *glob;
    size_t size;
    while (ftr_glob_list_next(&list, &glob, &size)) {
        if (ftr_glob_matches(glob, size, name, name_size))
            return true;
    }
    return false;
}
