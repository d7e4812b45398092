/* The transactions and relations of a journal, sorted, and in which files of the trace they are. */
#ifndef FTR_SOUGHT_RECORDS_H
#define FTR_SOUGHT_RECORDS_H

#include "journal_image.h"

typedef struct ftr_sought_tx {
    uint64_t id;
    bool is_in_trace;
    bool is_in_file_before; /* for a trace of several files: it is in the preceding file */
} ftr_sought_tx;

/* The same relation may have been recorded several times. */
typedef struct ftr_sought_relation {
    uint64_t from;
    uint64_t to;
    ftr_relation relation;
    uint64_t in_trace; /* number of occurrences in the trace */
    uint64_t in_file_before;
} ftr_sought_relation;

typedef struct ftr_sought_records {
    ftr_sought_tx *transactions; /* including both ends of each relation */
    size_t transaction_count;
    size_t transaction_capacity;
    ftr_sought_relation *relations;
    size_t relation_count;
    size_t relation_capacity;
    uint64_t torn;       /* number of incomplete records and slots, which are not listed */
    uint64_t highest_id; /* of all transactions in the journal and in the files */
} ftr_sought_records;

/* Lists the records and the open transactions of the journal. FTR_ERR_MEMORY. */
FTR_MUST_USE ftr_status ftr_sought_list(ftr_sought_records *sought, const ftr_journal_image *image);

/* Returns NULL if the journal does not contain the transaction or relation. */
ftr_sought_tx *ftr_sought_find_tx(const ftr_sought_records *sought, uint64_t id);
ftr_sought_relation *ftr_sought_find_relation(const ftr_sought_records *sought, uint64_t from,
                                              uint64_t to, ftr_relation relation);

/* Marks a transaction or relation that is in the trace. If the journal does not contain it, only
 * its ids are used, for the highest id. */
void ftr_sought_mark_tx(ftr_sought_records *sought, uint64_t id);
void ftr_sought_mark_relation(ftr_sought_records *sought, uint64_t from, uint64_t to,
                              ftr_relation relation);

/* Removes the marks of the trace. */
void ftr_sought_clear(ftr_sought_records *sought);

/* The marked transactions and relations are those of the preceding file. */
void ftr_sought_next_file(ftr_sought_records *sought);

void ftr_sought_release(ftr_sought_records *sought);

#endif
