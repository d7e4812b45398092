/* The curves of a generator over time: throughput, busy time, outstanding transactions, and the
 * percentiles of the latency in each time slot (docs/report-format.md). */
#ifndef FTR_GENERATOR_SERIES_H
#define FTR_GENERATOR_SERIES_H

#include "data_block.h"
#include "report_tx.h"
#include "slot_latencies.h"
#include "time_slots.h"

typedef struct ftr_series_slot {
    uint32_t count, errors;
    uint32_t outstanding; /* greatest number of transactions open at one time in the time slot */
    uint64_t bytes, busy;
    uint64_t p50, p99, max; /* latencies of the transactions that begin in the time slot */
} ftr_series_slot;

typedef struct ftr_generator_series {
    const ftr_time_slots *slots;  /* borrowed */
    ftr_series_slot *of;          /* index: time slot; NULL: transactions are ignored */
    size_t now;                   /* time slot of the latest transaction */
    uint64_t covered;             /* the latest end so far, in ticks */
    ftr_slot_latencies latencies; /* latencies of the time slot `now` */
} ftr_generator_series;

/* @param has_slots false: transactions are ignored. @return false if out of memory */
bool ftr_generator_series_init(ftr_generator_series *series, const ftr_time_slots *slots,
                               bool has_slots);

/* Computes the percentiles of the time slot `now`, and goes on to the later time slot @p slot.
 * @return false if out of memory */
bool ftr_generator_series_begin(ftr_generator_series *series, size_t slot);

static inline void ftr_series_slot_note(ftr_series_slot *slot, uint64_t outstanding)
{
    if (outstanding > slot->outstanding)
        slot->outstanding = outstanding < UINT32_MAX ? (uint32_t)outstanding : UINT32_MAX;
}

/* Adds the next transaction, in order of begin.
 * @param at the time slot that contains the begin of the transaction
 * @param outstanding number of transactions that overlap the transaction, including itself
 * @return false if out of memory */
static inline bool ftr_generator_series_add(ftr_generator_series *series, const ftr_report_tx *tx,
                                            size_t at, uint64_t outstanding)
{
    if (series->of == NULL)
        return true;
    if ((at > series->now && !ftr_generator_series_begin(series, at)) ||
        (!tx->unfinished && !ftr_slot_latencies_add(&series->latencies, tx->end - tx->begin)))
        return false;
    ftr_series_slot *slot = &series->of[series->now];
    const uint64_t idle = tx->begin > series->covered ? tx->begin : series->covered;
    ftr_series_slot_note(slot, outstanding);
    if (tx->end > idle) {
        ftr_time_slots_spread_from(series->slots, at, idle, tx->end, &series->of[0].busy,
                                   sizeof *series->of);
        series->covered = tx->end;
    }
    slot->count += !tx->unfinished;
    slot->errors += tx->error;
    slot->bytes += tx->unfinished ? 0 : tx->bytes;
    return true;
}

/* Sets the outstanding transactions of a time slot to at least @p open, the number that are open at
 * its begin. */
void ftr_generator_series_note(ftr_generator_series *series, size_t slot, uint64_t open);

/* Computes the percentiles of the last time slot. Call it after the last transaction. @return false
 * if out of memory */
bool ftr_generator_series_settle(ftr_generator_series *series);

/* Writes the columns as members of the open object. */
void ftr_generator_series_print(const ftr_generator_series *series, ftr_data_block *block,
                                ftr_json *json);

void ftr_generator_series_release(ftr_generator_series *series);

#endif
