/* Gives every transaction that the encoder takes to the summary of the run. */
#ifndef FTR_RUN_OBSERVER_H
#define FTR_RUN_OBSERVER_H

#include "definitions.h"
#include "record.h"
#include "run_collector.h"

typedef struct ftr_run_observer {
    const ftr_definitions *definitions;
    ftr_run_collector *collector;
    size_t *numbers; /* in the collector, + 1, of generators and streams by handle; 0: unknown */
    size_t number_count;
    uint64_t transactions; /* observed */
    ftr_status status;     /* the first error: observation ends */
} ftr_run_observer;

/* @param definitions borrowed until ftr_run_observer_release() */
FTR_MUST_USE ftr_status ftr_run_observer_init(ftr_run_observer *observer,
                                              const ftr_definitions *definitions);

/* Observes a transaction with its items. */
void ftr_run_observer_take(ftr_run_observer *observer, const ftr_stored_tx *tx,
                           const uint8_t *items, bool is_unfinished);

/* Makes streams known that have no transaction yet. */
FTR_MUST_USE ftr_status ftr_run_observer_add_streams(ftr_run_observer *observer);

void ftr_run_observer_release(ftr_run_observer *observer);

#endif
