/* Owns the look-up of transactions by id. */
#include "tx_table.h"

#include "each_relation.h"
#include "hash.h"

#include <stdlib.h>

static size_t home_of(const ftr_tx_table *table, uint64_t id)
{
    return ftr_hash_slot(id, table->capacity);
}

/* Returns the slot of @p id, or the free slot where it would be inserted. At least one slot is
 * free. */
static ftr_tx_entry *slot_of(const ftr_tx_table *table, uint64_t id)
{
    size_t at = home_of(table, id);
    while (table->slots[at].taken && table->slots[at].id != id)
        at = (at + 1) & (table->capacity - 1);
    return &table->slots[at];
}

ftr_tx_entry *ftr_tx_table_find(const ftr_tx_table *table, uint64_t id)
{
    if (table->count == 0)
        return NULL;
    ftr_tx_entry *slot = slot_of(table, id);
    return slot->taken ? slot : NULL;
}

static bool grow(ftr_tx_table *table)
{
    const ftr_tx_table old = *table;
    const size_t capacity = old.capacity > 0 ? old.capacity * 2 : 256;
    ftr_tx_entry *slots = calloc(capacity, sizeof *slots);
    if (slots == NULL)
        return false;
    table->slots = slots;
    table->capacity = capacity;
    for (size_t i = 0; i < old.capacity; i++)
        if (old.slots[i].taken)
            *slot_of(table, old.slots[i].id) = old.slots[i];
    free(old.slots);
    return true;
}

ftr_tx_entry *ftr_tx_table_add(ftr_tx_table *table, uint64_t id)
{
    if ((table->count + 1) * 4 > table->capacity * 3 && !grow(table))
        return NULL;
    ftr_tx_entry *slot = slot_of(table, id);
    if (!slot->taken) {
        *slot = (ftr_tx_entry){.id = id, .taken = true};
        table->count++;
    }
    return slot;
}

/* Moves entries back that a probe would not find after the removal. */
void ftr_tx_table_remove(ftr_tx_table *table, ftr_tx_entry *entry)
{
    const size_t mask = table->capacity - 1;
    size_t hole = (size_t)(entry - table->slots);
    for (size_t at = (hole + 1) & mask; table->slots[at].taken; at = (at + 1) & mask) {
        const size_t home = home_of(table, table->slots[at].id);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            table->slots[hole] = table->slots[at];
            hole = at;
        }
    }
    table->slots[hole].taken = false;
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
