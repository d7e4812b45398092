/* The writer thread. In a recorder without a writer thread, the recording threads drain. */
#ifndef FTR_WRITER_H
#define FTR_WRITER_H

#include "drain.h"

/* Drains once. Before that, calls ftr_flight_update(), which writes the file of a triggered flight
 * recorder. The caller holds no lock. */
void ftr_writer_drain(ftr_recorder *rec, ftr_drain_extent extent);

/* Like ftr_writer_drain(), for a caller that holds `encoding`. */
void ftr_writer_drain_locked(ftr_recorder *rec, ftr_drain_extent extent);

/* Drains if the last drain by this function was at least a quarter of a second ago. Limits the
 * delay of records in a recorder without a writer thread. */
void ftr_writer_drain_if_old(ftr_recorder *rec);

/* Drains everything, on the writer thread if there is one, and waits for completion. Does not wait
 * any longer if a signal ends the program. */
void ftr_writer_drain_everything(ftr_recorder *rec);

/* Schedules the writer thread: from now on, the caller of a record call asks ftr_writer_is_due()
 * and starts the thread. Starting a thread costs more than recording, encoding and writing a
 * hundred transactions, so a short run does without one. */
void ftr_writer_schedule(ftr_recorder *rec);

/* Returns whether a scheduled writer thread must be started, because the first block of the run has
 * @p used bytes of records, or because time has passed. */
bool ftr_writer_is_due(const ftr_recorder *rec, size_t used);

/* Starts the scheduled writer thread, without waiting for it. Has no effect if there is none, or if
 * the recorder has ended. If the thread cannot be started, reports this, and the recording threads
 * drain. The caller holds no lock. */
void ftr_writer_start(ftr_recorder *rec);

/* Starts the scheduled writer thread if the journal has got more blocks or slots than at its start:
 * the run is not short. The caller holds no lock. */
void ftr_writer_start_if_grown(ftr_recorder *rec);

/* Ends the file and calls @p close. If there is a writer thread, ends the file on this thread, and
 * joins the thread. The writer thread also calls @p close, with two exceptions, in which the
 * calling thread calls it after the join: the trace has a sink, or the file has ended because of a
 * signal. */
void ftr_writer_close(ftr_recorder *rec, void (*close)(ftr_recorder *rec));

#endif
