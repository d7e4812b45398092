/* Tests whether transactions meet the condition of a search (docs/conditions.md), on several
 * threads. */
#ifndef FTR_TX_SEARCH_H
#define FTR_TX_SEARCH_H

#include "condition.h"

/* Maximum number of texts (words and shown values) in a condition, and maximum size of a
 * condition. */
#define FTR_SEARCH_TEXTS_MAX 32u
#define FTR_SEARCH_SIZE_MAX ((size_t)4096)

typedef struct ftr_searched_texts ftr_searched_texts;
typedef struct ftr_searching_thread ftr_searching_thread;

/* `{0}` is released. */
typedef struct ftr_tx_search {
    ftr_condition condition;
    char *folded; /* copy of the condition in lower case */
    int time_scale;
    bool has_fields; /* a part of the condition needs no attributes; this part is tested first */
    ftr_searched_texts *texts;
    ftr_searching_thread *threads;
    unsigned thread_count;
} ftr_tx_search;

/* @param text valid UTF-8
 * @param search must be released, also after an error
 * @return FTR_OK; FTR_ERR_FORMAT, and @p error is set; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_tx_search_init(ftr_tx_search *search, const char *text, int time_scale,
                                           unsigned threads, size_t generators,
                                           ftr_condition_error *error);

/* Returns true if a transaction meets the condition. @param thread below the number of threads */
bool ftr_tx_search_meets(ftr_tx_search *search, unsigned thread, ftr_reader *reader,
                         ftr_transaction *tx);

/* The state of a transaction, as the page shows it. */
typedef struct ftr_tx_state {
    bool error, unfinished;
} ftr_tx_state;

/* Reads the attributes of a transaction to find its state, then rewinds the transaction. */
ftr_tx_state ftr_tx_state_of(ftr_reader *reader, ftr_transaction *tx);

void ftr_tx_search_release(ftr_tx_search *search);

#endif
