/* The transactions of one chunk that a query requests, in the order of the query. */
#ifndef FTR_CHUNK_ENTRIES_H
#define FTR_CHUNK_ENTRIES_H

#include "selection.h"

typedef struct ftr_chunk_entry {
    /* the time by which the entry is sorted: the begin; with FTR_ORDER_END the end, or the begin if
     * the end is earlier */
    uint64_t time;
    uint32_t offset; /* position of the transaction in the content, or of its bytes in `prepared` */
    uint32_t size : 31;
    uint32_t late : 1; /* 1: sorted after entries of the same time with 0 */
} ftr_chunk_entry;

/* The bytes prepared for each transaction begin at a multiple of this size. Padding of less than
 * this size follows them. */
#define FTR_PREPARED_ALIGNMENT 8u

static inline size_t ftr_prepared_padding(size_t size)
{
    return (FTR_PREPARED_ALIGNMENT - size % FTR_PREPARED_ALIGNMENT) % FTR_PREPARED_ALIGNMENT;
}

/* Bytes made by the query's functions `prepare` and `conclude`. */
struct ftr_prepared {
    uint8_t *bytes;
    size_t size, capacity;
    bool failed; /* an append failed: out of memory */
};

/* A list of entries. `{0}` is empty. */
typedef struct ftr_chunk_entries {
    ftr_chunk_entry *list;
    size_t count, capacity;
    ftr_prepared prepared;
} ftr_chunk_entries;

/* Collects an entry for each requested transaction of a chunk, in stored order.
 * @param budget counts the memory of the list of entries
 * @param prepares true: calls the query's functions `prepare` and `conclude` with @p thread, and
 *                 the entries locate the prepared bytes. In each order, the entry of `conclude` is
 *                 the last one. false: the entries locate transactions
 * @return FTR_OK; FTR_ERR_LIMIT if the list exceeds the budget, or if the prepared bytes alone
 *         exceed it; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_chunk_collect(ftr_selection *selection, const ftr_chunk *chunk,
                                          const ftr_content *content, ftr_budget *budget,
                                          bool prepares, unsigned thread,
                                          ftr_chunk_entries *entries);

/* Calls the query's function `prepare` for a transaction.
 * @param[out] entry the location of the prepared bytes, if the function selects the transaction
 * @return FTR_OK; FTR_ERR_END if the function does not select the transaction; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_chunk_prepare(const ftr_selection *selection, unsigned thread,
                                          ftr_transaction *tx, ftr_prepared *prepared,
                                          ftr_chunk_entry *entry);

/* Calls the query's function `conclude`, if there is one, for the transactions that were prepared
 * since its last call with this @p thread.
 * @param[out] entry the location of the bytes that the function appended
 * @return FTR_OK; FTR_ERR_END if no bytes were appended; FTR_ERR_MEMORY */
ftr_status ftr_chunk_conclude(const ftr_selection *selection, unsigned thread,
                              ftr_prepared *prepared, ftr_chunk_entry *entry);

/* Sorts the entries by time. Among entries of the same time, late entries come last, and the others
 * are in the order of their offsets. */
void ftr_chunk_entries_sort(ftr_chunk_entry *list, size_t count);

#endif
