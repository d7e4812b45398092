/* The drain: moves the records of the lanes into the encoder, and writes full or old chunks to the
 * file. */
#ifndef FTR_DRAIN_H
#define FTR_DRAIN_H

#include "recorder_state.h"

typedef enum ftr_drain_extent {
    FTR_DRAIN_USUAL, /* writes full chunks, and records that have reached the maximum delay */
    FTR_DRAIN_ALL    /* writes every record that was committed before the call */
} ftr_drain_extent;

/* Drains the lanes of all readable buffers. Does nothing before the time scale is known. In a
 * flight recorder, does nothing before ftr_flight_update() or ftr_flight_end() begins to write the
 * file. The caller holds `encoding`. */
void ftr_drain_lanes(ftr_recorder *rec, ftr_drain_extent extent);

/* Returns whether the drain has read all records in the lanes of readable buffers. Always returns
 * true for a flight recorder, which drains only after a trigger. The caller holds `encoding`, or no
 * other thread drains any more. */
bool ftr_drain_is_complete(const ftr_recorder *rec);

#endif
