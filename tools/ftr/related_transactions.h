/* The transactions that are related to a transaction, directly or over other transactions. */
#ifndef FTR_RELATED_TRANSACTIONS_H
#define FTR_RELATED_TRANSACTIONS_H

#include <ftr/reader.h>

#include "growing_array.h"
#include "id_index.h"
#include "name_table.h"

/* Number of relations kept for one transaction: a transaction may be the parent of millions. */
#define FTR_RELATIONS_KEPT_MAX 1000

/* A relation, seen from one of its two transactions. */
typedef struct ftr_relation_end {
    const ftr_name *name;
    size_t other; /* index of the other transaction */
    size_t next;  /* index of the next relation of the same transaction + 1; 0: none */
    bool outgoing;
} ftr_relation_end;

typedef struct ftr_related_tx {
    uint64_t id;
    uint64_t count;     /* number of its relations, of which the first ones are kept */
    size_t first, last; /* indices of its relations + 1; 0: none are kept */
} ftr_related_tx;

typedef struct ftr_related {
    ftr_reader *reader;
    ftr_budget budget;
    ftr_related_tx *txs; /* in order of their distance; index 0: the transaction of the search */
    size_t tx_count, tx_capacity;
    size_t searched; /* number of transactions whose relations are known */
    ftr_relation_end *ends;
    size_t end_count, end_capacity;
    ftr_id_index index_of; /* id to index in `txs` */
    ftr_names names;
} ftr_related;

/* Finds the transactions up to the distance @p depth, in relations. Of each transaction, the
 * first FTR_RELATIONS_KEPT_MAX relations are kept and followed; the others are counted.
 * @param memory bytes for the result
 * @return FTR_OK; FTR_ERR_LIMIT if @p memory does not suffice; or an error of the reader */
FTR_MUST_USE ftr_status ftr_related_find(ftr_related *related, ftr_reader *reader, uint64_t id,
                                         unsigned depth, size_t memory);
void ftr_related_release(ftr_related *related);

#endif
