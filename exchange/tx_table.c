/* Transactions by their id, and the loop over the relations of a file. */
#include "tx_table.h"

#include "hash.h"
#include "open_table.h"

#include <stdlib.h>

ftr_status ftr_each_relation(ftr_reader *reader, ftr_visit_relation *visit, void *user)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    ftr_status status = ftr_relation_cursor_open(reader, false, 0, &cursor);
    if (status != FTR_OK)
        return status;
    while ((status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK)
        if ((status = visit(user, &relation)) != FTR_OK)
            break;
    ftr_relation_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

#define CAPACITY_MIN 256

static bool is_free(const void *entry)
{
    return !((const ftr_tx_entry *)entry)->taken;
}

static const ftr_table_rule RULE = {sizeof(ftr_tx_entry), 0, is_free, ftr_table_has_number,
                                    ftr_table_hash_number};

static ftr_tx_entry *slot_of(const ftr_tx_table *table, uint64_t id)
{
    return ftr_table_search(&RULE, table->slots, table->capacity, ftr_hash_number(id), &id);
}

ftr_tx_entry *ftr_tx_table_find(const ftr_tx_table *table, uint64_t id)
{
    if (table->count == 0)
        return NULL;
    ftr_tx_entry *slot = slot_of(table, id);
    return slot->taken ? slot : NULL;
}

ftr_tx_entry *ftr_tx_table_add(ftr_tx_table *table, uint64_t id)
{
    if (!ftr_table_grow(&RULE, &table->slots, &table->capacity, table->count, CAPACITY_MIN))
        return NULL;
    ftr_tx_entry *slot = slot_of(table, id);
    if (!slot->taken) {
        *slot = (ftr_tx_entry){.id = id, .taken = true};
        table->count++;
    }
    return slot;
}

void ftr_tx_table_remove(ftr_tx_table *table, ftr_tx_entry *entry)
{
    ftr_table_remove(&RULE, table->slots, table->capacity, entry);
    table->count--;
}

void ftr_tx_table_release(ftr_tx_table *table)
{
    free(table->slots);
    *table = (ftr_tx_table){0};
}

static ftr_status add_ends(void *user, const ftr_relation_info *relation)
{
    const uint64_t ends[] = {relation->from_tx, relation->to_tx};
    for (unsigned i = 0; i < 2; i++) {
        ftr_tx_entry *entry = ftr_tx_table_add(user, ends[i]);
        if (entry == NULL)
            return FTR_ERR_MEMORY;
        entry->related = true;
    }
    return FTR_OK;
}

ftr_status ftr_tx_table_add_related(ftr_tx_table *table, ftr_reader *reader)
{
    return ftr_each_relation(reader, add_ends, table);
}
