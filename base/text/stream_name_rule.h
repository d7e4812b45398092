/* Finds dots in a stream's name that prevent SCViewer from loading the stream, independently of the
 * names of other streams. SCViewer makes a tree of the parts between the dots; if a part is empty,
 * SCViewer fails or loses the stream (docs/format.md, "Stream names"). The recorder replaces these
 * dots by other characters, and `ftr check` reports them. */
#ifndef FTR_STREAM_NAME_RULE_H
#define FTR_STREAM_NAME_RULE_H

#include <stdbool.h>
#include <stddef.h>

/* Returns true if the character at @p dot is a dot, and if this dot begins or ends the name or
 * follows another dot. */
static inline bool ftr_stream_name_is_bare_dot(const char *name, size_t size, size_t dot)
{
    return name[dot] == '.' && (dot == 0 || dot + 1 == size || name[dot - 1] == '.');
}

/* Returns true if a part of the name is empty. */
static inline bool ftr_stream_name_has_empty_part(const char *name, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (ftr_stream_name_is_bare_dot(name, size, i))
            return true;
    }
    return size == 0;
}

#endif
