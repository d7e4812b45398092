/* The answers of `ftr report --serve`: the page of a run, which follows the file while it grows,
 * and details of the run on demand (docs/report-format.md, "Requests"). */
#ifndef FTR_SERVED_RUN_H
#define FTR_SERVED_RUN_H

#include "run_report.h"
#include "printer.h"

/* Maximum numbers in one answer: transactions, and bins of a stream. */
#define FTR_SERVED_TRANSACTIONS_MAX 50000u
#define FTR_SERVED_BINS_MAX 4096u

typedef struct ftr_served_run {
    ftr_reader *reader; /* borrowed; the next two members, too */
    const ftr_report_options *options;
    const uint64_t *errors; /* number of findings with severity error */
    ftr_run_record run;     /* the figures in the page */
    /* the relations of the present page, which all answers use; if they are not complete, each
     * answer reads relations from the file */
    ftr_run_relations relations;
    ftr_text_buffer page;
    uint64_t revision; /* number of the present page, from 1 */
    bool is_live;      /* the file is not closed */
} ftr_served_run;

/* A range of time, and one stream or all streams. */
typedef struct ftr_tile_request {
    uint64_t from, to;
    size_t limit; /* maximum number of transactions, or of bins */
    bool one_stream;
    /* if `one_stream`: index in ftr_served_run.run.streams, which is also the index in the JSON of
     * the page */
    uint32_t stream;
} ftr_tile_request;

/* Makes the page. @return FTR_OK; FTR_ERR_MEMORY, without a page; or the error that ended reading,
 * with a page of the part before the error */
FTR_MUST_USE ftr_status ftr_served_run_make(ftr_served_run *served);

/* Makes the page again if the file has grown. @param[out] changed untouched on error */
FTR_MUST_USE ftr_status ftr_served_run_refresh(ftr_served_run *served, bool *changed);

/* Appends the whole transactions that overlap [from, to] to @p answer. */
FTR_MUST_USE ftr_status ftr_served_transactions(ftr_served_run *served,
                                                const ftr_tile_request *request,
                                                ftr_text_buffer *answer);

/* Appends a transaction, and the transactions with a relation to or from it, to @p answer. */
FTR_MUST_USE ftr_status ftr_served_transaction(ftr_served_run *served, uint64_t id,
                                               ftr_text_buffer *answer);

/* Appends the bins of all streams for a range of time to @p answer. */
FTR_MUST_USE ftr_status ftr_served_bins(ftr_served_run *served, const ftr_tile_request *request,
                                        ftr_text_buffer *answer);

/* Appends an answer with transactions. @param run the figures in the page
 * @param put_members writes members before `transactions`
 * @return FTR_OK; FTR_ERR_MEMORY; or the error that ended reading */
FTR_MUST_USE ftr_status ftr_served_answer_transactions(
    const ftr_run_record *run, const ftr_run_relations *relations, ftr_kept_transactions *kept,
    void (*put_members)(const void *user, ftr_json *json), const void *user,
    ftr_text_buffer *answer);

void ftr_served_run_release(ftr_served_run *served);

#endif
