/* A range of address space that is reserved once and filled with memory from its start on demand,
 * so that its contents never move. */
#ifndef FTR_ADDRESS_RANGE_H
#define FTR_ADDRESS_RANGE_H

#include <stddef.h>
#include <stdint.h>

#include <ftr/status.h>

typedef struct ftr_range {
    uint8_t *base;
    size_t reserved;  /* bytes of address space */
    size_t committed; /* bytes from `base` on that are usable memory; initially zero */
} ftr_range;

/* Where address space is limited, each table of definitions or streams reserves at most 1/128 of
 * the rest. */
#define FTR_TABLE_SHARE 128

/* Number of bytes of address space that the process may still use under RLIMIT_AS (ulimit -v).
 * SIZE_MAX: no limit. */
size_t ftr_range_left(void);

/* Reserves @p wanted bytes. Where address space is limited, reserves at most 1/@p share of the free
 * rest, but not less than @p least. */
FTR_MUST_USE ftr_status ftr_range_reserve(ftr_range *range, size_t wanted, size_t least,
                                          size_t share);

/* Makes at least the first @p size bytes usable. FTR_ERR_LIMIT: more than the reservation. */
FTR_MUST_USE ftr_status ftr_range_commit(ftr_range *range, size_t size);

/* Releases memory and address space. Has no effect on a zeroed range. */
void ftr_range_release(ftr_range *range);

#endif
