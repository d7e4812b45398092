/* The baseline: an earlier night, with which the runs of a later night are compared. It contains
 * the names of all runs. It contains figures only of complete runs (ftr_run_state_is_complete()):
 * the figures of these runs together, and for each run the values of the rules' metrics and the
 * streams. */
#ifndef FTR_GATE_BASELINE_H
#define FTR_GATE_BASELINE_H

#include "gate_rules.h"
#include "latency_bins.h"

/* If a run of the baseline has at least this number of transactions in a stream, the later run of
 * the same name must have at least one transaction in this stream. */
#define FTR_GATE_STREAM_COUNT 16u

typedef struct ftr_gate_stream {
    char *name;
    bool has_calls; /* a stream of TLM calls; in a trace of accesses, it has another name */
    uint64_t runs;  /* number of complete runs that have a transaction in the stream */
} ftr_gate_stream;

typedef struct ftr_gate_baseline_run {
    char *name;     /* path of the file, without the leading directories that all runs share */
    uint32_t *busy; /* indices (in `streams`) of the streams in which this run has at least
                       FTR_GATE_STREAM_COUNT transactions */
    size_t busy_count;
    bool is_matched;
} ftr_gate_baseline_run;

typedef struct ftr_gate_values {
    long double *of; /* one value for each run with transactions; times in seconds */
    size_t count, capacity;
    bool is_sorted;
} ftr_gate_values;

typedef struct ftr_gate_baseline {
    const ftr_gate_rules *rules; /* borrowed */
    ftr_run_totals totals;       /* sums over all complete runs; not settled */
    ftr_gate_values *values;     /* index: row of `totals` * rules->count + number of the rule */
    size_t values_rows;
    ftr_gate_stream *streams;
    size_t stream_count, stream_capacity;
    ftr_name_table stream_names;
    ftr_gate_baseline_run *runs;
    size_t run_count, run_capacity;
    ftr_name_table run_names;
    uint64_t sound_runs;
} ftr_gate_baseline;

/* @param time_scale exponent of the finest time scale of the baseline's runs: -12 for ps */
void ftr_gate_baseline_init(ftr_gate_baseline *baseline, const ftr_gate_rules *rules,
                            int time_scale);

/* Adds a run. If the run is not complete, only its name is used.
 * @param name path of the run's file, without the leading directories that all runs share
 * @return FTR_OK; FTR_ERR_LIMIT; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_gate_baseline_add(ftr_gate_baseline *baseline,
                                              const ftr_run_record *run, const char *name);

/* The figures of the baseline with which a rule compares a generator of a run. */
typedef struct ftr_gate_reference {
    /* latencies of the generator in all runs, or the values of the rule's attribute; borrowed from
     * the baseline */
    ftr_latency_bins *latency;
    /* the value of the metric. A time is computed over the transactions of all runs, in seconds.
     * Any other metric is the median of the values of the runs */
    long double value;
    bool has_fences; /* false: there are too few runs, `low` and `high` are invalid */
    /* `low`: first quartile minus 3 interquartile ranges; `high`: third quartile plus 3
     * interquartile ranges. Only a value outside of this interval is significant */
    long double low, high;
} ftr_gate_reference;

/* Gets the figures for the generator @p row of a run and the rule with the index @p rule.
 * @return false if the baseline has no value for them */
bool ftr_gate_baseline_refer(ftr_gate_baseline *baseline, size_t rule, const ftr_total_row *row,
                             ftr_gate_reference *reference);

/* Returns the first run of this name; NULL if there is none. */
ftr_gate_baseline_run *ftr_gate_baseline_find_run(ftr_gate_baseline *baseline, const char *name);

void ftr_gate_baseline_release(ftr_gate_baseline *baseline);

/* ---- the rank sum test of Mann and Whitney --------------------------------------------------- */

/* Returns the one-sided p-value of the hypothesis that the latencies of @p tested are not higher
 * than those of @p reference: near 0, the latencies of @p tested are higher. Computed by the normal
 * approximation with a correction for ties. Latencies below @p floor count as equal to @p floor, so
 * that only differences above it matter. Returns 1 if one of the two is empty. Sorts the bins of
 * both. */
double ftr_rank_sum_test(ftr_latency_bins *tested, ftr_latency_bins *reference, uint64_t floor);

#endif
