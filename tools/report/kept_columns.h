/* Packs the whole transactions of a report and their relations into columns. */
#ifndef FTR_KEPT_COLUMNS_H
#define FTR_KEPT_COLUMNS_H

#include "data_block.h"
#include "kept_transactions.h"
#include "run_relations.h"

/* Writes the member `transactions` of the open object, after ftr_kept_settle().
 * @param all the relations of the run; if NULL or incomplete, relations are read from the file
 * @param numbers generator indices in the manifest; index: number in the collector
 * @param threads maximum number of threads; 0: one
 * @return FTR_OK; FTR_ERR_MEMORY; or the error that ended reading the relations */
FTR_MUST_USE ftr_status ftr_kept_print(const ftr_kept_transactions *kept,
                                       const ftr_run_relations *all, const uint32_t *numbers,
                                       unsigned threads, ftr_data_block *block, ftr_json *json);

#endif
