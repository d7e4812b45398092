/* The figures of a trace: everything that `ftr stats` and `ftr summary` say of it. */
#ifndef FTR_TRACE_MEASURE_H
#define FTR_TRACE_MEASURE_H

#include "attribute_sizes.h"
#include "run_collector.h"

#include <ftr/reader.h>

/* A measured transaction. */
typedef struct ftr_measured_tx {
    const ftr_tx_figures *figures;
    const ftr_generator_info *info; /* its generator in the trace */
    size_t generator;               /* its number in the collector */
    bool error;
    const void *bytes; /* appended by `prepare` */
    size_t size;
} ftr_measured_tx;

/* Which part of a trace is measured. */
typedef struct ftr_trace_measure {
    const ftr_query *query; /* which transactions; its order does not matter */
    /* Whether a stream named `ftr.*` is measured, if the query chooses it. NULL: none is. */
    bool (*choose_own)(void *user, const ftr_stream_info *stream);
    void *choose_user;
    unsigned threads;                     /* maximum number of reading threads; 0: one */
    ftr_attribute_sizes *attribute_sizes; /* of the measured transactions; NULL: not counted */
    /* `transaction` is called in order of begin for each stream, but not over all streams. */
    bool by_stream;
    /* Called with every measured transaction, in order of begin, on the calling thread. Returns
     * FTR_OK, or an error that ends the pass. NULL: not called. */
    ftr_status (*transaction)(void *user, const ftr_measured_tx *tx);
    void *transaction_user;
    /* The caller adds the transactions to the collector itself, perhaps on another thread, and
     * `pause` waits until it does not use the collector. NULL: this pass adds them. */
    void (*pause)(void *user);
    /* Called before `transaction`, perhaps on a reading thread (the number of the thread is below
     * `threads`), with every attribute of a transaction that is a number. NULL: not called. */
    void (*number)(void *user, unsigned thread, const ftr_attribute_value *attribute);
    /* Called on the same thread after the attributes, to append bytes for `transaction`; the
     * transaction may be rewound, and its attributes read again. See ftr_query.prepare. NULL: not
     * called. */
    void (*prepare)(void *user, unsigned thread, ftr_reader *reader, ftr_transaction *tx,
                    const ftr_tx_figures *figures, ftr_prepared *prepared);
} ftr_trace_measure;

/* Gives a trace to the collector: all streams and generators that the query chooses, their
 * transactions, and the attributes of its run.
 * @return FTR_OK; or the error that ended reading; all transactions before it are measured */
FTR_MUST_USE ftr_status ftr_trace_collect(ftr_reader *reader, const ftr_trace_measure *measure,
                                          ftr_run_collector *collector);

/* The state of a file that was read. @param errors number of findings about data that was not
 * read */
ftr_run_state ftr_trace_state(ftr_reader *reader, uint64_t errors);

/* The number of a file among those of its run: 12 for `run_file0012.ftr`, else 1. */
unsigned ftr_trace_part(const char *path);

#endif
