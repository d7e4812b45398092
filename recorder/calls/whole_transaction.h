/* Records a whole transaction for a public call. */
#ifndef FTR_WHOLE_TRANSACTION_H
#define FTR_WHOLE_TRANSACTION_H

#include <ftr/transaction.h>

/* Like ftr_tx_record(), but messages about an invalid call contain the function name @p call. */
ftr_status ftr_record_for(const char *call, ftr_recorder *rec, ftr_generator generator,
                          uint64_t begin, uint64_t end, const ftr_value *values, size_t count,
                          ftr_tx *tx);

#endif
