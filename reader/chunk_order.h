/* Numbers of chunks, in the order in which they are read. */
#ifndef FTR_CHUNK_ORDER_H
#define FTR_CHUNK_ORDER_H

#include "selection.h"

/* `{0}` is empty. */
typedef struct ftr_chunk_order {
    uint32_t *list;
    size_t count, capacity;
} ftr_chunk_order;

typedef bool ftr_chunk_choice(void *user, const ftr_chunk *chunk);

/* Appends the chunks for which @p chooses returns true, in file order. */
FTR_MUST_USE ftr_status ftr_chunk_order_collect(ftr_chunk_order *order, ftr_reader *reader,
                                                ftr_chunk_choice *chooses, void *user);

/* Like ftr_chunk_order_collect(), for the chunks that may contain transactions of the selection. */
FTR_MUST_USE ftr_status ftr_chunk_order_select(ftr_chunk_order *order, ftr_selection *selection);

void ftr_chunk_order_release(ftr_chunk_order *order, ftr_budget *budget);

#endif
