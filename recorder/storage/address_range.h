/* A range of address space that is reserved once. Memory is added to the range on demand, beginning
 * at its start, so the contents never move. */
#ifndef FTR_ADDRESS_RANGE_H
#define FTR_ADDRESS_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ftr/status.h>

typedef struct ftr_range {
    uint8_t *base;
    size_t reserved; /* bytes of address space */
    /* bytes from `base` on that are usable memory; the memory is initially zero */
    size_t committed;
} ftr_range;

/* If address space is limited, each table of definitions or streams reserves at most 1/128 of the
 * free part, and the table of entities twice as much. */
#define FTR_TABLE_SHARE 128

/* Returns the number of bytes of address space that the process may still use under RLIMIT_AS
 * (ulimit -v). SIZE_MAX: no limit. */
size_t ftr_range_left(void);

/* A range of @p wanted bytes to reserve. If address space is limited, the range gets at most 1/@p
 * share of the free address space, but at least @p least bytes. */
typedef struct ftr_range_request {
    ftr_range *range;
    size_t wanted;
    size_t least;
    size_t share;
} ftr_range_request;

/* Reserves several ranges in one mapping, one after the other, because each mapping of a running
 * process takes time. @p whole is the mapping, for ftr_range_release(); the ranges must not be
 * released. @p left is the result of ftr_range_left().
 * @return FTR_OK; FTR_ERR_MEMORY if the address space for the least sizes is not free */
FTR_MUST_USE ftr_status ftr_ranges_reserve(ftr_range *whole, const ftr_range_request *requests,
                                           size_t count, size_t left);

/* Makes all bytes of @p count ranges usable, which ftr_ranges_reserve() has reserved one after the
 * other.
 * @return FTR_OK; FTR_ERR_MEMORY if the system provides no memory */
FTR_MUST_USE ftr_status ftr_ranges_commit(ftr_range *const *ranges, size_t count);

/* Reserves one range, and makes all its bytes usable.
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_range_allocate(ftr_range *range, size_t size);

/* Makes at least the first @p size bytes usable.
 * @return FTR_OK; FTR_ERR_LIMIT if fewer bytes are reserved; FTR_ERR_MEMORY if the system provides
 *         no memory */
FTR_MUST_USE ftr_status ftr_range_commit(ftr_range *range, size_t size);

/* Maps the pages of [at, at + size), which is usable memory, without changing them. Later accesses
 * cause no page faults. Has no effect if the system does not support this. */
void ftr_range_touch(void *at, size_t size);

/* Releases memory and address space. Has no effect on a zeroed range. */
void ftr_range_release(ftr_range *range);

#endif
