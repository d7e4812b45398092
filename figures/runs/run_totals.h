/* The figures of several runs together, for each generator or each stream. Times are ticks of one
 * time scale: the finest one among the runs. */
#ifndef FTR_RUN_TOTALS_H
#define FTR_RUN_TOTALS_H

#include "run_record.h"

#include "name_table.h"

#include <ftr/status.h>

/* One of the slowest transactions of all runs, in the ticks of the totals. */
typedef struct ftr_slow_run_tx {
    ftr_slow_tx tx;
    char *file; /* name of the run's file */
} ftr_slow_run_tx;

typedef struct ftr_total_row {
    char *name; /* stream, a dot, generator; or only the stream, if generators share a row;
                   0-terminated */
    size_t name_size, stream_size;
    uint64_t runs; /* number of runs with this generator (or stream) */
    uint64_t errors, unfinished, bytes;
    uint64_t first, last; /* earliest begin and latest end in all runs */
    /* `span`: ticks from the first begin to the last end; both are sums over all runs */
    ftr_wide span, busy;
    uint64_t outstanding; /* maximum of all runs */
    ftr_latency_bins latency;
    /* in order of name after ftr_run_totals_settle(); several runs, or the generators of a stream,
     * can have more than two names together */
    ftr_named_times *times;
    size_t time_count, time_capacity;
    ftr_slow_run_tx *slowest;
    size_t slow_count, slow_capacity; /* at most FTR_SLOWEST_MAX */
} ftr_total_row;

/* Returns true if a run has transactions in this row. */
static inline bool ftr_total_row_has_transactions(const ftr_total_row *row)
{
    return row->latency.count > 0 || row->unfinished > 0;
}

/* Returns the distribution of the attribute @p name; of the latencies if @p name is NULL. Returns
 * NULL if the row has no such attribute. */
ftr_latency_bins *ftr_total_row_bins(ftr_total_row *row, const char *name);

typedef struct ftr_run_totals {
    int time_scale;
    ftr_total_row *rows; /* sorted by name after ftr_run_totals_settle() */
    size_t row_count, row_capacity;
    ftr_name_table names;
    ftr_link_names links; /* labels of the streams of all runs */
} ftr_run_totals;

/* Adds a run. The time scale of the run must not be finer than the time scale of the totals.
 * @param by_stream true: all generators of a stream share one row, which has the name of the stream
 * @return FTR_OK; FTR_ERR_LIMIT if a time exceeds 64 bits; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_run_totals_add(ftr_run_totals *totals, const ftr_run_record *run,
                                           bool by_stream);

/* The same for the only run of new totals, with a row for each generator. To save memory, moves the
 * latencies from the run into the totals. */
FTR_MUST_USE ftr_status ftr_run_totals_take(ftr_run_totals *totals, ftr_run_record *run);

/* Sorts the rows by name. Nothing may be added after this call. */
void ftr_run_totals_settle(ftr_run_totals *totals);

void ftr_run_totals_release(ftr_run_totals *totals);

/* Returns @p amount (transactions or bytes) per second of simulated time; 0 if @p span is 0.
 * @param span ticks from the first begin to the last end, summed over runs */
long double ftr_rate(long double amount, ftr_wide span, int time_scale);

#endif
