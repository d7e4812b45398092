/* Owns lists of chunks. Does not know the content of chunks. */
#include "chunk_order.h"

#include "growing_array.h"

ftr_status ftr_chunk_order_collect(ftr_chunk_order *order, ftr_reader *reader,
                                   ftr_chunk_choice *chooses, void *user)
{
    for (size_t i = 0; i < reader->chunk_count; i++) {
        if (!chooses(user, ftr_chunk_at(reader, i)))
            continue;
        const ftr_status status = ftr_array_reserve(&reader->budget, &order->list, &order->capacity,
                                                    order->count + 1, sizeof *order->list);
        if (status != FTR_OK)
            return status;
        order->list[order->count++] = (uint32_t)i;
    }
    return FTR_OK;
}

static bool may_include(void *user, const ftr_chunk *chunk)
{
    return ftr_selection_may_include(user, chunk);
}

ftr_status ftr_chunk_order_select(ftr_chunk_order *order, ftr_selection *selection)
{
    return ftr_chunk_order_collect(order, selection->reader, may_include, selection);
}

void ftr_chunk_order_release(ftr_chunk_order *order, ftr_budget *budget)
{
    ftr_array_release(budget, order->list, order->capacity, sizeof *order->list);
    *order = (ftr_chunk_order){0};
}
