/* The baseline: earlier nights, with which the runs of a night are compared. The last one of them
 * also tells which runs and streams are expected. Only complete runs (ftr_run_state_is_complete())
 * have values and streams. */
#ifndef FTR_GATE_BASELINE_H
#define FTR_GATE_BASELINE_H

#include "night_values.h"

typedef struct ftr_gate_stream {
    char *name;
    bool has_calls; /* a stream of TLM calls; in a trace of accesses, it has another name */
    uint64_t runs;  /* number of complete runs that have a transaction in the stream */
} ftr_gate_stream;

typedef struct ftr_gate_baseline_run {
    char *name;     /* path of the file, without the leading directories that all runs share */
    uint32_t *busy; /* indices (in `streams`) of the streams in which this run has at least
                       FTR_NIGHT_STREAM_COUNT transactions */
    size_t busy_count;
    bool is_matched;
} ftr_gate_baseline_run;

/* The runs of a test, of any state. */
typedef struct ftr_gate_test {
    size_t expected; /* in the last earlier night */
    size_t found;    /* in the judged night */
} ftr_gate_test;

typedef struct ftr_gate_baseline {
    ftr_night_values values; /* of the earlier nights and, after ftr_gate_judge(), of the judged */
    ftr_gate_stream *streams;
    size_t stream_count, stream_capacity;
    ftr_name_table stream_names;
    ftr_gate_baseline_run *runs; /* of the last night */
    size_t run_count, run_capacity;
    ftr_name_table run_names;
    ftr_names generator_names; /* stream, a dot, generator */
    uint64_t *generator_runs;  /* number of complete runs that have a transaction of the generator;
                                  index: number of the name */
    size_t generator_capacity;
    ftr_names test_names;
    ftr_gate_test *tests; /* index: number of the test's name */
    size_t test_capacity;
    uint64_t sound_runs; /* complete runs of all nights */
} ftr_gate_baseline;

/* @param rules borrowed until ftr_gate_baseline_release() */
void ftr_gate_baseline_init(ftr_gate_baseline *baseline, const ftr_gate_rules *rules);

/* Adds a night. Its runs and their numbers are expected, instead of those of the night before.
 * @param night has the metrics of all rules that refer to the baseline (ftr_night_lacking())
 * @return false if memory is exhausted */
bool ftr_gate_baseline_add(ftr_gate_baseline *baseline, const ftr_history_night *night);

/* Returns the first run of this name; NULL if there is none. */
ftr_gate_baseline_run *ftr_gate_baseline_find_run(ftr_gate_baseline *baseline, const char *name);

/* Returns the numbers of runs of a test; NULL if memory is exhausted. The pointer is valid until
 * the next call. */
ftr_gate_test *ftr_gate_baseline_test(ftr_gate_baseline *baseline, const ftr_figure_text *name);

void ftr_gate_baseline_release(ftr_gate_baseline *baseline);

#endif
