/* The position up to which the drain has read each block. */
#ifndef FTR_READ_POSITIONS_H
#define FTR_READ_POSITIONS_H

#include "lane.h"

#include "cbor_writer.h"

/* Writes the read position of each block that the drain has read at least in part and that is not
 * released yet, as one byte string (ftr_read_position, journal_state.h). The caller holds
 * `encoding`. */
void ftr_read_positions_put(ftr_recorder *rec, ftr_cbor_writer *w);

/* Returns the end, in ticks, of the last transaction that was read from the current block of a
 * lane; 0 if no transaction was read from it. The caller holds `encoding`. */
uint64_t ftr_read_position_time(const ftr_lane *lane);

#endif
