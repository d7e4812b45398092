/* Lanes: tracks of a viewer. Slices on one track must not overlap, so the number of lanes of a
 * stream is the maximum number of transactions that are open at the same time. */
#ifndef FTR_STREAM_LANES_H
#define FTR_STREAM_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A lane in a heap. */
typedef struct ftr_keyed_lane {
    uint64_t key;
    uint32_t ordinal; /* number of the lane within the stream, from 0 */
} ftr_keyed_lane;

/* The lane with the lowest key is the first one. */
typedef struct ftr_lane_heap {
    ftr_keyed_lane *lanes;
    size_t count, capacity;
} ftr_lane_heap;

typedef struct ftr_stream_lanes {
    uint32_t *numbers; /* numbers of lanes, unique in the whole file, from 1; index: ordinal */
    size_t count, capacity;
    ftr_lane_heap busy; /* lanes with an open transaction; key: end of this transaction in ticks */
    ftr_lane_heap idle; /* all other lanes; key: the ordinal */
} ftr_stream_lanes;

typedef struct ftr_lane_table {
    ftr_stream_lanes *streams; /* index: number of the stream */
    size_t count;
    uint32_t lanes; /* number of lanes of all streams */
} ftr_lane_table;

/* Finds a lane of @p stream that is free from @p begin on, and reserves it until @p end. Must be
 * called in the order of the begins.
 * @param[out] is_new true if the lane was not used before; @param[out] ordinal number of the lane
 *                    within the stream, from 0
 * @return the number of the lane in the file; 0 if out of memory */
uint32_t ftr_lane_assign(ftr_lane_table *table, size_t stream, uint64_t begin, uint64_t end,
                         bool *is_new, size_t *ordinal);
void ftr_lane_table_release(ftr_lane_table *table);

#endif
