/* Adds every encoded transaction to the summary of the run. */
#ifndef FTR_RUN_OBSERVER_H
#define FTR_RUN_OBSERVER_H

#include "definitions.h"
#include "record.h"
#include "run_collector.h"

typedef struct ftr_run_observer {
    const ftr_definitions *definitions;
    ftr_run_collector *collector;
    /* index: handle of a stream or generator; value: 1 + its number in the collector; 0: it is not
     * in the collector yet */
    size_t *numbers;
    size_t number_count;
    /* index: number of a declared attribute; value: 1 + its ftr_figure_meaning; 0: not known yet */
    uint8_t *meanings;
    size_t meaning_count;
    uint64_t transactions; /* number of observed transactions */
    ftr_status status;     /* the first error; later transactions are not observed */
} ftr_run_observer;

/* @param definitions borrowed until ftr_run_observer_release() */
FTR_MUST_USE ftr_status ftr_run_observer_init(ftr_run_observer *observer,
                                              const ftr_definitions *definitions);

/* Adds the transaction @p tx with the items at @p items to the summary. @p is_unfinished: the
 * transaction was still open at the end of the run. */
void ftr_run_observer_add(ftr_run_observer *observer, const ftr_stored_tx *tx, const uint8_t *items,
                          bool is_unfinished);

/* Adds the streams without transactions to the summary, except filtered ones. */
FTR_MUST_USE ftr_status ftr_run_observer_add_streams(ftr_run_observer *observer);

void ftr_run_observer_release(ftr_run_observer *observer);

#endif
