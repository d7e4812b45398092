/* Sorts transactions by end. Most of them are in order, or a few places away from their place, so
 * they are inserted one by one; if the distances are long, all are sorted at once. */
#include "end_order.h"

#include "growing_array.h"

#include <stdlib.h>

/* Average distance in places, above which inserting takes longer than sorting all. */
#define DISTANCE_MAX 24u

/* Moves the transactions to the start of the array. */
static void compact(ftr_end_order *order)
{
    if (order->first == 0)
        return;
    memmove(order->of, order->of + order->first, ftr_end_order_count(order) * sizeof *order->of);
    order->end -= order->first;
    order->sorted -= order->first;
    order->first = 0;
}

bool ftr_end_order_make_room(ftr_end_order *order)
{
    if (order->first > order->capacity / 2) {
        compact(order);
        return true;
    }
    return ftr_array_grow_small(&order->of, &order->capacity, order->end, sizeof *order->of);
}

static inline bool is_before(const ftr_waiting_tx *a, const ftr_waiting_tx *b)
{
    return a->end != b->end ? a->end < b->end : a->begin < b->begin;
}

static int compare(const void *a, const void *b)
{
    return is_before(a, b) ? -1 : is_before(b, a);
}

void ftr_end_order_sort(ftr_end_order *order)
{
    ftr_waiting_tx *const of = order->of;
    const size_t first = order->first;
    size_t steps = (order->end - order->sorted) * DISTANCE_MAX;
    for (size_t i = order->sorted > first ? order->sorted : first + 1; i < order->end; i++) {
        size_t at = i;
        if (!is_before(&of[i], &of[i - 1]))
            continue;
        const ftr_waiting_tx moving = of[i];
        for (; at > first && is_before(&moving, &of[at - 1]); at--)
            of[at] = of[at - 1];
        of[at] = moving;
        if (i - at > steps) {
            qsort(of + first, order->end - first, sizeof *of, compare);
            break;
        }
        steps -= i - at;
    }
    order->sorted = order->end;
}

void ftr_end_order_remove(ftr_end_order *order, size_t count)
{
    order->first += count;
    if (order->first == order->end)
        order->first = order->end = order->sorted = 0;
    if (order->sorted < order->first)
        order->sorted = order->first;
}

void ftr_end_order_shrink(ftr_end_order *order)
{
    compact(order);
    if (order->end < order->capacity / 2)
        (void)ftr_array_resize(&order->of, &order->capacity, order->end > 0 ? order->end : 1,
                               sizeof *order->of);
}

void ftr_end_order_release(ftr_end_order *order)
{
    free(order->of);
    *order = (ftr_end_order){0};
}
