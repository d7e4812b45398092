/* Arrays that grow: their capacity doubles, so that appending takes constant time on average. */
#ifndef FTR_GROWING_ARRAY_H
#define FTR_GROWING_ARRAY_H

#include "memory_budget.h"

#include <ftr/status.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FTR_ARRAY_CAPACITY_MIN 16

static inline size_t ftr_array_larger(size_t capacity, size_t count)
{
    const size_t larger = capacity > 0 ? capacity * 2 : FTR_ARRAY_CAPACITY_MIN;
    return larger > count ? larger : count;
}

/* Changes the capacity to @p larger items of @p item bytes each; also to a smaller number.
 * @param array address of the pointer to the first item
 * @return false if out of memory; the array is then unchanged */
static inline bool ftr_array_resize(void *array, size_t *capacity, size_t larger, size_t item)
{
    void *items;
    memcpy(&items, array, sizeof items);
    items = larger <= SIZE_MAX / item ? realloc(items, larger * item) : NULL;
    if (items == NULL)
        return false;
    memcpy(array, &items, sizeof items);
    *capacity = larger;
    return true;
}

/* Makes room for @p count items of @p item bytes each.
 * @param array address of the pointer to the first item
 * @return false if out of memory; the array is then unchanged */
static inline bool ftr_array_fit(void *array, size_t *capacity, size_t count, size_t item)
{
    return count <= *capacity ||
           ftr_array_resize(array, capacity, ftr_array_larger(*capacity, count), item);
}

/* Makes room for one item more than @p count, like ftr_array_fit(). */
static inline bool ftr_array_grow(void *array, size_t *capacity, size_t count, size_t item)
{
    return ftr_array_fit(array, capacity, count + 1, item);
}

/* The same for arrays that exist thousands of times, and usually have few items. */
static inline bool ftr_array_grow_small(void *array, size_t *capacity, size_t count, size_t item)
{
    return count < *capacity ||
           ftr_array_resize(array, capacity, *capacity > 0 ? *capacity * 2 : 2, item);
}

/* Extends an array of *count items, if needed, so that it has an item with index @p index. New
 * items are zero. Used for arrays whose index is the number of a stream or generator.
 * @return false if out of memory; the array is then unchanged */
static inline bool ftr_array_reach(void *array, size_t *count, size_t index, size_t item)
{
    const size_t before = *count;
    if (index < before)
        return true;
    if (index == SIZE_MAX || !ftr_array_fit(array, count, index + 1, item))
        return false;
    char *items;
    memcpy(&items, array, sizeof items);
    memset(items + before * item, 0, (*count - before) * item);
    return true;
}

/* Makes room for @p count items like ftr_array_fit(). Until the old memory is freed, both the old
 * and the new memory count against the budget.
 * @return FTR_OK; FTR_ERR_LIMIT if the budget is exceeded, or FTR_ERR_MEMORY; on an error, the
 *         array is unchanged */
static inline ftr_status ftr_array_reserve(ftr_budget *budget, void *array, size_t *capacity,
                                           size_t count, size_t item)
{
    if (count <= *capacity)
        return FTR_OK;
    const size_t larger = ftr_array_larger(*capacity, count);
    if (larger > budget->limit / item || !ftr_budget_reserve(budget, larger * item))
        return FTR_ERR_LIMIT;
    const size_t before = *capacity;
    const bool grown = ftr_array_fit(array, capacity, larger, item);
    ftr_budget_release(budget, (grown ? before : larger) * item);
    return grown ? FTR_OK : FTR_ERR_MEMORY;
}

static inline void ftr_array_release(ftr_budget *budget, void *array, size_t capacity, size_t item)
{
    free(array);
    ftr_budget_release(budget, capacity * item);
}

#endif
