/* Glob matching. Own code because fnmatch() follows the locale and gives `.` and `/` meanings that
 * a stream name does not have. Matching takes time in proportion to the product of the two lengths.
 */
#include "glob.h"

#include <stddef.h>
#include <string.h>

/* Matches one byte against the set at @p set ('[' passed). Returns the end of the set, NULL if it
 * is not closed. */
static const char *match_set(const char *set, const char *end, unsigned char byte, bool *matches)
{
    bool negated = set < end && (*set == '!' || *set == '^');
    if (negated)
        ++set;
    bool found = false;
    for (const char *first = set; set < end; ++set) {
        if (*set == ']' && set != first) {
            *matches = found != negated;
            return set + 1;
        }
        unsigned char low = (unsigned char)*set;
        unsigned char high = low;
        if (set + 2 < end && set[1] == '-' && set[2] != ']') {
            high = (unsigned char)set[2];
            set += 2;
        }
        if (low <= byte && byte <= high)
            found = true;
    }
    return NULL;
}

/* Matches one element of the glob (not `*`) against a byte. Returns what follows it, or NULL. */
static const char *match_one(const char *glob, const char *end, char byte)
{
    if (*glob == '?')
        return glob + 1;
    if (*glob == '[') {
        bool matches = false;
        const char *next = match_set(glob + 1, end, (unsigned char)byte, &matches);
        if (next)
            return matches ? next : NULL;
    }
    if (*glob == '\\' && glob + 1 < end)
        ++glob;
    return *glob == byte ? glob + 1 : NULL;
}

static bool glob_matches(const char *glob, const char *end, const char *name)
{
    const char *star = NULL;
    const char *retry = NULL;
    while (*name) {
        const char *next;
        if (glob < end && *glob == '*') {
            star = ++glob;
            retry = name;
        } else if (glob < end && (next = match_one(glob, end, *name)) != NULL) {
            glob = next;
            ++name;
        } else if (star) {
            glob = star;
            name = ++retry;
        } else {
            return false;
        }
    }
    while (glob < end && *glob == '*')
        ++glob;
    return glob == end;
}

bool ftr_glob_list_matches(const char *list, const char *name)
{
    while (*list) {
        const char *end = strchr(list, ',');
        if (!end)
            end = list + strlen(list);
        const char *first = list;
        const char *last = end;
        while (first < last && (*first == ' ' || *first == '\t'))
            ++first;
        while (last > first && (last[-1] == ' ' || last[-1] == '\t'))
            --last;
        if (last > first && glob_matches(first, last, name))
            return true;
        list = *end ? end + 1 : end;
    }
    return false;
}
