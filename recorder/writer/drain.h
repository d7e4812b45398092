/* Reads the records of the lanes into the encoder, and has the file get what is full or old. */
#ifndef FTR_DRAIN_H
#define FTR_DRAIN_H

#include "recorder_state.h"

typedef enum ftr_drain_extent {
    FTR_DRAIN_USUAL, /* full chunks, and records that have waited */
    FTR_DRAIN_ALL,   /* every record committed when the call was made */
    FTR_DRAIN_TAKE   /* the same, but only to the encoder: more is to come */
} ftr_drain_extent;

/* Drains the buffers that are readable. Does nothing before the time scale is known, or while a
 * flight recorder holds its content. The caller holds `encoding`. */
void ftr_drain_lanes(ftr_recorder *rec, ftr_drain_extent extent);

/* Returns whether all readable lanes were read up to now. The caller holds `encoding`, or no thread
 * drains any more. */
bool ftr_drain_is_complete(const ftr_recorder *rec);

#endif
