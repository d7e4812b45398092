/* Counts in equal slots of simulated time: at most 256 slots, each 2^shift ticks long and
 * beginning at a multiple of that. When time grows, neighbours become one slot. The slots depend on
 * the transactions alone, not on their order. */
#ifndef FTR_TIME_SERIES_H
#define FTR_TIME_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FTR_SERIES_SLOTS_MAX 256u

/* A transaction is counted in the slot that contains its begin. Its busy time is distributed over
 * all slots that it overlaps. */
typedef struct ftr_time_slot {
    uint64_t transactions, bytes;
    uint64_t busy;        /* ticks of this slot */
    uint64_t latency_sum; /* ticks; UINT64_MAX if it is more */
    uint64_t latency_max;
} ftr_time_slot;

typedef struct ftr_time_series {
    ftr_time_slot *slots;
    uint64_t first; /* slots[0] begins at first << shift */
    unsigned shift, count, capacity;
} ftr_time_series;

/* Counts a transaction. @return false if out of memory */
bool ftr_time_series_add(ftr_time_series *series, uint64_t begin, uint64_t bytes, uint64_t latency);

/* Adds the ticks [begin, end) to the busy time of their slots; nothing if there are none.
 * @return false if out of memory */
bool ftr_time_series_add_busy(ftr_time_series *series, uint64_t begin, uint64_t end);

/* Merges slots, so that each has 2^@p shift ticks. @p shift must be at least the present one. */
void ftr_time_series_fold(ftr_time_series *series, unsigned shift);

/* Adds all of @p from, which has slots of the same length. @return false if out of memory, or when
 * the slots of both do not fit */
bool ftr_time_series_merge(ftr_time_series *to, const ftr_time_series *from);

void ftr_time_series_release(ftr_time_series *series);

#endif
