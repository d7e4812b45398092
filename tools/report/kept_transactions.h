/* The transactions that a report shows whole: all if they fit, otherwise a selection
 * (docs/report-format.md, `transactions`). The selection consists of the slowest transactions, the
 * transactions with defects, relatives, and a sample of families. If the memory limit is reached,
 * the sample is reduced, at most to nothing; fixed numbers limit the rest. */
#ifndef FTR_KEPT_TRANSACTIONS_H
#define FTR_KEPT_TRANSACTIONS_H

#include "data_block.h"
#include "family_walk.h"
#include "id_index.h"
#include "name_table.h"
#include "kept_bounds.h"
#include "run_relations.h"
#include "run_record.h"

#include <ftr/reader.h>

/* The reasons for which a transaction is kept, as in the column `flags`. */
enum {
    FTR_KEPT_ERROR = 1,
    FTR_KEPT_UNFINISHED = 2,
    FTR_KEPT_SLOWEST = 4,
    FTR_KEPT_RELATIVE = 8,
    FTR_KEPT_SAMPLE = 16
};

/* The form of a value, as in the column `form`. */
enum {
    FTR_KEPT_NONE,
    FTR_KEPT_BOOLEAN,
    FTR_KEPT_INTEGER,
    FTR_KEPT_NUMBER,
    FTR_KEPT_DOUBLE,
    FTR_KEPT_TEXT,
    FTR_KEPT_SINGLE
};

#define FTR_KEPT_NO_TEXT UINT32_MAX

typedef struct ftr_kept_attribute {
    uint64_t value;
    uint32_t name; /* number of the text */
    uint8_t class_, type, form;
} ftr_kept_attribute;

/* The state of the member `parent` of a kept transaction. */
typedef enum ftr_kept_parentage {
    FTR_KEPT_NO_PARENT,
    FTR_KEPT_PARENT_KNOWN,
    FTR_KEPT_PARENT_UNKNOWN /* look it up in the table of families */
} ftr_kept_parentage;

typedef struct ftr_kept_tx {
    uint64_t id, begin, duration;
    uint64_t family; /* hash of the family */
    uint64_t slow;   /* for a relative: id of the slow transaction */
    uint64_t parent; /* id; valid for FTR_KEPT_PARENT_KNOWN */
    uint32_t generator;
    uint32_t attribute_first, attribute_count;
    uint8_t reasons; /* FTR_KEPT_... */
    bool error, unfinished;
    uint8_t parentage; /* ftr_kept_parentage */
} ftr_kept_tx;

/* A relative of a slow transaction. Its attributes were not copied when it was read, so they are
 * fetched later. */
typedef struct ftr_missed_tx {
    ftr_tx_position position;
    ftr_report_tx tx;
    uint64_t root, slow;
} ftr_missed_tx;

/* The slowest transactions of a generator, and the numbers of transactions that are kept because of
 * a defect. */
typedef struct ftr_kept_generator {
    ftr_slowest slowest;
    uint32_t errors, unfinished;
} ftr_kept_generator;

/* Size of the caches `names` and `values`. */
#define FTR_KEPT_NAMES 64u

/* The number of a text in `texts`. */
typedef struct ftr_known_text {
    bool is_known;
    uint32_t number;
    uint64_t id; /* id of the text in the reader */
} ftr_known_text;

typedef struct ftr_kept_transactions {
    ftr_reader *reader; /* borrowed */
    size_t memory;      /* limit in bytes */
    uint64_t expected;  /* size of all transactions in expanded chunks, in bytes; 0: unknown */
    uint64_t encoded;   /* approximate size of the kept transactions in expanded chunks, in bytes */
    bool is_estimated;  /* the memory of all transactions was estimated */
    ftr_kept_bounds bounds; /* families with a hash up to bounds.threshold are in the sample */
    uint64_t offered;
    uint64_t errors, unfinished; /* number of transactions that are kept for this reason */
    ftr_kept_tx *txs;            /* in the order in which they were read */
    size_t count, capacity;
    uint32_t *order; /* the places in `txs`, in order of begin; NULL before ftr_kept_settle() */
    ftr_kept_attribute *attributes;
    size_t attribute_count, attribute_capacity;
    ftr_names texts;
    size_t text_size;
    /* Caches of the numbers of texts: `names` for names of attributes, `values` for values of
     * attributes. Index: id of the text in the reader % FTR_KEPT_NAMES. */
    ftr_known_text names[FTR_KEPT_NAMES], values[FTR_KEPT_NAMES];
    ftr_kept_generator *generators; /* index: number in the collector */
    size_t generator_count;
    ftr_missed_tx *missed;
    size_t missed_count, missed_capacity;
    bool is_missing_all; /* calling remove_missed() again is useless: it would remove few missed
                            transactions */
} ftr_kept_transactions;

/* A transaction that may be selected. */
typedef struct ftr_offered_tx {
    ftr_report_tx figures;
    uint32_t generator;            /* index of the generator in the reader */
    ftr_tx_position position;      /* valid if the transaction has a family */
    const ftr_family_entry *entry; /* relations of the transaction; NULL: it has none */
    bool has_attributes; /* false: the transaction was outside the bounds when it was read */
    const void *attributes, *attributes_end; /* copies of the attributes (report_attributes.h) */
} ftr_offered_tx;

/* @param memory limit in bytes
 * @param expected size of the transactions in expanded chunks, in bytes; 0: unknown. If the memory
 * does not suffice for all transactions, the sample is smaller from the start.
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_kept_init(ftr_kept_transactions *kept, ftr_reader *reader,
                                      size_t memory, uint64_t expected);

/* Adds the next transaction, in order of begin, if it belongs to the selection.
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_kept_offer(ftr_kept_transactions *kept, const ftr_offered_tx *tx,
                                       const ftr_family_member *family);

/* Adds a transaction unconditionally. The transactions may be added in any order. @param figures
 * figures->generator is the index of the generator in the reader
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_kept_add(ftr_kept_transactions *kept, const ftr_report_tx *figures,
                                     ftr_transaction *tx);

/* Fetches the missed relatives of slow transactions, and computes the order of begin.
 * @return FTR_OK; FTR_ERR_MEMORY; or the error that ended reading */
FTR_MUST_USE ftr_status ftr_kept_settle(ftr_kept_transactions *kept);

/* Counts a transaction that is outside the bounds and not a relative of a slow transaction. */
static inline void ftr_kept_pass_over(ftr_kept_transactions *kept)
{
    kept->offered++;
}

/* Reduces the sample to about @p part of its size. @p part is less than 1.
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_kept_reduce(ftr_kept_transactions *kept, double part);

/* Returns the greatest hash of sampled families. */
uint64_t ftr_kept_threshold(const ftr_kept_transactions *kept);

/* Returns true if all offered transactions are kept. */
bool ftr_kept_is_complete(const ftr_kept_transactions *kept);

/* Returns N if one in N families is in the sample; 0 if the sample is empty. */
double ftr_kept_sample(const ftr_kept_transactions *kept);

/* Returns the slowest transactions of a generator. */
const ftr_slowest *ftr_kept_slowest(const ftr_kept_transactions *kept, size_t generator);

/* Writes the member `transactions` of the open object, after ftr_kept_settle().
 * @param all the relations of the run; if NULL or incomplete, relations are read from the file
 * @param numbers generator indices in the manifest; index: number in the collector
 * @param threads maximum number of threads; 0: one
 * @return FTR_OK; FTR_ERR_MEMORY; or the error that ended reading the relations */
FTR_MUST_USE ftr_status ftr_kept_print(const ftr_kept_transactions *kept,
                                       const ftr_run_relations *all, const uint32_t *numbers,
                                       unsigned threads, ftr_data_block *block, ftr_json *json);

void ftr_kept_release(ftr_kept_transactions *kept);

#endif
