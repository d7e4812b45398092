/* The form of answers with data: a manifest and a block (docs/report-format.md, "Requests"). */
#ifndef FTR_SERVED_ANSWER_H
#define FTR_SERVED_ANSWER_H

#include "data_block.h"
#include "kept_transactions.h"
#include "run_record.h"
#include "run_relations.h"
#include "printer.h"

/* Ends the manifest, and appends manifest and block to the answer.
 * @param manifest receives the bytes that @p json prints
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_served_answer_put(ftr_text_buffer *manifest, ftr_json *json,
                                              const ftr_data_block *block, ftr_text_buffer *answer);

/* Appends an answer with transactions. @param run the figures in the page
 * @param put_members writes members before `transactions`
 * @return FTR_OK; FTR_ERR_MEMORY; or the error that ended reading */
FTR_MUST_USE ftr_status ftr_served_answer_transactions(
    const ftr_run_record *run, const ftr_run_relations *relations, ftr_kept_transactions *kept,
    void (*put_members)(const void *user, ftr_json *json), const void *user,
    ftr_text_buffer *answer);

#endif
