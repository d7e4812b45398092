/* Transactions by id: those that relations need, those that are open. */
#ifndef FTR_TX_TABLE_H
#define FTR_TX_TABLE_H

#include <ftr/reader.h>

/* What is kept of one is its owner's. */
typedef struct ftr_tx_entry {
    uint64_t id;
    bool taken;   /* the slot holds one */
    bool related; /* a relation names it: it stays */
    ftr_tx tx;    /* in an FTR file that is written */
    uint64_t time;
    uint32_t owner; /* a generator, a track */
    uint8_t state;
} ftr_tx_entry;

typedef struct ftr_tx_table {
    ftr_tx_entry *slots; /* open addressing */
    size_t count, capacity;
} ftr_tx_table;

/* @return NULL when there is none of this id */
ftr_tx_entry *ftr_tx_table_find(const ftr_tx_table *table, uint64_t id);
/* The entry of this id, new or not; valid until the next add or remove. NULL without memory. */
ftr_tx_entry *ftr_tx_table_add(ftr_tx_table *table, uint64_t id);
void ftr_tx_table_remove(ftr_tx_table *table, ftr_tx_entry *entry);
void ftr_tx_table_release(ftr_tx_table *table);

/* Adds both ends of every relation of a file. @return as ftr_relation_cursor_next(), OK at the end
 */
ftr_status ftr_tx_table_add_related(ftr_tx_table *table, ftr_reader *reader);

#endif
