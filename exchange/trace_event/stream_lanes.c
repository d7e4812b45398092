/* Owns the distribution of a stream's transactions to lanes. Always uses the first free lane, so a
 * stream without overlapping transactions has one lane. */
#include "stream_lanes.h"

#include "growing_array.h"

#include <stdlib.h>
#include <string.h>

static ftr_stream_lanes *lanes_of(ftr_lane_table *table, size_t stream)
{
    if (!ftr_array_reach(&table->streams, &table->count, stream, sizeof *table->streams))
        return NULL;
    return &table->streams[stream];
}

uint32_t ftr_lane_assign(ftr_lane_table *table, size_t stream, uint64_t begin, uint64_t end,
                         bool *is_new, size_t *ordinal)
{
    ftr_stream_lanes *lanes = lanes_of(table, stream);
    if (lanes == NULL)
        return 0;
    *is_new = false;
    for (size_t i = 0; i < lanes->count; i++)
        if (lanes->lanes[i].end <= begin) {
            lanes->lanes[i].end = end;
            *ordinal = i;
            return lanes->lanes[i].number;
        }
    if (!ftr_array_grow(&lanes->lanes, &lanes->capacity, lanes->count, sizeof *lanes->lanes))
        return 0;
    *is_new = true;
    *ordinal = lanes->count;
    lanes->lanes[lanes->count] = (ftr_lane){end, ++table->lanes};
    return lanes->lanes[lanes->count++].number;
}

void ftr_lane_table_release(ftr_lane_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->streams[i].lanes);
    free(table->streams);
    *table = (ftr_lane_table){0};
}
