/* Folds a recording of TLM-2.0 calls into accesses: the transactions in N_bl, N_bl_timed, N_nb and
 * N_nb_timed that belong to one access become one access. The calls in N_dmi and N_dbg are renamed.
 * Transactions are read in the order of their ends, so the memory depends on the number of accesses
 * that are open at one time, not on the length of the trace. */
#ifndef FTR_CALL_FOLDING_H
#define FTR_CALL_FOLDING_H

#include "fold_output.h"

/* Folds all transactions in streams of calls. Each of them becomes a part of an access, or is
 * absorbed (ftr_fold_absorb()), or is reported to sink->skip().
 * @param ids receives, for each folded transaction, the transaction of the sink; see
 * ftr_fold_find()
 * @return FTR_OK; FTR_ERR_STATE: the sink has stopped; FTR_ERR_IO with errno set: the temporary
 * file of @p ids; or an error of the reader */
ftr_status ftr_calls_fold(ftr_reader *reader, const ftr_fold_sink *sink, ftr_id_file *ids,
                          ftr_fold_counts *counts);

#endif
