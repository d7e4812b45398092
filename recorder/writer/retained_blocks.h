/* Retained blocks: the drain has read them completely, but not all of their records are in the file
 * yet. The other records are only in chunk bodies, which a crash destroys; the blocks in the
 * journal survive it. */
#ifndef FTR_RETAINED_BLOCKS_H
#define FTR_RETAINED_BLOCKS_H

#include "lane.h"

/* All functions: the caller holds `encoding`. */

/* Retains the current block of @p lane, which was read completely. If out of memory, the recorder
 * fails. Returns whether at least half of the buffer's blocks are retained now. */
bool ftr_retained_add(ftr_recorder *rec, const ftr_lane *lane);

/* Returns the ticket of the middle one of the retained blocks of @p buffer. At least one block must
 * be retained. */
uint64_t ftr_retained_middle(const ftr_recorder *rec, uint32_t buffer);

/* Returns whether the number of retained blocks is worth the cost of releasing them. */
bool ftr_retained_are_enough(const ftr_recorder *rec);

/* Releases every block of which all records are in the file. If there is a summary, first saves the
 * state of the summary in the journal. */
void ftr_retained_release(ftr_recorder *rec);

#endif
