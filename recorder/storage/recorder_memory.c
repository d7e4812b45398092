/* Decides the order of the ranges. The journal maps the header, the first slots and the first
 * blocks, in this order, so that few system calls apply to all of them. */
#include "recorder_memory.h"

#define BLOCKS_WANTED ((size_t)4 << 30)

ftr_status ftr_recorder_memory_reserve(ftr_range *whole, ftr_arena *arena, size_t blocks,
                                       size_t share, ftr_definitions *definitions,
                                       const ftr_range_request *further, size_t left)
{
    enum { ENTITIES, ATTRIBUTES, RELATIONS, TEXTS };
    const size_t slots = FTR_SLOTS_MAX * FTR_SLOT_SIZE;
    ftr_range_request tables[FTR_DEFINITION_TABLES];
    ftr_definitions_request(definitions, tables);
    const ftr_range_request requests[] = {
        tables[RELATIONS],
        tables[TEXTS],
        {&arena->header, FTR_JOURNAL_HEADER_ROOM, FTR_JOURNAL_HEADER_ROOM, 1},
        {&arena->slots, slots, slots, 1},
        {&arena->blocks, BLOCKS_WANTED, FTR_ARENA_LEAST(blocks) * FTR_BLOCK_SIZE, share},
        tables[ENTITIES],
        tables[ATTRIBUTES],
        *further,
    };
    ftr_status status =
        ftr_ranges_reserve(whole, requests, sizeof requests / sizeof requests[0], left);
    if (status != FTR_OK)
        return status;
    /* All slots are usable memory, because calls also read the slot of an invalid handle. The
     * tables before them are small. */
    ftr_range *const first[] = {&definitions->relations, &definitions->texts, &arena->header,
                                &arena->slots};
    status = ftr_ranges_commit(first, sizeof first / sizeof first[0]);
    if (status != FTR_OK)
        ftr_range_release(whole);
    return status;
}
