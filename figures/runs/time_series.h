/* Counts in equal slots of simulated time (time slots): at most 256, each of which is 2^shift ticks
 * long and begins at a multiple of its length. If more are needed, neighbouring time slots are
 * merged. The time slots depend only on the transactions, not on the order in which the
 * transactions are added. */
#ifndef FTR_TIME_SERIES_H
#define FTR_TIME_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FTR_SERIES_SLOTS_MAX 256u

/* A transaction is counted in the time slot that contains its begin. Its busy time is distributed
 * over all time slots that it overlaps. */
typedef struct ftr_time_slot {
    uint64_t transactions, bytes;
    uint64_t busy;        /* number of busy ticks in this time slot */
    uint64_t latency_sum; /* ticks; UINT64_MAX: the sum is greater */
    uint64_t latency_max;
} ftr_time_slot;

typedef struct ftr_time_series {
    ftr_time_slot *slots;
    uint64_t first; /* slots[0] begins at first << shift */
    unsigned shift, count, capacity;
} ftr_time_series;

/* Counts a transaction. @return false if out of memory */
bool ftr_time_series_add(ftr_time_series *series, uint64_t begin, uint64_t bytes, uint64_t latency);

/* Adds the ticks [begin, end) to the busy time of their time slots. Does nothing if begin >= end.
 * @return false if out of memory */
bool ftr_time_series_add_busy(ftr_time_series *series, uint64_t begin, uint64_t end);

/* Merges time slots until each has 2^@p shift ticks. @p shift must be at least the present one. */
void ftr_time_series_fold(ftr_time_series *series, unsigned shift);

/* Adds the counts of @p from, whose time slots must have the same length. @return false if out of
 * memory, or if both together have too many time slots */
bool ftr_time_series_merge(ftr_time_series *to, const ftr_time_series *from);

void ftr_time_series_release(ftr_time_series *series);

#endif
