/* The ends of open transactions, the least first. Most streams have few open transactions, which
 * end nearly in the order of their begins: the least ends are in a short sorted array, where adding
 * and removing moves few of them. Further ends are in a heap. */
#ifndef FTR_OPEN_ENDS_H
#define FTR_OPEN_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FTR_OPEN_NEAR_MAX 32u

typedef struct ftr_open_end {
    uint64_t end;
    size_t generator; /* a number of the caller */
} ftr_open_end;

/* `{0}` is empty. */
typedef struct ftr_open_ends {
    size_t count;
    ftr_open_end *near;            /* ascending; 2 * FTR_OPEN_NEAR_MAX places, or NULL */
    unsigned near_first, near_end; /* the used places */
    ftr_open_end *far;             /* a heap of ends that are not less */
    size_t far_count, far_capacity;
} ftr_open_ends;

/* The same as ftr_open_ends_add(), if the end is not simply appended. */
bool ftr_open_ends_insert(ftr_open_ends *ends, ftr_open_end added);

/* Moves the least of the other ends to the near ones, which are empty. */
void ftr_open_ends_refill(ftr_open_ends *ends);

/* @return false if out of memory */
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

/* Whether the least end is not later than @p now. */
static inline bool ftr_open_ends_has_ended(const ftr_open_ends *ends, uint64_t now)
{
    return ends->count > 0 && ends->near[ends->near_first].end <= now;
}

/* Removes the least end; there is one. Returns its generator. */
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
