/* Selects the chunks and transactions of a query. */
#ifndef FTR_SELECTION_H
#define FTR_SELECTION_H

#include "reader_state.h"
#include "transaction_walk.h"

/* Stored answers of the query's functions, by number; 0: not asked yet. */
typedef struct ftr_stored_answers {
    uint8_t *answer;
    size_t capacity;
} ftr_stored_answers;

typedef struct ftr_selection {
    ftr_reader *reader;
    ftr_query query;
    ftr_stored_answers streams, generators;
} ftr_selection;

void ftr_selection_init(ftr_selection *selection, ftr_reader *reader, const ftr_query *query);
void ftr_selection_release(ftr_selection *selection);

/* Returns true if @p chunk may contain transactions of the query, according to the index. */
bool ftr_selection_may_include(ftr_selection *selection, const ftr_chunk *chunk);

/* Returns true if the query includes the transaction with this head. */
bool ftr_selection_includes(ftr_selection *selection, const ftr_chunk *chunk,
                            const ftr_tx_head *head);

/* Fills @p tx from a head. If there is no memory for its generator, reports this and returns
 * false. */
bool ftr_transaction_fill(ftr_reader *reader, const ftr_chunk *chunk, uint64_t within,
                          const ftr_tx_head *head, ftr_transaction *tx);

/* Reports an item that is not a transaction: @p status is the walk's result, neither OK nor END. */
void ftr_selection_report(ftr_reader *reader, const ftr_chunk *chunk, uint64_t within,
                          ftr_status status);

#endif
