/* Copies of texts that are not NUL-terminated. */
#ifndef FTR_TEXT_DUPLICATE_H
#define FTR_TEXT_DUPLICATE_H

#include <stdlib.h>
#include <string.h>

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
