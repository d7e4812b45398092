/* Which dots of a stream's name SCViewer cannot load, whatever other streams there are: it makes a
 * tree of the parts between the dots, and fails or loses the stream where a part is empty
 * (docs/format.md, "Stream names"). The recorder writes other characters for such dots, and `ftr
 * check` reports them. */
#ifndef FTR_STREAM_NAME_RULE_H
#define FTR_STREAM_NAME_RULE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a part before or behind the dot at @p dot is empty. Of two dots in a row, the second one
 * is. */
static inline bool ftr_stream_name_is_bare_dot(const char *name, size_t size, size_t dot)
{
    return name[dot] == '.' && (dot == 0 || dot + 1 == size || name[dot - 1] == '.');
}

/* Whether a part of the name is empty. */
static inline bool ftr_stream_name_has_empty_part(const char *name, size_t size)
{
    for (size_t i = 0; i < size; ++i) {
        if (ftr_stream_name_is_bare_dot(name, size, i))
            return true;
    }
    return size == 0;
}

#endif
