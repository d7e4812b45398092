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

/* Of a limited address space, each table of definitions or streams takes this part at most. */
#define FTR_TABLE_SHARE 128

/* Bytes of address space that RLIMIT_AS (ulimit -v) leaves the process. SIZE_MAX: there is no
 * limit.
 */
size_t ftr_range_left(void);

/* Reserves @p wanted bytes. Where the address space is limited, at most one part in @p share of
 * what is left; but not less than @p least. */
FTR_MUST_USE ftr_status ftr_range_reserve(ftr_range *range, size_t wanted, size_t least,
                                          size_t share);

/* Makes at least the first @p size bytes memory. FTR_ERR_LIMIT past the reservation. */
FTR_MUST_USE ftr_status ftr_range_commit(ftr_range *range, size_t size);

/* Gives everything back. Harmless on a zeroed range. */
void ftr_range_release(ftr_range *range);

#endif
