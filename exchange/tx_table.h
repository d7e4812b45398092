/* A hash table that maps ids to transactions, for relations and for open transactions. Some files
 * of this room store other objects in it, under keys instead of ids. This header also declares the
 * loop over the relations of a file. */
#ifndef FTR_TX_TABLE_H
#define FTR_TX_TABLE_H

#include <ftr/reader.h>
#include <ftr/recorder.h>

/* The caller defines the meaning of `owner`, `time` and `state`. */
typedef struct ftr_tx_entry {
    uint64_t id;  /* must be the first member */
    bool taken;   /* the entry is in use */
    bool related; /* a relation refers to the transaction, so the entry is kept */
    ftr_tx tx;    /* handle in the written FTR file */
    uint64_t time;
    uint32_t owner; /* for example a generator or a track */
    uint8_t state;
} ftr_tx_entry;

typedef struct ftr_tx_table {
    ftr_tx_entry *slots; /* open addressing */
    size_t count, capacity;
} ftr_tx_table;

/* Returns the entry of this id; NULL if there is none */
ftr_tx_entry *ftr_tx_table_find(const ftr_tx_table *table, uint64_t id);
/* Returns the entry of this id. Adds an entry if there is none. The entry is valid until the next
 * add or remove. NULL if out of memory. */
ftr_tx_entry *ftr_tx_table_add(ftr_tx_table *table, uint64_t id);
void ftr_tx_table_remove(ftr_tx_table *table, ftr_tx_entry *entry);
void ftr_tx_table_release(ftr_tx_table *table);

/* Adds both transactions of every relation of a file. @return FTR_OK, or an error of
 * ftr_relation_cursor_next() */
ftr_status ftr_tx_table_add_related(ftr_tx_table *table, ftr_reader *reader);

/* @return FTR_OK to continue the loop; FTR_ERR_END to end it without an error; another status to
 * end it with this error */
typedef ftr_status ftr_visit_relation(void *user, const ftr_relation_info *relation);

/* Calls @p visit for each relation of a file. @return FTR_OK; an error of @p visit or of
 * ftr_relation_cursor_next() */
ftr_status ftr_each_relation(ftr_reader *reader, ftr_visit_relation *visit, void *user);

#endif
