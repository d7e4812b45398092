/* Which chunks and transactions a query is after. */
#ifndef FTR_SELECTION_H
#define FTR_SELECTION_H

#include "reader_state.h"
#include "transaction_walk.h"

/* Answers of the query's functions, by number; 0: not asked yet. */
typedef struct ftr_verdicts {
    uint8_t *verdict;
    size_t capacity;
} ftr_verdicts;

typedef struct ftr_selection {
    ftr_reader *reader;
    ftr_query query;
    ftr_verdicts streams, generators;
} ftr_selection;

void ftr_selection_init(ftr_selection *selection, ftr_reader *reader, const ftr_query *query);
void ftr_selection_release(ftr_selection *selection);

/* Whether the index leaves it open that @p chunk has transactions of the query. */
bool ftr_selection_wants_chunk(ftr_selection *selection, const ftr_chunk *chunk);

/* Whether the query is after the transaction with this head. */
bool ftr_selection_wants_tx(ftr_selection *selection, const ftr_chunk *chunk,
                            const ftr_tx_head *head);

/* What a head means. Answers false, and says so, when there is no memory for its generator. */
bool ftr_transaction_fill(ftr_reader *reader, const ftr_chunk *chunk, uint64_t within,
                          const ftr_tx_head *head, ftr_transaction *tx);

/* Says what a walk met that was no transaction: @p status is its answer, neither OK nor END. */
void ftr_selection_say(ftr_reader *reader, const ftr_chunk *chunk, uint64_t within,
                       ftr_status status);

#endif
