/* Decides whether a transaction begins, and in which trace. */
#ifndef FTR_ADMISSION_H
#define FTR_ADMISSION_H

#include "recorder_state.h"

/* A transaction that is about to begin. */
typedef struct ftr_admission {
    ftr_recorder *rec;        /* the trace with the buffer of the transaction's stream */
    const ftr_entity *entity; /* the transaction's generator in `rec` */
    uint32_t buffer;          /* number of the transaction's buffer in `rec` */
    ftr_status status;        /* status of the call if the transaction does not begin */
} ftr_admission;

/* Returns false if the transaction does not begin because of a valve, its generator, or the time.
 * @p tx may be NULL. If later calls with @p tx must succeed, @p tx gets the id
 * FTR_TX_NOT_RECORDED. */
bool ftr_admit(ftr_admission *admission, ftr_recorder *rec, ftr_generator generator, uint64_t begin,
               ftr_tx *tx);

/* Counts a transaction that is not recorded because of a filter. Unless @p tx is NULL, gives it the
 * id FTR_TX_NOT_RECORDED. Returns FTR_OK. */
ftr_status ftr_admission_filter(ftr_recorder *rec, ftr_stream stream, ftr_tx *tx);

/* Counts a transaction that is not recorded because the recorder has failed. */
void ftr_admission_count_refused(ftr_recorder *rec, uint64_t begin, uint64_t end);

/* Counts a transaction that is dropped because there is no block. Returns FTR_OK, or FTR_ERR_STATE
 * if the caller is a signal handler that has interrupted a guarded call. */
FTR_MUST_USE ftr_status ftr_admission_drop(ftr_recorder *rec, ftr_generator generator,
                                           uint64_t begin, uint64_t end);

static inline ftr_tx ftr_tx_of_nothing(ftr_stream stream)
{
    return (ftr_tx){.id = FTR_TX_NOT_RECORDED, .place = ftr_place(FTR_NO_SLOT, stream)};
}

#endif
