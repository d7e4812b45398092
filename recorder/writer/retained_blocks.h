/* Blocks that were read to their end and are kept until the file has all of their records: while
 * the records are in the bodies of chunks, the block is what survives a crash. */
#ifndef FTR_RETAINED_BLOCKS_H
#define FTR_RETAINED_BLOCKS_H

#include "lane.h"

/* All functions: the caller holds `encoding`. */

/* Retains the block that the drain has read in @p lane. Without memory the recorder fails. Returns
 * whether half of the buffer's blocks are retained now. */
bool ftr_retained_add(ftr_recorder *rec, const ftr_lane *lane);

/* The ticket of the block in the middle of those retained of @p buffer. */
uint64_t ftr_retained_middle(const ftr_recorder *rec, uint32_t buffer);

/* Releases every block whose records the file has. */
void ftr_retained_release(ftr_recorder *rec);

#endif
