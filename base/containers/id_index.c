/* The growth of an index of ids. */
#include "id_index.h"

#include "growing_array.h"

#define CAPACITY_MIN 64

/* The old slots count against the budget until they are freed. */
static ftr_status grow(ftr_id_index *ids, ftr_budget *budget)
{
    const size_t before = ids->capacity;
    const size_t capacity = before > 0 ? before * 2 : CAPACITY_MIN;
    if (!ftr_budget_reserve(budget, capacity * sizeof *ids->slots))
        return FTR_ERR_LIMIT;
    const bool grown = ftr_table_resize(&ftr_id_rule, &ids->slots, &ids->capacity, capacity);
    ftr_budget_release(budget, (grown ? before : capacity) * sizeof *ids->slots);
    return grown ? FTR_OK : FTR_ERR_MEMORY;
}

ftr_status ftr_id_index_put(ftr_id_index *ids, ftr_budget *budget, uint64_t id, uint64_t value)
{
    if ((ids->count + 1) * 4 > ids->capacity * 3) {
        const ftr_status status = grow(ids, budget);
        if (status != FTR_OK)
            return status;
    }
    ftr_id_slot *slot = ftr_id_index_slot(ids, id);
    ids->count += slot->value == FTR_ID_NONE;
    *slot = (ftr_id_slot){id, value};
    return FTR_OK;
}

void ftr_id_index_release(ftr_id_index *ids, ftr_budget *budget)
{
    ftr_array_release(budget, ids->slots, ids->capacity, sizeof *ids->slots);
    *ids = (ftr_id_index){0};
}
