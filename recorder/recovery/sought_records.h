/* A sorted list of the transactions and relations of a journal. An entry is marked if it is in a
 * file of the trace. */
#ifndef FTR_SOUGHT_RECORDS_H
#define FTR_SOUGHT_RECORDS_H

#include "journal_image.h"

typedef struct ftr_sought_tx {
    uint64_t id;
    bool is_in_trace;
    /* the transaction is in the file before the current one, if the trace has several files */
    bool is_in_file_before;
} ftr_sought_tx;

/* All records of one relation, because the same relation may have been recorded several times. */
typedef struct ftr_sought_relation {
    uint64_t from;
    uint64_t to;
    ftr_relation relation;
    uint64_t in_trace;       /* number of occurrences of the relation in the current file */
    uint64_t in_file_before; /* number of occurrences in the file before the current one */
} ftr_sought_relation;

typedef struct ftr_sought_records {
    ftr_sought_tx *transactions; /* also contains both transactions of each relation */
    size_t transaction_count;
    size_t transaction_capacity;
    ftr_sought_relation *relations;
    size_t relation_count;
    size_t relation_capacity;
    uint64_t torn; /* number of incomplete records and slots */
    uint64_t rest; /* maximum number of records in parts of blocks that could not be read */
    /* ids of the transactions in incomplete records and slots; `transactions` contains these ids,
     * too */
    uint64_t *torn_ids;
    size_t torn_count;
    /* highest transaction id in the journal and in the files, including ids in relations */
    uint64_t highest_id;
} ftr_sought_records;

/* Fills the list with the records and open transactions of the journal. FTR_ERR_MEMORY. */
FTR_MUST_USE ftr_status ftr_sought_list(ftr_sought_records *sought, const ftr_journal_image *image);

/* Return the entry of a transaction or relation in the list; NULL if the list does not contain
 * it. */
ftr_sought_tx *ftr_sought_find_tx(const ftr_sought_records *sought, uint64_t id);
ftr_sought_relation *ftr_sought_find_relation(const ftr_sought_records *sought, uint64_t from,
                                              uint64_t to, ftr_relation relation);

/* Returns false if the list does not contain the transaction. May be called on several threads
 * while the list does not change. */
bool ftr_sought_may_have_tx(const ftr_sought_records *sought, uint64_t id);

/* Mark a transaction or relation as present in the current file. If the list does not contain it,
 * only `highest_id` may change. */
void ftr_sought_mark_tx(ftr_sought_records *sought, uint64_t id);
void ftr_sought_mark_relation(ftr_sought_records *sought, uint64_t from, uint64_t to,
                              ftr_relation relation);

/* Stores @p id as the highest id, if it is. */
void ftr_sought_note_id(ftr_sought_records *sought, uint64_t id);

/* Removes the marks of the current file. */
void ftr_sought_clear(ftr_sought_records *sought);

/* Converts the marks of the current file into marks of the preceding file. Called before the next
 * file is read. */
void ftr_sought_next_file(ftr_sought_records *sought);

/* Returns the number of transactions whose record or slot is incomplete and that are not marked.
 * Marks these transactions, so a second call returns 0. */
uint64_t ftr_sought_count_lost(ftr_sought_records *sought);

void ftr_sought_release(ftr_sought_records *sought);

#endif
