/* Computes the record of a run from its transactions, which are added one at a time.
 *
 * The caller adds streams, generators and transactions. Before it adds a transaction, it passes the
 * attributes of the transaction to ftr_tx_figures_attribute(). The streams `ftr.run` and
 * `ftr.losses` describe the run. */
#ifndef FTR_RUN_COLLECTOR_H
#define FTR_RUN_COLLECTOR_H

#include "run_record.h"
#include "tx_figures.h"

#include <ftr/status.h>

typedef struct ftr_run_collector ftr_run_collector;

/* The order of the transactions. */
typedef enum ftr_collect_order {
    FTR_COLLECT_BY_BEGIN,
    FTR_COLLECT_AS_RECORDED /* approximately by end: see late_activity.h */
} ftr_collect_order;

/* @param[out] collector owned by the caller until ftr_run_collector_destroy() */
FTR_MUST_USE ftr_status ftr_run_collector_create(ftr_collect_order order,
                                                 ftr_run_collector **collector);
void ftr_run_collector_destroy(ftr_run_collector *collector);

/* Find the number of a stream or generator by name, or add it. The same name always has the same
 * number.
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_run_collector_stream(ftr_run_collector *collector, const char *name,
                                                 size_t name_size, const char *kind,
                                                 size_t kind_size, size_t *stream);
FTR_MUST_USE ftr_status ftr_run_collector_generator(ftr_run_collector *collector, size_t stream,
                                                    const char *name, size_t name_size,
                                                    size_t *generator);

/* Returns true if the transactions of a generator describe the run. The caller then passes every
 * attribute of these transactions to ftr_run_collector_note(). */
bool ftr_run_collector_notes(const ftr_run_collector *collector, size_t generator);

/* Returns true if the generator can have distributions of attributes of type TIME. */
bool ftr_run_collector_has_times(const ftr_run_collector *collector, size_t generator);

/* Stores an attribute of a transaction of `ftr.run`. */
FTR_MUST_USE ftr_status ftr_run_collector_note(ftr_run_collector *collector, size_t generator,
                                               const ftr_figure_attribute *attribute);

/* Returns the number of a generator's stream. */
size_t ftr_run_collector_stream_of(const ftr_run_collector *collector, size_t generator);

/* Returns true if the transaction counts as an error of its generator. */
bool ftr_run_collector_is_error(const ftr_run_collector *collector, size_t generator,
                                const ftr_tx_figures *tx);

/* Adds a transaction. A transaction that describes the run (ftr_run_collector_notes()) is counted
 * only if its stream is measured (ftr_run_collector_measure()).
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_run_collector_add(ftr_run_collector *collector, size_t generator,
                                              const ftr_tx_figures *tx);

/* Prefetches the counts that a later ftr_run_collector_add() will change. Saves time if the
 * transactions of many generators alternate. @param latency latency of the later transaction, in
 * ticks */
void ftr_run_collector_fetch(const ftr_run_collector *collector, size_t generator,
                             uint64_t latency);

/* Includes the figures of a stream in the record. Without this call, streams named `ftr.*` are not
 * measured. */
void ftr_run_collector_measure(ftr_run_collector *collector, size_t stream);

/* Omits the series, the slowest transactions and the identity of the run, to save time; if @p
 * lacks_streams is true, also the activity of streams. Call this function before the first
 * transaction, and only for transactions in order of begin. */
void ftr_run_collector_reduce(ftr_run_collector *collector, bool lacks_streams);

/* Returns true if the collector uses the ids of transactions. */
bool ftr_run_collector_uses_ids(const ftr_run_collector *collector);

/* Omits the activity, for a caller that computes it anyway. The caller sets the activity of
 * generators with ftr_run_collector_set_activity() before the record is made. Call this function
 * before the first transaction. */
void ftr_run_collector_leave_activity(ftr_run_collector *collector);
void ftr_run_collector_set_activity(ftr_run_collector *collector, size_t generator, uint64_t busy,
                                    uint64_t outstanding);

/* Sets the number of lost transactions, if the caller knows it. */
void ftr_run_collector_count_losses(ftr_run_collector *collector, uint64_t losses);

/* Holds the transactions that are added from now on: ftr_run_collector_let_go() counts them for
 * busy and outstanding. Use this if transactions of several threads are added one thread after the
 * other. */
void ftr_run_collector_hold(ftr_run_collector *collector);

/* Counts the held transactions that end at @p until or earlier. Transactions that end before @p
 * until must not be added afterwards. @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_run_collector_let_go(ftr_run_collector *collector, uint64_t until);

/* Counts the transactions that wait to be sorted by end, for FTR_COLLECT_AS_RECORDED. No
 * transaction may be added afterwards.
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_run_collector_settle(ftr_run_collector *collector);

/* The file of a run. */
typedef struct ftr_run_source {
    const char *file;    /* name of the file */
    unsigned part;       /* number of the file among the files of the run, from 1 */
    ftr_run_state state; /* SOUND: the file is complete; otherwise UNFINISHED or a worse state */
    bool is_continued;   /* the run has a later file, which contains the end of the run */
    int time_scale;
} ftr_run_source;

/* Makes the record of the transactions that were added, and moves the figures from the collector
 * into it: afterwards, the collector can only be destroyed. For FTR_COLLECT_AS_RECORDED,
 * ftr_run_collector_settle() must be called before. The record gets the state of the file, unless
 * `ftr.run` contains more information: the signal that ended the run, or a start without an end.
 * @param[out] run owned by the caller until ftr_run_record_release()
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_run_collector_record(ftr_run_collector *collector,
                                                 const ftr_run_source *source, ftr_run_record *run);

/* ---- a run in parts -------------------------------------------------------------------------- */

/* With thousands of streams, a collector measures some of them after others, so that their figures
 * need not be in memory together. */

/* Limits the memory of the collector. @param has_room returns false if the collector may not use
 * @p memory bytes: adding a transaction or a generator then returns FTR_ERR_LIMIT. Called from time
 * to time. */
void ftr_run_collector_limit(ftr_run_collector *collector,
                             bool (*has_room)(void *user, size_t memory), void *user);

/* Moves the figures of all streams to @p part, without their series, and removes the streams from
 * the collector, which can then measure other streams. The streams of a later part must have
 * greater names.
 * @param[out] part owned by the caller until ftr_run_record_release()
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_run_collector_take(ftr_run_collector *collector, ftr_run_record *part);

/* Removes all streams and their figures from the collector. They must be measured again. */
void ftr_run_collector_drop(ftr_run_collector *collector);

/* Returns the series of all parts. They belong to the collector. */
ftr_series_list ftr_run_collector_series(const ftr_run_collector *collector);

/* Makes the record of a run without its streams and its identity: see ftr_run_collector_record().
 */
FTR_MUST_USE ftr_status ftr_run_collector_head(ftr_run_collector *collector,
                                               const ftr_run_source *source, ftr_run_record *run);

/* ---- the state of a collector as bytes (collector_state.c) ----------------------------------- */

/* Another process can restore the state and add the remaining transactions. It then gets the same
 * record. Only the same build on the same machine can read the bytes; they are not a file
 * format. */

struct ftr_cbor_reader;
struct ftr_cbor_writer;

/* Writes the state of a collector with the order FTR_COLLECT_AS_RECORDED. Errors latch in the
 * writer. */
void ftr_collector_state_put(const ftr_run_collector *collector, struct ftr_cbor_writer *w);

/* Restores a state in @p collector, which must be new and have been created with
 * FTR_COLLECT_AS_RECORDED.
 * @return FTR_OK; FTR_ERR_FORMAT or FTR_ERR_TRUNCATED if the bytes are not a state; FTR_ERR_MEMORY
 */
FTR_MUST_USE ftr_status ftr_collector_state_get(ftr_run_collector *collector,
                                                struct ftr_cbor_reader *r);

#endif
