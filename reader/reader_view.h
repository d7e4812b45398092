/* A view of a reader for one further thread: it shares the index, the directory and the dictionary,
 * which must not change while the view is used, and has its own contents, texts, forms and memory.
 * A view only counts findings. If there is one, the reader itself must read the same chunk again
 * and reports the finding. */
#ifndef FTR_READER_VIEW_H
#define FTR_READER_VIEW_H

#include "reader_state.h"

/* @param memory the budget of the view in bytes
 * @return NULL if out of memory */
ftr_reader *ftr_reader_view_create(ftr_reader *origin, size_t memory);
void ftr_reader_view_destroy(ftr_reader *view);

/* Returns a copy of the members of a chunk that never change. */
ftr_chunk ftr_chunk_copy(const ftr_chunk *chunk);

/* Returns the view's copy of chunk @p index, for its contents; NULL if out of memory. */
ftr_chunk *ftr_reader_view_chunk(ftr_reader *view, size_t index);

#endif
