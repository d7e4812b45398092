/* The writer thread. In a recorder without a writer thread, the recording threads drain. */
#ifndef FTR_WRITER_H
#define FTR_WRITER_H

#include "drain.h"

/* Drains once, and writes the file of a triggered flight recorder. The caller holds no lock. */
void ftr_writer_drain(ftr_recorder *rec, ftr_drain_extent extent);

/* Like the function above, for a caller that holds `encoding`. */
void ftr_writer_drain_locked(ftr_recorder *rec, ftr_drain_extent extent);

/* Drains if the oldest records have reached the maximum delay. For recorders without a writer
 * thread. */
void ftr_writer_drain_if_old(ftr_recorder *rec);

/* Drains everything, on the writer thread if there is one, and waits for completion. */
void ftr_writer_drain_everything(ftr_recorder *rec);

FTR_MUST_USE ftr_status ftr_writer_start(ftr_recorder *rec);

/* Ends the file, on the writer thread if there is one. */
void ftr_writer_end(ftr_recorder *rec);

/* Calls @p last_work, on the writer thread if there is one, and joins this thread. The file must
 * have ended. */
void ftr_writer_leave(ftr_recorder *rec, void (*last_work)(ftr_recorder *rec));

#endif
