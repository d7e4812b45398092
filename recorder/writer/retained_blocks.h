/* Blocks that were read completely and are retained until all of their records are in the file:
 * while the records are in chunk bodies, only the block survives a crash. */
#ifndef FTR_RETAINED_BLOCKS_H
#define FTR_RETAINED_BLOCKS_H

#include "lane.h"

/* All functions: the caller holds `encoding`. */

/* Retains the block of @p lane that was read completely. Without memory, the recorder fails.
 * Returns whether half of the buffer's blocks are now retained. */
bool ftr_retained_add(ftr_recorder *rec, const ftr_lane *lane);

/* The ticket of the middle block among the retained blocks of @p buffer. */
uint64_t ftr_retained_middle(const ftr_recorder *rec, uint32_t buffer);

/* Whether so many blocks are retained that releasing them is worth its cost. */
bool ftr_retained_are_enough(const ftr_recorder *rec);

/* Releases every block whose records are all in the file and, if there is a summary, in its state
 * in the journal. */
void ftr_retained_release(ftr_recorder *rec);

#endif
