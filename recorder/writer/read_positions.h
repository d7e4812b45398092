/* How far the records of each block were taken. */
#ifndef FTR_READ_POSITIONS_H
#define FTR_READ_POSITIONS_H

#include "recorder_state.h"

#include "cbor_writer.h"

/* Writes the position in each block that was read and is not released (journal_state.h), as one
 * byte string. The caller holds `encoding`. */
void ftr_read_positions_put(ftr_recorder *rec, ftr_cbor_writer *w);

#endif
