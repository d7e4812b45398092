/* Blocks with memory that the draining thread has ready for the recording threads. The first use of
 * a block costs a recording thread more time than recording into it. */
#ifndef FTR_READY_BLOCKS_H
#define FTR_READY_BLOCKS_H

#include "recorder_state.h"

/* Returns whether the writer thread should provide blocks: fewer than half of the wanted ones are
 * ready. The caller holds `lock`. */
bool ftr_ready_blocks_are_few(const ftr_recorder *rec);

/* Provides the wanted blocks. Called by the thread that drains, without `lock`. */
void ftr_ready_blocks_provide(ftr_recorder *rec);

/* Provides the memory that each run uses, before the first call of the program. */
void ftr_ready_blocks_provide_first(ftr_recorder *rec);

#endif
