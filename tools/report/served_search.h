/* A search over all transactions of the file, for the page of `ftr report --serve`. It runs only
 * while a request waits for its answer, for a limited time, and continues with the next request.
 * Memory is limited: a search keeps only the first matches. */
#ifndef FTR_SERVED_SEARCH_H
#define FTR_SERVED_SEARCH_H

#include "served_run.h"
#include "tx_search.h"

/* Maximum number of matches in an answer. All matches are counted. */
#define FTR_SERVED_MATCHES_MAX 2000u

typedef struct ftr_search_match {
    uint64_t begin, id;
    uint64_t chunk_offset, chunk_within; /* as in ftr_transaction */
} ftr_search_match;

/* `{0}` is a search that has ended. It must not be moved while it runs. */
typedef struct ftr_served_search {
    ftr_served_run *served; /* borrowed */
    uint64_t number;        /* number of the search, from 1 */
    ftr_tx_search test;
    ftr_cursor *cursor;      /* NULL: the search is complete, or has ended */
    bool is_complete;        /* all transactions of the file were tested */
    uint64_t tested, count;  /* tested transactions, and matches */
    ftr_search_match *first; /* the first matches by begin and id; a heap, the last one on top */
    size_t first_count;
    bool is_changed; /* the first matches changed after the latest answer that contains them */
    /* earliest time of the next answer with matches while the search is not complete, in ms of the
     * monotonic clock */
    uint64_t not_before;
} ftr_served_search;

/* Begins a search; the former one must have ended. After an error, no search is active.
 * @param condition valid UTF-8
 * @return FTR_OK; FTR_ERR_FORMAT, and @p error is set; FTR_ERR_MEMORY; an error of the reader */
FTR_MUST_USE ftr_status ftr_served_search_begin(ftr_served_search *search, ftr_served_run *served,
                                                const char *condition, ftr_condition_error *error);

/* Tests transactions for about @p milliseconds, but at most @p limit transactions.
 * @return FTR_OK, or the error that ended reading; then the search has ended */
FTR_MUST_USE ftr_status ftr_served_search_continue(ftr_served_search *search, unsigned milliseconds,
                                                   uint64_t limit);

/* Returns true if the search with this number can continue, or is complete. */
bool ftr_served_search_is(const ftr_served_search *search, uint64_t number);

/* Appends the state of the search to @p answer. If the search is complete, also appends the first
 * matches. Before that, appends the first of the matches found so far if they have changed, but so
 * seldom that these answers take only a limited share of the time.
 * @return FTR_OK; FTR_ERR_MEMORY; or the error that ended reading */
FTR_MUST_USE ftr_status ftr_served_search_answer(ftr_served_search *search,
                                                 ftr_text_buffer *answer);

/* Ends the search, and frees its memory. The number of the next search is still a new one. */
void ftr_served_search_end(ftr_served_search *search);

#endif
