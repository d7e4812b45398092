/* How far the drain has read each block. */
#ifndef FTR_READ_POSITIONS_H
#define FTR_READ_POSITIONS_H

#include "lane.h"

#include "cbor_writer.h"

/* Writes the position in each block that was read and is not released (journal_state.h), as one
 * byte string. The caller holds `encoding`. */
void ftr_read_positions_put(ftr_recorder *rec, ftr_cbor_writer *w);

/* Returns the end of the last transaction that was read from the present block of a lane; 0 if none
 * was. The caller holds `encoding`. */
uint64_t ftr_read_position_time(const ftr_lane *lane);

#endif
