/* Selects chunks, and the transactions of a query. */
#ifndef FTR_SELECTION_H
#define FTR_SELECTION_H

#include "reader_state.h"
#include "transaction_walk.h"

/* Stored answers of one of the query's functions `choose_stream` and `choose_generator`. Index:
 * number of the stream or generator; 0: not asked yet. */
typedef struct ftr_stored_answers {
    uint8_t *answer;
    size_t capacity;
} ftr_stored_answers;

typedef struct ftr_selection {
    ftr_reader *reader;
    ftr_query query;
    bool every_transaction; /* the query includes every transaction of the chosen streams */
    ftr_stored_answers streams, generators;
    /* entries, prepared bytes and content of the chunk that was collected last; sizes in bytes */
    size_t latest_count, latest_prepared, latest_content;
} ftr_selection;

/* Initialises a selection for a query; NULL: all transactions. */
void ftr_selection_init(ftr_selection *selection, ftr_reader *reader, const ftr_query *query);
void ftr_selection_release(ftr_selection *selection);

/* Calls the query's function `choose_generator` for all generators, so that other threads can read
 * the answers. Also makes room for the placeholders of undefined generators, so that the array of
 * answers does not move later. @return FTR_OK; FTR_ERR_MEMORY, also if the budget is exceeded */
FTR_MUST_USE ftr_status ftr_selection_settle(ftr_selection *selection);

/* Returns true if @p chunk may contain transactions of the query, according to the index. */
bool ftr_selection_may_include(ftr_selection *selection, const ftr_chunk *chunk);

/* Returns true if the query includes the transaction with this head. */
bool ftr_selection_includes_checked(ftr_selection *selection, const ftr_chunk *chunk,
                                    const ftr_tx_head *head);
static inline bool ftr_selection_includes(ftr_selection *selection, const ftr_chunk *chunk,
                                          const ftr_tx_head *head)
{
    if (selection->every_transaction)
        return true;
    const ftr_tx_head copy = *head; /* the fields of *head can then stay in registers */
    return ftr_selection_includes_checked(selection, chunk, &copy);
}

static inline void ftr_transaction_set(const ftr_chunk *chunk, uint64_t within,
                                       const ftr_tx_head *head, const ftr_generator_info *generator,
                                       ftr_transaction *tx)
{
    tx->id = head->id;
    tx->begin = head->begin;
    tx->end = head->end;
    tx->stream = generator->stream;
    tx->generator = generator;
    tx->generator_id = head->generator;
    tx->chunk_offset = chunk->offset;
    tx->chunk_within = within;
    tx->attributes.first = tx->attributes.next = head->first;
    tx->attributes.last = head->last;
    tx->attributes.within = 1 + within + (uint64_t)(head->first - head->entry);
}

/* Fills @p tx from @p head. If the generator is undefined and there is no memory for its
 * placeholder, reports this and returns false. */
bool ftr_transaction_fill_checked(ftr_reader *reader, const ftr_chunk *chunk, uint64_t within,
                                  const ftr_tx_head *head, ftr_transaction *tx);

/* Like ftr_transaction_fill_checked(), but inline for generators that occurred before. */
static inline bool ftr_transaction_fill(ftr_reader *reader, const ftr_chunk *chunk, uint64_t within,
                                        const ftr_tx_head *head, ftr_transaction *tx)
{
    const unsigned entry = head->generator % FTR_FORM_PROGRAMS;
    const ftr_generator_info *generator = reader->forms.generator[entry].info;
    if (generator == NULL || reader->forms.generator[entry].id != head->generator) {
        const ftr_tx_head copy = *head;
        return ftr_transaction_fill_checked(reader, chunk, within, &copy, tx);
    }
    ftr_transaction_set(chunk, within, head, generator, tx);
    return true;
}

/* Reports why a walk could not read an item at @p within. @p status: the result of the walk.
 * FTR_ERR_ARGUMENT: the item is not a transaction, and only this item is skipped. Any other error
 * than FTR_ERR_END: the rest of the chunk is skipped. */
void ftr_selection_report(ftr_reader *reader, const ftr_chunk *chunk, uint64_t within,
                          ftr_status status);

/* ---- numbers of chunks, in the order in which they are read ---------------------------------- */

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
