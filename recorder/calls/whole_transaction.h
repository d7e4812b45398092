/* Records a whole transaction for a public call. */
#ifndef FTR_WHOLE_TRANSACTION_H
#define FTR_WHOLE_TRANSACTION_H

#include <ftr/event.h>

/* The attributes of a whole transaction. */
typedef struct ftr_whole_values {
    const ftr_value *declared; /* values of the first declared attributes */
    size_t count;
    const ftr_named_value *named; /* further values, of the class RECORD */
    size_t named_count;
} ftr_whole_values;

/* Like ftr_tx_record(), but messages about an invalid call contain the function name @p call. */
ftr_status ftr_record_for(const char *call, ftr_recorder *rec, ftr_generator generator,
                          uint64_t begin, uint64_t end, const ftr_whole_values *values, ftr_tx *tx);

/* Like ftr_tx_record_words(), but messages about an invalid call contain the function name @p
 * call. */
ftr_status ftr_record_words_for(const char *call, ftr_recorder *rec, ftr_generator generator,
                                uint64_t begin, uint64_t end, const uint64_t *words, size_t count,
                                ftr_tx *tx);

#endif
