/* Owns the growth of an index of ids. Does not know the meaning of ids and values. */
#include "id_index.h"

#include "growing_array.h"

#include <string.h>

#define CAPACITY_MIN 64

/* The old slots count against the budget until they are freed. */
static ftr_status grow(ftr_id_index *ids, ftr_budget *budget)
{
    const ftr_id_index old = *ids;
    const size_t capacity = old.capacity > 0 ? old.capacity * 2 : CAPACITY_MIN;
    if (!ftr_budget_reserve(budget, capacity * sizeof *old.slots))
        return FTR_ERR_LIMIT;
    ftr_id_slot *slots = malloc(capacity * sizeof *slots);
    if (slots == NULL) {
        ftr_budget_release(budget, capacity * sizeof *slots);
        return FTR_ERR_MEMORY;
    }
    memset(slots, 0xff, capacity * sizeof *slots);
    ids->slots = slots;
    ids->capacity = capacity;
    for (size_t i = 0; i < old.capacity; i++)
        if (old.slots[i].value != FTR_ID_NONE)
            *ftr_id_index_slot(ids, old.slots[i].id) = old.slots[i];
    ftr_array_release(budget, old.slots, old.capacity, sizeof *old.slots);
    return FTR_OK;
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
