/* The writer thread, and drains by other threads where there is none. */
#ifndef FTR_WRITER_H
#define FTR_WRITER_H

#include "drain.h"

/* One drain; writes the file of a flight recorder that was triggered. The caller holds no lock. */
void ftr_writer_drain(ftr_recorder *rec, ftr_drain_extent extent);

/* The same for a caller that holds `encoding`. */
void ftr_writer_drain_locked(ftr_recorder *rec, ftr_drain_extent extent);

/* Drains if records have waited long enough. For recorders without a writer thread. */
void ftr_writer_drain_if_old(ftr_recorder *rec);

/* Has everything drained, by the writer thread if there is one, and waits for that. */
void ftr_writer_drain_everything(ftr_recorder *rec);

FTR_MUST_USE ftr_status ftr_writer_start(ftr_recorder *rec);

/* Ends the file, by the writer thread if there is one, and joins the thread. */
void ftr_writer_stop(ftr_recorder *rec);

#endif
