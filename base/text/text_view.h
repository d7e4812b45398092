/* Comparison of the views that a reader returns with NUL-terminated texts. */
#ifndef FTR_TEXT_VIEW_H
#define FTR_TEXT_VIEW_H

#include "text_compare.h"

#include <ftr/reader.h>

static inline bool ftr_view_is(ftr_view view, const char *text)
{
    return ftr_text_is(view.data, view.size, text);
}

#endif
