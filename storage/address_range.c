/* Reserved address space. Does not know its contents. */
#define _GNU_SOURCE
#include "address_range.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Memory is added in multiples of this size, to keep the number of system calls small. */
#define COMMIT_STEP ((size_t)64 << 10)
#ifndef MADV_POPULATE_WRITE /* older headers; Linux 5.14 */
#define MADV_POPULATE_WRITE 23
#endif

/* Bytes of address space that the process uses. 0: unknown. */
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

ftr_status ftr_range_reserve(ftr_range *range, size_t wanted, size_t least, size_t share)
{
    size_t most = ftr_range_left() / share / COMMIT_STEP * COMMIT_STEP;
    if (most > wanted)
        most = wanted;
    for (size_t size = most > least ? most : least;; size = size / 2 > least ? size / 2 : least) {
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
