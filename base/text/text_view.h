/* Functions for texts that are not NUL-terminated: comparison with NUL-terminated texts, and
 * copies. */
#ifndef FTR_TEXT_VIEW_H
#define FTR_TEXT_VIEW_H

#include <ftr/reader.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static inline bool ftr_text_begins(const char *bytes, size_t size, const char *text)
{
    const size_t length = strlen(text);
    return size >= length && (length == 0 || memcmp(bytes, text, length) == 0);
}

static inline bool ftr_text_ends(const char *bytes, size_t size, const char *text)
{
    const size_t length = strlen(text);
    return size >= length && (length == 0 || memcmp(bytes + size - length, text, length) == 0);
}

static inline bool ftr_text_is(const char *bytes, size_t size, const char *text)
{
    return size == strlen(text) && ftr_text_begins(bytes, size, text);
}

static inline bool ftr_view_is(ftr_view view, const char *text)
{
    return ftr_text_is(view.data, view.size, text);
}

static inline bool ftr_view_equals(ftr_view a, ftr_view b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/* Returns a copy that ends with an additional NUL byte; the caller must free() the copy. Returns
 * NULL if out of memory. NUL bytes inside the text are copied.
 * @param text may be NULL if @p size is 0 */
static inline char *ftr_text_duplicate(const char *text, size_t size)
{
    char *copy = (char *)malloc(size + 1);
    if (copy == NULL)
        return NULL;
    if (size > 0)
        memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

#endif
