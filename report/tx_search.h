/* Tests whether transactions meet the conditions of a search, on several threads. */
#ifndef FTR_TX_SEARCH_H
#define FTR_TX_SEARCH_H

#include "search_conditions.h"

typedef struct ftr_searching_thread ftr_searching_thread;

/* `{0}` is released. */
typedef struct ftr_tx_search {
    const ftr_search_conditions *conditions; /* borrowed */
    int time_scale;
    uint32_t numeric;  /* a bit for each condition about the id or the duration */
    uint32_t by_state; /* a bit for each condition about errors and unfinished transactions */
    ftr_searching_thread *threads;
    unsigned thread_count;
} ftr_tx_search;

/* @return false if out of memory */
bool ftr_tx_search_init(ftr_tx_search *search, const ftr_search_conditions *conditions,
                        int time_scale, unsigned threads, size_t generators);

/* Returns true if a transaction meets all conditions. @param thread below the number of threads */
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
