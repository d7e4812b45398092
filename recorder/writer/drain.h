/* Takes what the lanes have filled to the encoder and to the file, and gives the blocks back: in
 * the writer thread, or in whoever calls. */
#ifndef FTR_DRAIN_H
#define FTR_DRAIN_H

#include "recorder_state.h"

typedef enum ftr_drain_extent {
    FTR_DRAIN_USUAL, /* what is full or has waited */
    FTR_DRAIN_ALL,   /* everything committed when the call was made */
    FTR_DRAIN_TAKE   /* the same, but only to the encoder: more is to come */
} ftr_drain_extent;

/* Does nothing before the time scale is known. */
void ftr_drain(ftr_recorder *rec, ftr_drain_extent extent);

/* Drains when something has waited long enough. For recorders without a writer thread. */
void ftr_drain_if_old(ftr_recorder *rec);

/* The same when the caller holds `encoding`. */
void ftr_drain_locked(ftr_recorder *rec, ftr_drain_extent extent);

/* Has everything drained, by the writer thread if there is one, and waits for it. */
void ftr_drain_everything(ftr_recorder *rec);

/* Gives back every block that the file has all of. The caller holds `encoding`. */
void ftr_drain_release(ftr_recorder *rec);

/* Whether all lanes were read up to now. The caller holds `encoding`, or nobody drains any more. */
bool ftr_drain_is_complete(const ftr_recorder *rec);

/* Starts the writer thread; stops it after it has ended the file, which the caller does if there is
 * none. */
FTR_MUST_USE ftr_status ftr_writer_start(ftr_recorder *rec);
void ftr_writer_stop(ftr_recorder *rec);

#endif
