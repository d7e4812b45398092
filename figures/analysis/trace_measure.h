/* Measures a trace: all figures that `ftr stats` and `ftr summary` show. */
#ifndef FTR_TRACE_MEASURE_H
#define FTR_TRACE_MEASURE_H

#include "attribute_sizes.h"
#include "run_collector.h"

#include <ftr/reader.h>

/* A measured transaction. */
typedef struct ftr_measured_tx {
    const ftr_tx_figures *figures;
    size_t generator; /* number of the generator in the collector */
    uint32_t index;   /* index of the generator in the trace */
    bool error;
    const void *bytes; /* appended by `prepare` */
    size_t size;
} ftr_measured_tx;

/* The part of a trace that is measured, and the functions that receive it. */
typedef struct ftr_trace_measure {
    const ftr_query *query; /* selects transactions; the order is ignored */
    /* Returns true if a stream named `ftr.*` that the query chooses is measured. NULL: none is
     * measured. */
    bool (*choose_own)(void *user, const ftr_stream_info *stream);
    void *choose_user;
    /* Index: index of a stream in the trace; the streams that are measured. NULL: all that the
     * query chooses. */
    const bool *streams;
    unsigned threads;                     /* maximum number of reading threads; 0: one */
    ftr_attribute_sizes *attribute_sizes; /* receives the attribute sizes of the measured
                                             transactions; NULL: not counted */
    /* true: `transaction` is called in order of begin within each stream; false: in order of begin
     * over all streams */
    bool by_stream;
    /* Called with every measured transaction, on the calling thread. Returns FTR_OK, or an error
     * that ends reading. NULL: not called. */
    ftr_status (*transaction)(void *user, const ftr_measured_tx *tx);
    void *transaction_user;
    /* NULL: ftr_trace_collect() adds the transactions to the collector. Not NULL: the caller adds
     * them to the collector, perhaps on another thread, and `pause` waits until the caller does not
     * use the collector. The figures of the transactions then have no named times. */
    void (*pause)(void *user);
    /* Returns true if numeric attributes of this name and type are passed to `number`. Can be
     * called at any time on any reading thread. NULL: `number` is not called. */
    bool (*wants_number)(void *user, const ftr_attribute_value *attribute);
    /* Called before `transaction` with the wanted numeric attributes of a transaction, perhaps on a
     * reading thread. @p thread is below `threads`. */
    void (*number)(void *user, unsigned thread, const ftr_attribute_value *attribute);
    /* Called after `number` on the same thread, to append bytes for `transaction`. May rewind the
     * transaction and read its attributes again. See ftr_query.prepare. NULL: not called. */
    void (*prepare)(void *user, unsigned thread, ftr_reader *reader, ftr_transaction *tx,
                    const ftr_tx_figures *figures, ftr_prepared *prepared);
    void *prepare_user; /* the first argument of `wants_number`, `number` and `prepare` */
} ftr_trace_measure;

/* Adds a trace to the collector: all streams and generators that the query chooses, their
 * transactions, and the attributes of the run.
 * @return FTR_OK, or the error that ended reading; all transactions before the error are measured
 */
FTR_MUST_USE ftr_status ftr_trace_collect(ftr_reader *reader, const ftr_trace_measure *measure,
                                          ftr_run_collector *collector);

/* The two steps of ftr_trace_collect(): the attributes of the run, and the streams. */
FTR_MUST_USE ftr_status ftr_trace_collect_run(ftr_reader *reader, const ftr_trace_measure *measure,
                                              ftr_run_collector *collector);
FTR_MUST_USE ftr_status ftr_trace_collect_streams(ftr_reader *reader,
                                                  const ftr_trace_measure *measure,
                                                  ftr_run_collector *collector);

/* ---- a trace in parts (trace_parts.c) -------------------------------------------------------- */

/* Receives the parts of a run. */
typedef struct ftr_part_taker {
    /* Becomes the owner of the streams of @p part. Returns FTR_OK, or an error that ends
     * reading. */
    ftr_status (*take)(void *user, ftr_run_record *part);
    size_t (*memory)(void *user); /* returns the memory of all parts so far */
    void *user;
} ftr_part_taker;

/* Like ftr_trace_collect(), but moves the figures in parts from the collector to the taker. The
 * memory of the figures counts against the limit of the reader. If all streams need more memory,
 * they are divided into groups, which are read one after the other.
 * @return as for ftr_trace_collect(); FTR_ERR_LIMIT if the figures of all streams together, or of
 * one stream while it is measured, need more memory */
FTR_MUST_USE ftr_status ftr_trace_collect_parts(ftr_reader *reader,
                                                const ftr_trace_measure *measure,
                                                ftr_run_collector *collector,
                                                const ftr_part_taker *taker);

/* Returns the state of a file that was read.
 * @param errors number of findings with severity error */
ftr_run_state ftr_trace_state(ftr_reader *reader, uint64_t errors);

/* Returns the number of a file among the files of its run: 12 for `run_file0012.ftr`; 1 for a name
 * without a number. */
unsigned ftr_trace_part(const char *path);

/* Returns true if the directory of @p path contains the next file of the same run. */
bool ftr_trace_is_continued(const char *path);

#endif
