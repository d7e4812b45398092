/* The curves of a generator over time: throughput, busy time, outstanding transactions, and the
 * percentiles of the latency in each slot (docs/report-format.md). */
#ifndef FTR_GENERATOR_SERIES_H
#define FTR_GENERATOR_SERIES_H

#include "activity.h"
#include "json_members.h"
#include "report_tx.h"
#include "slot_latencies.h"
#include "time_slots.h"

typedef struct ftr_series_slot {
    uint32_t count, errors;
    uint32_t outstanding; /* greatest number of transactions that are open at the same time in the
                             slot */
    uint64_t bytes, busy;
    uint64_t p50, p99, max; /* of the transactions that begin in the slot */
} ftr_series_slot;

typedef struct ftr_generator_series {
    const ftr_time_slots *slots;  /* borrowed */
    ftr_series_slot *of;          /* NULL: only the activity is kept */
    size_t now;                   /* the slot of the latest transaction */
    ftr_activity activity;        /* its number of outstanding ones is that of the latest begin */
    uint64_t outstanding;         /* the greatest number open at one time */
    ftr_slot_latencies latencies; /* of slot `now` */
} ftr_generator_series;

/* @param has_slots false: only the activity is kept. @return false if out of memory */
bool ftr_generator_series_init(ftr_generator_series *series, const ftr_time_slots *slots,
                               bool has_slots);

/* Adds the next transaction; they come in order of begin. @return false if out of memory */
bool ftr_generator_series_add(ftr_generator_series *series, const ftr_report_tx *tx);

/* Completes the slots after the last transaction. */
void ftr_generator_series_settle(ftr_generator_series *series);

/* Writes the columns as members of the open object. */
void ftr_generator_series_print(const ftr_generator_series *series, ftr_data_block *block,
                                ftr_json *json);

void ftr_generator_series_release(ftr_generator_series *series);

#endif
