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

/* Stores whether the trace has a writer thread. Called by the thread that opens the trace; @p
 * is_on_writer: this thread is the writer thread. */
void ftr_writer_attach(ftr_recorder *rec, bool is_on_writer);

/* A function that opens a trace. Sets @p rec to the recorder of the trace, or to NULL if out of
 * memory. */
typedef ftr_status ftr_writer_open(void *data, ftr_recorder **rec);

/* Starts a writer thread, which first calls @p open with @p data. Waits until @p open has returned.
 * If @p open does not return FTR_OK, the thread ends.
 * @param[out] status  the result of @p open
 * @return false if the thread could not be started; @p open was then not called */
FTR_MUST_USE bool ftr_writer_start(ftr_writer_open *open, void *data, ftr_status *status);

/* Ends the file and calls @p close. If there is a writer thread, ends the file on this thread, and
 * joins the thread. The writer thread also calls @p close, with two exceptions, in which the
 * calling thread calls it after the join: the trace has a sink, or the file has ended because of a
 * signal. */
void ftr_writer_close(ftr_recorder *rec, void (*close)(ftr_recorder *rec));

#endif
