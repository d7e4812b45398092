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

static void push(ftr_lane_heap *heap, uint64_t key, uint32_t ordinal)
{
    size_t at = heap->count++;
    for (; at > 0 && key < heap->lanes[(at - 1) / 2].key; at = (at - 1) / 2)
        heap->lanes[at] = heap->lanes[(at - 1) / 2];
    heap->lanes[at] = (ftr_keyed_lane){key, ordinal};
}

/* Removes the first lane and returns its ordinal. */
static uint32_t pop(ftr_lane_heap *heap)
{
    ftr_keyed_lane *lanes = heap->lanes;
    const uint32_t first = lanes[0].ordinal;
    const ftr_keyed_lane moved = lanes[--heap->count];
    size_t at = 0;
    for (size_t below = 1; below < heap->count; below = 2 * at + 1) {
        below += below + 1 < heap->count && lanes[below + 1].key < lanes[below].key;
        if (moved.key <= lanes[below].key)
            break;
        lanes[at] = lanes[below];
        at = below;
    }
    lanes[at] = moved;
    return first;
}

/* Makes room in a heap for one lane more than the @p count lanes of the stream. */
static bool make_room(ftr_lane_heap *heap, size_t count)
{
    return ftr_array_grow(&heap->lanes, &heap->capacity, count, sizeof *heap->lanes);
}

uint32_t ftr_lane_assign(ftr_lane_table *table, size_t stream, uint64_t begin, uint64_t end,
                         bool *is_new, size_t *ordinal)
{
    ftr_stream_lanes *lanes = lanes_of(table, stream);
    if (lanes == NULL)
        return 0;
    while (lanes->busy.count > 0 && lanes->busy.lanes[0].key <= begin) {
        const uint32_t free_lane = pop(&lanes->busy);
        push(&lanes->idle, free_lane, free_lane);
    }
    *is_new = lanes->idle.count == 0;
    if (*is_new) {
        if (!ftr_array_grow(&lanes->numbers, &lanes->capacity, lanes->count,
                            sizeof *lanes->numbers) ||
            !make_room(&lanes->busy, lanes->count) || !make_room(&lanes->idle, lanes->count))
            return 0;
        lanes->numbers[lanes->count] = ++table->lanes;
        push(&lanes->idle, lanes->count, (uint32_t)lanes->count);
        lanes->count++;
    }
    *ordinal = pop(&lanes->idle);
    push(&lanes->busy, end, (uint32_t)*ordinal);
    return lanes->numbers[*ordinal];
}

void ftr_lane_table_release(ftr_lane_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        free(table->streams[i].numbers);
        free(table->streams[i].busy.lanes);
        free(table->streams[i].idle.lanes);
    }
    free(table->streams);
    *table = (ftr_lane_table){0};
}
