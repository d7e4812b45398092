/* The address space of a recorder: one mapping with the header of the journal, slots, blocks,
 * tables of definitions and a range of the encoder. A mapping of its own for each of them would
 * take more time than the rest of a short run. */
#ifndef FTR_RECORDER_MEMORY_H
#define FTR_RECORDER_MEMORY_H

#include "arena.h"
#include "definitions.h"

/* Reserves the address space.
 * @param[out] whole  the mapping, for ftr_range_release()
 * @param arena,definitions  zero-initialised; get their ranges
 * @param blocks the number of blocks for records
 * @param share as in ftr_range_request, for the blocks
 * @param further the range of another user
 * @param left the result of ftr_range_left()
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_recorder_memory_reserve(ftr_range *whole, ftr_arena *arena,
                                                    size_t blocks, size_t share,
                                                    ftr_definitions *definitions,
                                                    const ftr_range_request *further, size_t left);

#endif
