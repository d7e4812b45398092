/* The figures of a night, reduced to what later nights are compared with: for each test and each
 * generator, the values of some metrics in each run, and the names of runs and streams. */
#ifndef FTR_HISTORY_NIGHT_H
#define FTR_HISTORY_NIGHT_H

#include "content_hash.h"
#include "figure_metric.h"
#include "name_table.h"
#include "run_record.h"

#include <math.h>

#define FTR_NIGHT_METRICS_MAX 64u
#define FTR_NIGHT_NAME_SIZE 128u

/* If a run has at least this number of transactions in a stream, the run of the same name in a
 * later night is expected to have at least one. */
#define FTR_NIGHT_STREAM_COUNT 16u

/* The runs of a test. */
typedef struct ftr_night_test {
    size_t runs;     /* of any state */
    size_t complete; /* the runs with figures; 0: the following members have no value */
    /* hash of all figures of the first run; they are the same in all runs if `has_spread` is
     * false */
    uint8_t figures[FTR_CONTENT_HASH_SIZE];
    bool has_spread;
    double shortest, longest; /* simulated times of the runs, in seconds */
} ftr_night_test;

typedef struct ftr_night_stream {
    bool has_calls; /* a stream of TLM calls; in a trace of accesses, it has another name */
    uint64_t runs;  /* number of complete runs that have a transaction in the stream */
} ftr_night_stream;

typedef struct ftr_night_run {
    char *name;  /* path of the file, without the leading directories that all runs share */
    size_t test; /* number of the test's name */
    ftr_run_state state;
    uint32_t *busy; /* numbers of the streams in which the run has at least
                       FTR_NIGHT_STREAM_COUNT transactions */
    size_t busy_count;
} ftr_night_run;

typedef struct ftr_night_key {
    size_t test, generator; /* numbers of the names */
    size_t attribute;       /* number of the name of an attribute of type TIME, plus 1; 0: the
                               series is about latencies and counts */
} ftr_night_key;

/* The values of a generator in the runs of a test. */
typedef struct ftr_night_series {
    ftr_night_key key;
    int time_scale; /* the finest time scale of the runs */
    /* One row for each run, with a value for each metric of the night: times in seconds;
     * FTR_VALUE_MISSING; FTR_VALUE_UNSURE. After ftr_history_decode(), the values of a row can
     * be of different runs. */
    double *values;
    size_t runs, capacity; /* numbers of rows */
} ftr_night_series;

/* The run has no value. */
#define FTR_VALUE_MISSING ((double)NAN)
/* The percentile needs more transactions than the run has (ftr_least_count()). */
#define FTR_VALUE_UNSURE ((double)INFINITY)

/* Initialise with ftr_history_night_init() or ftr_history_decode(). */
typedef struct ftr_history_night {
    uint8_t identity[FTR_CONTENT_HASH_SIZE]; /* of the runs; equal for the same runs */
    int64_t time;                            /* median of the starts of the runs, in seconds since
                                                1970; 0: no run has a start */
    char name[FTR_NIGHT_NAME_SIZE];
    char *key; /* tags that name the test of a run; NULL: the test of the run */
    ftr_figure_metric metrics[FTR_NIGHT_METRICS_MAX];
    size_t metric_count;
    uint64_t complete; /* number of complete runs */
    ftr_names test_names, generator_names, attribute_names, stream_names;
    ftr_night_test *tests;     /* index: number of the name */
    ftr_night_stream *streams; /* index: number of the name */
    /* number of complete runs that have a transaction of the generator; index: number of the name.
     * Also of generators that are not wanted */
    uint64_t *generator_runs;
    size_t test_capacity, stream_capacity, generator_capacity;
    ftr_night_run *runs;
    size_t run_count, run_capacity;
    ftr_night_series **series;
    size_t series_count, series_capacity;
    ftr_name_table series_keys; /* empty after ftr_history_decode() */
    int64_t *starts;            /* of the runs that have one */
    size_t start_count, start_capacity;
    ftr_content_hash hash; /* of the runs so far */
} ftr_history_night;

/* Returns whether the figures of a generator are wanted. @param name stream, a dot, generator */
typedef bool ftr_night_wants(void *user, const char *name, size_t size);

void ftr_history_night_init(ftr_history_night *night);

/* Adds a metric that the runs are measured by, if it is not there yet. To be called before the
 * first run. @param metric its attribute is ignored @return false if there are too many */
bool ftr_history_night_measure(ftr_history_night *night, ftr_figure_metric metric);

/* Adds a run. If it is not complete (ftr_run_state_is_complete()), only its name and test are used.
 * @param name path of the run's file, without the leading directories that all runs share
 * @param wants chooses the generators; NULL: all
 * @return FTR_OK; FTR_ERR_LIMIT if a time exceeds 64 bits; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_history_night_add(ftr_history_night *night, const ftr_run_record *run,
                                              const char *name, ftr_night_wants *wants, void *user);

/* Adds a run to the identity of a night. */
void ftr_night_hash_run(ftr_content_hash *hash, const ftr_run_record *run);

/* Sets the identity and the time, and the name if it has none. To be called after the last run. */
void ftr_history_night_finish(ftr_history_night *night);

/* Writes a time as the name of a night: "2026-11-24 22:10". @return @p name */
const char *ftr_night_time_text(int64_t time, char name[FTR_NIGHT_NAME_SIZE]);

void ftr_history_night_release(ftr_history_night *night);

/* Sets `generator_runs` from the values of the series. @return false if memory is exhausted */
bool ftr_history_night_count_generators(ftr_history_night *night);

/* Returns the number of a metric in the night; FTR_NAME_UNKNOWN if the night lacks it. */
size_t ftr_history_night_metric(const ftr_history_night *night, ftr_figure_metric metric);

/* Returns the name of the attribute of a series; NULL: the series is about latencies and counts. */
static inline const char *ftr_night_series_attribute(const ftr_history_night *night,
                                                     const ftr_night_series *series)
{
    return series->key.attribute > 0 ? night->attribute_names.names[series->key.attribute - 1]->text
                                     : NULL;
}

/* Returns the number of transactions that a run must have so that the metric is not determined by
 * its slowest or fastest transaction alone: 100 for p99, 1000 for p99.9; 1 for other times; 0 for
 * metrics that are no times. */
uint64_t ftr_least_count(ftr_figure_metric metric);

/* Returns the latest end of the run, in seconds. */
double ftr_simulated_time(const ftr_run_record *run);

/* Returns the value of a metric of a run with the precision of a history: times in seconds;
 * FTR_VALUE_MISSING, FTR_VALUE_UNSURE. @param row a row of the run alone */
double ftr_run_value(ftr_figure_metric metric, ftr_total_row *row, int time_scale);

/* ---- bytes (history_encoding.c; docs/history-format.md) -------------------------------------- */

struct ftr_cbor_writer;

/* Writes the content of a night, except identity, time and name. Errors latch in the writer. */
void ftr_history_encode(ftr_history_night *night, struct ftr_cbor_writer *w);

/* Reads the content of a night.
 * @param[out] night owned by the caller until ftr_history_night_release(), also after an error
 * @return FTR_OK; FTR_ERR_FORMAT, FTR_ERR_TRUNCATED or FTR_ERR_LIMIT if the bytes are not a night;
 * FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_history_decode(const uint8_t *bytes, size_t size,
                                           ftr_history_night *night);

#endif
