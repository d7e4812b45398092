/* Transactions in every order of a query except the stored order, merged from chunks that overlap
 * in time. */
#ifndef FTR_ORDERED_MERGE_H
#define FTR_ORDERED_MERGE_H

#include "selection.h"

typedef struct ftr_merge ftr_merge;

/* @p selection is borrowed until ftr_merge_destroy(). */
FTR_MUST_USE ftr_status ftr_merge_create(ftr_selection *selection, ftr_merge **merge);
void ftr_merge_destroy(ftr_merge *merge);

/* The first function gets the next transaction, the second one the next bytes that the query's
 * functions `prepare` and `conclude` appended. Both return FTR_ERR_END after the last one. */
ftr_status ftr_merge_next(ftr_merge *merge, ftr_transaction *tx);
ftr_status ftr_merge_next_prepared(ftr_merge *merge, const void **bytes, size_t *size);

/* Reads on the calling thread alone from now on. */
void ftr_merge_stop_ahead(ftr_merge *merge);

#endif
