/* Arrays that grow within a budget. */
#ifndef FTR_GROWING_ARRAY_H
#define FTR_GROWING_ARRAY_H

#include "memory_budget.h"

#include <ftr/status.h>

#include <stdlib.h>

/* Makes room for @p count items of @p item bytes in *array. Counts both the old and the new memory
 * against the budget until the old memory is freed. */
static inline ftr_status ftr_array_reserve(ftr_budget *budget, void **array, size_t *capacity,
                                           size_t count, size_t item)
{
    if (count <= *capacity)
        return FTR_OK;
    size_t grown = *capacity > 0 ? *capacity * 2 : 16;
    if (grown < count)
        grown = count;
    if (grown > budget->limit / item || !ftr_budget_reserve(budget, grown * item))
        return FTR_ERR_LIMIT;
    void *memory = realloc(*array, grown * item);
    if (memory == NULL) {
        ftr_budget_release(budget, grown * item);
        return FTR_ERR_MEMORY;
    }
    ftr_budget_release(budget, *capacity * item);
    *array = memory;
    *capacity = grown;
    return FTR_OK;
}

static inline void ftr_array_release(ftr_budget *budget, void *array, size_t capacity, size_t item)
{
    free(array);
    ftr_budget_release(budget, capacity * item);
}

#endif
