/* Counts the records in blocks that the journal does not contain, because it could not be extended.
 * The counts are in the journal, so that recovery of a killed run knows how many transactions it
 * cannot restore. The record calls do not count: a block is counted when it is full, and recovery
 * only knows a bound for the block that a lane was filling. */
#ifndef FTR_UNCOVERED_BLOCKS_H
#define FTR_UNCOVERED_BLOCKS_H

#include "recorder_state.h"

/* Returns whether the journal exists and does not contain the block. */
bool ftr_block_is_uncovered(const ftr_recorder *rec, const ftr_block *block);

/* The block is full: counts its records. The caller holds `lock`. */
void ftr_uncovered_block_full(ftr_recorder *rec, ftr_block *block);

/* The drain begins to read the block: from now on, some of its records can be in the file. */
void ftr_uncovered_block_read(ftr_recorder *rec, ftr_block *block);

/* The full block is about to be released: its records are in the file or counted as losses. The
 * caller holds `lock`. */
void ftr_uncovered_block_released(ftr_recorder *rec, const ftr_block *block);

#endif
