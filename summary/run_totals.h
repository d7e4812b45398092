/* The figures of several runs together, for each generator. Times are ticks of one scale, the
 * finest of the runs. */
#ifndef FTR_RUN_TOTALS_H
#define FTR_RUN_TOTALS_H

#include "run_record.h"

#include "name_table.h"

#include <ftr/status.h>

/* One of the slowest transactions of all runs, in the ticks of the totals. */
typedef struct ftr_slow_run_tx {
    ftr_slow_tx tx;
    char *file; /* of the run */
} ftr_slow_run_tx;

typedef struct ftr_total_row {
    char *name; /* stream, a dot, generator; 0-terminated */
    size_t name_size, stream_size;
    uint64_t runs; /* that have the generator */
    uint64_t errors, unfinished, bytes;
    uint64_t first, last; /* of all runs */
    ftr_wide span, busy;  /* ticks from the first begin to the last end, summed over runs */
    uint64_t outstanding; /* the greatest of a run */
    ftr_latency_bins latency;
    ftr_slow_run_tx slowest[FTR_SLOWEST_MAX];
    unsigned slow_count;
} ftr_total_row;

typedef struct ftr_run_totals {
    int time_scale;
    ftr_total_row *rows; /* in order of name once settled */
    size_t row_count, row_capacity;
    ftr_name_table names;
} ftr_run_totals;

/* Adds a run. Its scale must not be finer than the scale of the totals.
 * @param by_stream adds the generators of a stream to one row, named as the stream
 * @return FTR_OK; FTR_ERR_LIMIT if a time exceeds 64 bits; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_run_totals_add(ftr_run_totals *totals, const ftr_run_record *run,
                                           bool by_stream);

/* Sorts the rows by name. Nothing may be added after this call. */
void ftr_run_totals_settle(ftr_run_totals *totals);

void ftr_run_totals_release(ftr_run_totals *totals);

/* Transactions, or bytes, per second of simulated time, from the first begin to the last end of
 * each run; 0 if there is no such time. */
long double ftr_rate(long double amount, ftr_wide span, int time_scale);

#endif
