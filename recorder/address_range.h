/* A stretch of address space that is reserved once and filled with memory from its start as it is
 * needed, so that what lies in it never moves. */
#ifndef FTR_ADDRESS_RANGE_H
#define FTR_ADDRESS_RANGE_H

#include <stddef.h>
#include <stdint.h>

#include <ftr/status.h>

typedef struct ftr_range {
    uint8_t *base;
    size_t reserved;  /* bytes of address space */
    size_t committed; /* bytes from base that are memory, zeroed when they became it */
} ftr_range;

/* Reserves @p wanted bytes, or as much as can be had down to @p least (a limit on address space is
 * no reason to fail). */
FTR_MUST_USE ftr_status ftr_range_reserve(ftr_range *range, size_t wanted, size_t least);

/* Makes at least the first @p size bytes memory. FTR_ERR_LIMIT past the reservation. */
FTR_MUST_USE ftr_status ftr_range_commit(ftr_range *range, size_t size);

/* Gives everything back. Harmless on a zeroed range. */
void ftr_range_release(ftr_range *range);

#endif
