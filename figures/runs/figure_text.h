/* A text that figures own: a name, a path, a value. */
#ifndef FTR_FIGURE_TEXT_H
#define FTR_FIGURE_TEXT_H

#include "text_view.h"

typedef struct ftr_figure_text {
    char *bytes; /* 0-terminated */
    size_t size;
} ftr_figure_text;

/* Copies @p size bytes. @return false if out of memory; then @p text is untouched */
static inline bool ftr_figure_text_set(ftr_figure_text *text, const char *bytes, size_t size)
{
    char *copy = ftr_text_duplicate(bytes, size);
    if (copy == NULL)
        return false;
    free(text->bytes);
    text->bytes = copy;
    text->size = size;
    return true;
}

/* Compares byte by byte. Returns a number less than 0 if @p a comes before @p b. */
static inline int ftr_figure_text_compare(const ftr_figure_text *a, const ftr_figure_text *b)
{
    const size_t size = a->size < b->size ? a->size : b->size;
    const int order = size > 0 ? memcmp(a->bytes, b->bytes, size) : 0;
    return order != 0 ? order : (a->size > b->size) - (a->size < b->size);
}

#endif
