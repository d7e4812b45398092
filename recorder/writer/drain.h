/* Moves the records of the lanes into the encoder, and writes full or old chunks to the file. */
#ifndef FTR_DRAIN_H
#define FTR_DRAIN_H

#include "recorder_state.h"

typedef enum ftr_drain_extent {
    FTR_DRAIN_USUAL, /* full chunks, and records that have reached the maximum delay */
    FTR_DRAIN_ALL,   /* every record committed before the call */
    FTR_DRAIN_TAKE   /* as FTR_DRAIN_ALL, but only into the encoder, because more data follows */
} ftr_drain_extent;

/* Drains the readable buffers. Does nothing while the time scale is unknown, or while a flight
 * recorder retains its records. The caller holds `encoding`. */
void ftr_drain_lanes(ftr_recorder *rec, ftr_drain_extent extent);

/* Returns whether all readable lanes have been read completely. The caller holds `encoding`, or all
 * other threads have stopped draining. */
bool ftr_drain_is_complete(const ftr_recorder *rec);

#endif
