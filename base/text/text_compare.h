/* Comparison of texts that are not NUL-terminated with texts that are. */
#ifndef FTR_TEXT_COMPARE_H
#define FTR_TEXT_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
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

#endif
