/* Reserved address space. Knows nothing of what is kept in it. */
#define _GNU_SOURCE
#include "address_range.h"

#include <sys/mman.h>

/* Memory is added in steps of this, to keep the number of calls small. */
#define COMMIT_STEP ((size_t)64 << 10)

ftr_status ftr_range_reserve(ftr_range *range, size_t wanted, size_t least)
{
    for (size_t size = wanted;; size = size / 2 > least ? size / 2 : least) {
        void *base =
            mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (base != MAP_FAILED) {
            *range = (ftr_range){.base = base, .reserved = size};
            return FTR_OK;
        }
        if (size <= least)
            return FTR_ERR_MEMORY;
    }
}

ftr_status ftr_range_commit(ftr_range *range, size_t size)
{
    if (size <= range->committed)
        return FTR_OK;
    if (size > range->reserved)
        return FTR_ERR_LIMIT;
    size_t upto = (size + COMMIT_STEP - 1) / COMMIT_STEP * COMMIT_STEP;
    if (upto > range->reserved)
        upto = range->reserved;
    if (mprotect(range->base + range->committed, upto - range->committed, PROT_READ | PROT_WRITE) !=
        0)
        return FTR_ERR_MEMORY;
    range->committed = upto;
    return FTR_OK;
}

void ftr_range_release(ftr_range *range)
{
    if (range->base)
        munmap(range->base, range->reserved);
    *range = (ftr_range){0};
}
