/* The bins of a stream: the finest level of detail of its timeline (docs/report-format.md). */
#ifndef FTR_STREAM_BINS_H
#define FTR_STREAM_BINS_H

#include "data_block.h"
#include "report_tx.h"
#include "time_slots.h"

/* Counts of the transactions that begin in the bin, and the time in the bin during which a
 * transaction of the stream is open. */
typedef struct ftr_stream_bin {
    uint32_t count, errors, unfinished;
    uint64_t busy; /* ticks */
    /* the greatest latency in ticks, and the id of the first transaction with this latency */
    uint64_t worst, worst_id;
    uint64_t bytes;
} ftr_stream_bin;

typedef struct ftr_stream_bins {
    const ftr_time_slots *slots; /* borrowed */
    ftr_stream_bin *bins;        /* NULL: no bins */
    uint64_t covered;            /* the latest end so far, in ticks */
} ftr_stream_bins;

/* @param has_bins false: transactions are ignored. @return false if out of memory */
bool ftr_stream_bins_init(ftr_stream_bins *stream, const ftr_time_slots *slots, bool has_bins);

/* Counts a transaction in the bin @p at of its begin. */
static inline void ftr_stream_bins_count(ftr_stream_bins *stream, size_t at,
                                         const ftr_report_tx *tx)
{
    ftr_stream_bin *bin = &stream->bins[at];
    const uint64_t latency = tx->end - tx->begin;
    /* An unfinished transaction has no latency. */
    if (!tx->unfinished && (bin->worst_id == 0 || latency > bin->worst)) {
        bin->worst = latency;
        bin->worst_id = tx->id;
    }
    bin->count++;
    bin->errors += tx->error;
    bin->unfinished += tx->unfinished;
    bin->bytes += tx->bytes;
}

/* Adds those ticks of [begin, end) that no earlier transaction covers to the busy time. @param at
 * the time slot of @p begin */
static inline void ftr_stream_bins_cover(ftr_stream_bins *stream, size_t at, uint64_t begin,
                                         uint64_t end)
{
    const uint64_t idle = begin > stream->covered ? begin : stream->covered;
    if (end <= idle)
        return;
    ftr_time_slots_spread_from(stream->slots, at, idle, end, &stream->bins[0].busy,
                               sizeof *stream->bins);
    stream->covered = end;
}

/* Adds the next transaction, in order of begin. */
static inline void ftr_stream_bins_add(ftr_stream_bins *stream, const ftr_report_tx *tx)
{
    if (stream->bins == NULL)
        return;
    const size_t at = ftr_time_slot_at(stream->slots, tx->begin);
    ftr_stream_bins_cover(stream, at, tx->begin, tx->end);
    ftr_stream_bins_count(stream, at, tx);
}

/* Like ftr_stream_bins_add(), for a transaction that overlaps the time slots but may begin before
 * or end after them. Ticks outside the time slots do not count as busy. A transaction that begins
 * before the time slots is not counted. */
void ftr_stream_bins_add_window(ftr_stream_bins *stream, const ftr_report_tx *tx);

/* Writes the columns as members of the open object. */
void ftr_stream_bins_print(const ftr_stream_bins *stream, ftr_data_block *block, ftr_json *json);

void ftr_stream_bins_release(ftr_stream_bins *stream);

#endif
