/* Counts the memory that a part of the program holds, for example a reader, and enforces a
 * limit. */
#ifndef FTR_MEMORY_BUDGET_H
#define FTR_MEMORY_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ftr_budget {
    size_t limit;
    size_t used;
    /* Called if a reservation exceeds the limit by @p size bytes: frees at least so many bytes, for
     * example of a cache, or fewer if it holds fewer. NULL: nothing can be freed. */
    void (*reclaim)(void *user, size_t size);
    void *user;
} ftr_budget;

/* Returns the memory that an allocation of @p size bytes takes. For small allocations, of which
 * there can be thousands, the difference matters. */
static inline size_t ftr_allocated_size(size_t size)
{
    return (size + sizeof(size_t) + 15) / 16 * 16;
}

/* Reserves @p size bytes. If they exceed the limit, first calls `reclaim`.
 * @return false if they still exceed the limit; nothing is reserved then */
static inline bool ftr_budget_reserve(ftr_budget *budget, size_t size)
{
    if (size > budget->limit)
        return false;
    if (size > budget->limit - budget->used && budget->reclaim != NULL)
        budget->reclaim(budget->user, size - (budget->limit - budget->used));
    if (size > budget->limit - budget->used)
        return false;
    budget->used += size;
    return true;
}

static inline void ftr_budget_release(ftr_budget *budget, size_t size)
{
    budget->used -= size;
}

#endif
