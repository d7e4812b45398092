/* A pass over transactions. */
#ifndef FTR_CURSOR_H
#define FTR_CURSOR_H

#include "ordered_merge.h"
#include "selection.h"

struct ftr_cursor {
    ftr_cursor *next, **link; /* links of the reader's list */
    ftr_selection selection;
    ftr_merge *merge; /* NULL: stored order */
    size_t chunk;     /* stored order: the current chunk, or the next one */
    ftr_content *content;
    ftr_tx_walk walk;
    uint64_t min_id, max_id;
};

#endif
