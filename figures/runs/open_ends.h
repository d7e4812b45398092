/* The ends of open transactions, in ascending order. Most streams have few open transactions, which
 * end nearly in the order of their begins. Therefore the earliest ends are in a short sorted array,
 * in which few elements move if an end is added or removed. Further ends are in a heap. */
#ifndef FTR_OPEN_ENDS_H
#define FTR_OPEN_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FTR_OPEN_NEAR_MAX 32u

typedef struct ftr_open_end {
    uint64_t end;
    size_t generator; /* any number; set by the caller */
} ftr_open_end;

/* `{0}` is empty. */
typedef struct ftr_open_ends {
    size_t count;
    ftr_open_end *near; /* ascending; room for 2 * FTR_OPEN_NEAR_MAX; NULL: not allocated */
    unsigned near_first, near_end; /* used elements of `near`: near_first to near_end - 1 */
    ftr_open_end *far;             /* a heap; no end in it is earlier than the ends in `near` */
    size_t far_count, far_capacity;
} ftr_open_ends;

/* Like ftr_open_ends_add(), for any end, even if it cannot simply be appended to `near`. */
bool ftr_open_ends_insert(ftr_open_ends *ends, ftr_open_end added);

/* Moves the earliest ends from `far` to `near`, which must be empty. */
void ftr_open_ends_refill(ftr_open_ends *ends);

/* Adds an end. @return false if out of memory */
static inline bool ftr_open_ends_add(ftr_open_ends *ends, uint64_t end, size_t generator)
{
    const ftr_open_end added = {end, generator};
    const unsigned at = ends->near_end;
    if (ends->far_count > 0 || at == 2 * FTR_OPEN_NEAR_MAX || ends->near == NULL ||
        (at > ends->near_first && ends->near[at - 1].end > end))
        return ftr_open_ends_insert(ends, added);
    ends->near[at] = added;
    ends->near_end++;
    ends->count++;
    return true;
}

/* Returns true if the earliest end is at @p now or before. */
static inline bool ftr_open_ends_has_ended(const ftr_open_ends *ends, uint64_t now)
{
    return ends->count > 0 && ends->near[ends->near_first].end <= now;
}

/* Removes the earliest end and returns its generator. The set must not be empty. */
static inline size_t ftr_open_ends_remove(ftr_open_ends *ends)
{
    const size_t generator = ends->near[ends->near_first++].generator;
    ends->count--;
    if (ends->near_first == ends->near_end) {
        ends->near_first = ends->near_end = 0;
        if (ends->far_count > 0)
            ftr_open_ends_refill(ends);
    }
    return generator;
}

void ftr_open_ends_release(ftr_open_ends *ends);

#endif
