/* Counts the memory a reader holds against what it may hold. */
#ifndef FTR_MEMORY_BUDGET_H
#define FTR_MEMORY_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ftr_budget {
    size_t limit;
    size_t used;
    /* Asked to give back at least @p size bytes of what it keeps only to be quick; may be NULL. */
    void (*reclaim)(void *user, size_t size);
    void *user;
} ftr_budget;

/* Whether @p size more bytes may be had; they count as used if so. */
static inline bool ftr_budget_take(ftr_budget *budget, size_t size)
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

static inline void ftr_budget_give(ftr_budget *budget, size_t size)
{
    budget->used -= size;
}

#endif
