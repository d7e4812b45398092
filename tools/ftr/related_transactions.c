/* Finds related transactions step by step. The relations of a file are not sorted, so those of many
 * transactions are found in one pass over all of them: the cost of a step does not depend on the
 * number of its transactions. */
#include "related_transactions.h"

/* Up to this number, the relations of each transaction are read on their own: after the first pass,
 * the reader skips the chunks without them, so that a small tree in a large file needs few
 * chunks. */
#define SINGLE_MAX 4

static ftr_status add_transaction(ftr_related *related, uint64_t id, size_t *index)
{
    const uint64_t known = ftr_id_index_get(&related->index_of, id);
    if (known != FTR_ID_NONE) {
        *index = (size_t)known;
        return FTR_OK;
    }
    ftr_status status = ftr_array_reserve(&related->budget, &related->txs, &related->tx_capacity,
                                          related->tx_count + 1, sizeof *related->txs);
    if (status == FTR_OK)
        status = ftr_id_index_put(&related->index_of, &related->budget, id, related->tx_count);
    if (status != FTR_OK)
        return status;
    *index = related->tx_count++;
    related->txs[*index] = (ftr_related_tx){.id = id};
    return FTR_OK;
}

static ftr_status keep_relation(ftr_related *related, size_t index,
                                const ftr_relation_info *relation, bool outgoing)
{
    const bool is_named = relation->name.data != NULL;
    size_t other;
    ftr_status status =
        add_transaction(related, outgoing ? relation->to_tx : relation->from_tx, &other);
    if (status == FTR_OK)
        status = ftr_array_reserve(&related->budget, &related->ends, &related->end_capacity,
                                   related->end_count + 1, sizeof *related->ends);
    if (status != FTR_OK)
        return status;
    const ftr_name *name = ftr_names_intern(&related->names, is_named ? relation->name.data : "?",
                                            is_named ? relation->name.size : 1);
    if (name == NULL)
        return FTR_ERR_MEMORY;
    related->ends[related->end_count++] =
        (ftr_relation_end){.name = name, .other = other, .outgoing = outgoing};
    ftr_related_tx *tx = &related->txs[index];
    if (tx->last > 0)
        related->ends[tx->last - 1].next = related->end_count;
    else
        tx->first = related->end_count;
    tx->last = related->end_count;
    return FTR_OK;
}

/* Adds the relation to the transaction @p id, if its relations are sought: if its index is in
 * [from, to). */
static ftr_status add_end(ftr_related *related, uint64_t id, size_t from, size_t to,
                          const ftr_relation_info *relation, bool outgoing)
{
    const uint64_t index = ftr_id_index_get(&related->index_of, id);
    if (index == FTR_ID_NONE || index < from || index >= to)
        return FTR_OK;
    return related->txs[index].count++ < FTR_RELATIONS_KEPT_MAX
               ? keep_relation(related, (size_t)index, relation, outgoing)
               : FTR_OK;
}

/* Reads relations, all or those of one transaction, and keeps those of the transactions in
 * [from, to). */
static ftr_status read_relations(ftr_related *related, size_t from, size_t to)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    ftr_status status =
        ftr_relation_cursor_open(related->reader, to - from == 1, related->txs[from].id, &cursor);
    if (status != FTR_OK)
        return status;
    while (status == FTR_OK && (status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK) {
        status = add_end(related, relation.from_tx, from, to, &relation, true);
        if (status == FTR_OK && relation.to_tx != relation.from_tx)
            status = add_end(related, relation.to_tx, from, to, &relation, false);
    }
    ftr_relation_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

static ftr_status search_step(ftr_related *related)
{
    const size_t to = related->tx_count;
    const size_t step = to - related->searched > SINGLE_MAX ? to - related->searched : 1;
    ftr_status status = FTR_OK;
    for (; status == FTR_OK && related->searched < to; related->searched += step)
        status = read_relations(related, related->searched, related->searched + step);
    return status;
}

ftr_status ftr_related_find(ftr_related *related, ftr_reader *reader, uint64_t id, unsigned depth,
                            size_t memory)
{
    size_t index;
    *related = (ftr_related){.reader = reader, .budget.limit = memory};
    ftr_status status = add_transaction(related, id, &index);
    for (unsigned step = 0; step < depth && status == FTR_OK; step++)
        status = search_step(related);
    return status;
}

void ftr_related_release(ftr_related *related)
{
    ftr_array_release(&related->budget, related->txs, related->tx_capacity, sizeof *related->txs);
    ftr_array_release(&related->budget, related->ends, related->end_capacity,
                      sizeof *related->ends);
    ftr_id_index_release(&related->index_of, &related->budget);
    ftr_names_release(&related->names);
}
