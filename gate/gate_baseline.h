/* The baseline: an earlier night, with which the runs of a later night are compared. Contains the
 * figures over all its transactions, the figures of each run, and the streams of each run. */
#ifndef FTR_GATE_BASELINE_H
#define FTR_GATE_BASELINE_H

#include "gate_rules.h"

/* If a run of the baseline has at least this number of transactions in a stream, a run of the same
 * name must have some in it, too. */
#define FTR_GATE_STREAM_COUNT 16u

typedef struct ftr_gate_stream {
    char *name;
    uint64_t runs; /* sound runs with a transaction of the stream */
} ftr_gate_stream;

typedef struct ftr_gate_baseline_run {
    char *name;     /* of the file, without the directories that all runs share */
    uint32_t *busy; /* streams with at least FTR_GATE_STREAM_COUNT transactions */
    size_t busy_count;
    bool is_matched;
} ftr_gate_baseline_run;

typedef struct ftr_gate_values {
    long double *of; /* one value per run; latencies in seconds */
    size_t count, capacity;
    bool is_sorted;
} ftr_gate_values;

typedef struct ftr_gate_baseline {
    const ftr_gate_rules *rules; /* borrowed */
    ftr_run_totals totals;       /* not settled */
    ftr_gate_values *values;     /* of row r and rule k at r * rules->count + k */
    size_t values_rows;
    ftr_gate_stream *streams;
    size_t stream_count, stream_capacity;
    ftr_name_table stream_names;
    ftr_gate_baseline_run *runs;
    size_t run_count, run_capacity;
    ftr_name_table run_names;
    uint64_t sound_runs;
} ftr_gate_baseline;

/* @param time_scale the finest of its runs */
void ftr_gate_baseline_init(ftr_gate_baseline *baseline, const ftr_gate_rules *rules,
                            int time_scale);

/* Adds a run. Only sound runs have figures.
 * @param name of its file, without the directories that all runs share
 * @return FTR_OK; FTR_ERR_LIMIT; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_gate_baseline_add(ftr_gate_baseline *baseline,
                                              const ftr_run_record *run, const char *name);

/* The baseline of a generator for a rule. */
typedef struct ftr_gate_reference {
    ftr_latency_bins *latency; /* of all runs */
    long double value; /* latencies: computed over all runs; other metrics: median of the runs */
    bool has_fences;   /* there are enough runs */
    long double low, high; /* the quartiles, minus and plus 3 interquartile ranges: only values
                              outside are significant */
} ftr_gate_reference;

/* @return false if the baseline has no transaction of the generator */
bool ftr_gate_baseline_refer(ftr_gate_baseline *baseline, size_t rule, const ftr_total_row *row,
                             ftr_gate_reference *reference);

/* The run of this name; NULL if there is none. */
ftr_gate_baseline_run *ftr_gate_baseline_find_run(ftr_gate_baseline *baseline, const char *name);

void ftr_gate_baseline_release(ftr_gate_baseline *baseline);

#endif
