/* Tracks of a viewer on which slices do not overlap: as many for a stream as it has transactions at
 * one time. */
#ifndef FTR_STREAM_LANES_H
#define FTR_STREAM_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ftr_lane {
    uint64_t end;    /* of what is on it */
    uint32_t number; /* among all lanes of the file, from 1 */
} ftr_lane;

typedef struct ftr_stream_lanes {
    ftr_lane *lanes;
    size_t count, capacity;
} ftr_stream_lanes;

typedef struct ftr_lane_table {
    ftr_stream_lanes *streams; /* by index */
    size_t count;
    uint32_t lanes; /* of all streams */
} ftr_lane_table;

/* A lane that is free from @p begin on, taken until @p end. Asked in order of begin.
 * @param[out] is_new it is the first on it; @param[out] ordinal its number in the stream, from 0
 * @return its number; 0 without memory */
uint32_t ftr_lane_take(ftr_lane_table *table, size_t stream, uint64_t begin, uint64_t end,
                       bool *is_new, size_t *ordinal);
void ftr_lane_table_release(ftr_lane_table *table);

#endif
