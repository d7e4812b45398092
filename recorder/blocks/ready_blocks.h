/* Memory that the draining thread provides for the recording threads: blocks, some of which are
 * always ready, and slots, if a thread waits for them. The first use of a block or slot costs a
 * recording thread more time than recording into it. */
#ifndef FTR_READY_BLOCKS_H
#define FTR_READY_BLOCKS_H

#include "recorder_state.h"

/* Returns whether the writer thread should provide memory: fewer than half of the wanted blocks are
 * ready, or a thread waits for slots. The caller holds `lock`. */
bool ftr_ready_blocks_are_few(const ftr_recorder *rec);

/* Returns whether no block is ready that a thread could take, and the writer thread can provide
 * one. The caller holds `lock`. */
bool ftr_ready_blocks_can_be_awaited(const ftr_recorder *rec);

/* Provides the wanted blocks and slots. Called by the thread that drains, without `lock`. */
void ftr_ready_blocks_provide(ftr_recorder *rec);

/* Provides the memory that each run uses, before the first call of the program. */
void ftr_ready_blocks_provide_first(ftr_recorder *rec);

#endif
