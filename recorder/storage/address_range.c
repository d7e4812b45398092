/* Reserves address space. */
#define _GNU_SOURCE
#include "address_range.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Memory is added in multiples of this size, to keep the number of system calls small. */
#define COMMIT_STEP ((size_t)64 << 10)
#ifndef MADV_POPULATE_WRITE /* missing in older headers; Linux 5.14 has it */
#define MADV_POPULATE_WRITE 23
#endif

/* Returns the number of bytes of address space that the process uses; 0: unknown. */
static size_t used(void)
{
    char text[64] = "";
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    return length > 0 ? strtoul(text, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

size_t ftr_range_left(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return SIZE_MAX;
    size_t in_use = used();
    return limit.rlim_cur > in_use ? (size_t)limit.rlim_cur - in_use : 0;
}

/* Returns the size of a range in the attempt with number @p attempt. Each attempt halves the
 * sizes. */
static size_t size_of(const ftr_range_request *request, size_t left, unsigned attempt)
{
    const size_t share = left / request->share;
    const size_t most = (share < request->wanted ? share : request->wanted) >> attempt;
    const size_t size = most > request->least ? most : request->least;
    return (size + COMMIT_STEP - 1) / COMMIT_STEP * COMMIT_STEP;
}

ftr_status ftr_ranges_reserve(ftr_range *whole, const ftr_range_request *requests, size_t count,
                              size_t left)
{
    size_t size = 0;
    size_t before;
    unsigned attempt = 0;
    void *base;
    do {
        before = size;
        size = 0;
        for (size_t i = 0; i < count; i++)
            size += size_of(&requests[i], left, attempt);
        if (size == before) /* all sizes are already the least sizes */
            return FTR_ERR_MEMORY;
        base = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        attempt++;
    } while (base == MAP_FAILED);
    *whole = (ftr_range){.base = base, .reserved = size};
    uint8_t *next = base;
    for (size_t i = 0; i < count; i++) {
        const size_t part = size_of(&requests[i], left, attempt - 1);
        *requests[i].range = (ftr_range){.base = next, .reserved = part};
        next += part;
    }
    return FTR_OK;
}

ftr_status ftr_ranges_commit(ftr_range *const *ranges, size_t count)
{
    const ftr_range *last = ranges[count - 1];
    uint8_t *base = ranges[0]->base;
    const size_t size = (size_t)(last->base - base) + last->reserved;
    if (mprotect(base, size, PROT_READ | PROT_WRITE) != 0)
        return FTR_ERR_MEMORY;
    for (size_t i = 0; i < count; i++)
        ranges[i]->committed = ranges[i]->reserved;
    return FTR_OK;
}

ftr_status ftr_range_allocate(ftr_range *range, size_t size)
{
    void *base = mmap(NULL, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        return FTR_ERR_MEMORY;
    *range = (ftr_range){.base = base, .reserved = size, .committed = size};
    return FTR_OK;
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

void ftr_range_touch(void *at, size_t size)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t before = (uintptr_t)at % page;
    (void)madvise((uint8_t *)at - before, size + before, MADV_POPULATE_WRITE);
}

void ftr_range_release(ftr_range *range)
{
    if (range->base != NULL)
        munmap(range->base, range->reserved);
    *range = (ftr_range){0};
}
