/* Distributes the transactions of a stream to lanes. Always uses the first free lane, so a stream
 * without overlapping transactions has one lane. */
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

/* ---- heaps ----------------------------------------------------------------------------------- */

static void push_busy(ftr_stream_lanes *lanes, ftr_busy_lane lane)
{
    size_t at = lanes->busy_count++;
    for (; at > 0 && lane.end < lanes->busy[(at - 1) / 2].end; at = (at - 1) / 2)
        lanes->busy[at] = lanes->busy[(at - 1) / 2];
    lanes->busy[at] = lane;
}

static ftr_busy_lane pop_busy(ftr_stream_lanes *lanes)
{
    const ftr_busy_lane first = lanes->busy[0];
    const ftr_busy_lane moved = lanes->busy[--lanes->busy_count];
    size_t at = 0;
    for (size_t below = 1; below < lanes->busy_count; below = 2 * at + 1) {
        below +=
            below + 1 < lanes->busy_count && lanes->busy[below + 1].end < lanes->busy[below].end;
        if (moved.end <= lanes->busy[below].end)
            break;
        lanes->busy[at] = lanes->busy[below];
        at = below;
    }
    lanes->busy[at] = moved;
    return first;
}

static void push_idle(ftr_stream_lanes *lanes, uint32_t ordinal)
{
    size_t at = lanes->idle_count++;
    for (; at > 0 && ordinal < lanes->idle[(at - 1) / 2]; at = (at - 1) / 2)
        lanes->idle[at] = lanes->idle[(at - 1) / 2];
    lanes->idle[at] = ordinal;
}

static uint32_t pop_idle(ftr_stream_lanes *lanes)
{
    const uint32_t first = lanes->idle[0];
    const uint32_t moved = lanes->idle[--lanes->idle_count];
    size_t at = 0;
    for (size_t below = 1; below < lanes->idle_count; below = 2 * at + 1) {
        below += below + 1 < lanes->idle_count && lanes->idle[below + 1] < lanes->idle[below];
        if (moved <= lanes->idle[below])
            break;
        lanes->idle[at] = lanes->idle[below];
        at = below;
    }
    lanes->idle[at] = moved;
    return first;
}

/* ---- lanes ----------------------------------------------------------------------------------- */

static bool make_room(ftr_stream_lanes *lanes)
{
    return ftr_array_grow(&lanes->numbers, &lanes->capacity, lanes->count,
                          sizeof *lanes->numbers) &&
           ftr_array_grow(&lanes->busy, &lanes->busy_capacity, lanes->count, sizeof *lanes->busy) &&
           ftr_array_grow(&lanes->idle, &lanes->idle_capacity, lanes->count, sizeof *lanes->idle);
}

uint32_t ftr_lane_assign(ftr_lane_table *table, size_t stream, uint64_t begin, uint64_t end,
                         bool *is_new, size_t *ordinal)
{
    ftr_stream_lanes *lanes = lanes_of(table, stream);
    if (lanes == NULL)
        return 0;
    while (lanes->busy_count > 0 && lanes->busy[0].end <= begin)
        push_idle(lanes, pop_busy(lanes).ordinal);
    *is_new = lanes->idle_count == 0;
    if (*is_new) {
        if (!make_room(lanes))
            return 0;
        lanes->numbers[lanes->count] = ++table->lanes;
        push_idle(lanes, (uint32_t)lanes->count++);
    }
    *ordinal = pop_idle(lanes);
    push_busy(lanes, (ftr_busy_lane){end, (uint32_t)*ordinal});
    return lanes->numbers[*ordinal];
}

void ftr_lane_table_release(ftr_lane_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        free(table->streams[i].numbers);
        free(table->streams[i].busy);
        free(table->streams[i].idle);
    }
    free(table->streams);
    *table = (ftr_lane_table){0};
}
