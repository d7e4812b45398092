/* The bins of a stream: the finest level of detail of its timeline (docs/report-format.md). */
#ifndef FTR_STREAM_BINS_H
#define FTR_STREAM_BINS_H

#include "json_members.h"
#include "report_tx.h"
#include "time_slots.h"

/* Transactions that begin in the bin, and the time in which one of the stream is open. */
typedef struct ftr_stream_bin {
    uint32_t count, errors, unfinished;
    uint64_t busy;            /* ticks */
    uint64_t worst, worst_id; /* the greatest latency, and the first transaction with it */
    uint64_t bytes;
} ftr_stream_bin;

typedef struct ftr_stream_bins {
    const ftr_time_slots *slots; /* borrowed */
    ftr_stream_bin *bins;        /* NULL: there are none */
    uint64_t covered;            /* the latest end so far */
} ftr_stream_bins;

/* @param has_bins false: transactions are ignored. @return false if out of memory */
bool ftr_stream_bins_init(ftr_stream_bins *stream, const ftr_time_slots *slots, bool has_bins);

/* Adds the next transaction; they come in order of begin. */
void ftr_stream_bins_add(ftr_stream_bins *stream, const ftr_report_tx *tx);

/* As ftr_stream_bins_add(), for a transaction that overlaps the slots: ticks outside of them do not
 * count as busy, and a transaction that begins before them is not counted. */
void ftr_stream_bins_add_window(ftr_stream_bins *stream, const ftr_report_tx *tx);

/* Writes the columns as members of the open object. */
void ftr_stream_bins_print(const ftr_stream_bins *stream, ftr_data_block *block, ftr_json *json);

void ftr_stream_bins_release(ftr_stream_bins *stream);

#endif
