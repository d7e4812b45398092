/* Arrays that grow: their capacity doubles, so that appending takes constant time on average. */
#ifndef FTR_GROWING_ARRAY_H
#define FTR_GROWING_ARRAY_H

#include "memory_budget.h"

#include <ftr/status.h>

#include <stdbool.h>
#include <stdlib.h>

#define FTR_ARRAY_CAPACITY_MIN 16

static inline size_t ftr_array_larger(size_t capacity, size_t count)
{
    const size_t larger = capacity > 0 ? capacity * 2 : FTR_ARRAY_CAPACITY_MIN;
    return larger > count ? larger : count;
}

/* Returns @p array with room for @p count items of @p item bytes, moved if it had to grow; NULL if
 * out of memory, then the array is unchanged. */
static inline void *ftr_array_room(void *array, size_t *capacity, size_t count, size_t item)
{
    if (count <= *capacity)
        return array;
    const size_t larger = ftr_array_larger(*capacity, count);
    void *grown = larger <= SIZE_MAX / item ? realloc(array, larger * item) : NULL;
    if (grown != NULL)
        *capacity = larger;
    return grown;
}

/* Makes room for one item more than @p count in *array. @return false if out of memory */
static inline bool ftr_array_grow(void **array, size_t *capacity, size_t count, size_t item)
{
    void *grown = ftr_array_room(*array, capacity, count + 1, item);
    if (grown != NULL)
        *array = grown;
    return grown != NULL;
}

/* Makes room for @p count items of @p item bytes in *array. Counts both the old and the new memory
 * against the budget until the old memory is freed. */
static inline ftr_status ftr_array_reserve(ftr_budget *budget, void **array, size_t *capacity,
                                           size_t count, size_t item)
{
    if (count <= *capacity)
        return FTR_OK;
    const size_t larger = ftr_array_larger(*capacity, count);
    if (larger > budget->limit / item || !ftr_budget_reserve(budget, larger * item))
        return FTR_ERR_LIMIT;
    void *memory = realloc(*array, larger * item);
    if (memory == NULL) {
        ftr_budget_release(budget, larger * item);
        return FTR_ERR_MEMORY;
    }
    ftr_budget_release(budget, *capacity * item);
    *array = memory;
    *capacity = larger;
    return FTR_OK;
}

static inline void ftr_array_release(ftr_budget *budget, void *array, size_t capacity, size_t item)
{
    free(array);
    ftr_budget_release(budget, capacity * item);
}

#endif
