/* The sixteen slowest transactions, sorted by descending latency; equal latencies are sorted by
 * begin, then by id. */
#ifndef FTR_SLOWEST_H
#define FTR_SLOWEST_H

#include <stdint.h>

#define FTR_SLOWEST_MAX 16u

typedef struct ftr_slow_tx {
    uint64_t latency, begin, id;
} ftr_slow_tx;

typedef struct ftr_slowest {
    ftr_slow_tx of[FTR_SLOWEST_MAX];
    unsigned count;
} ftr_slowest;

/* Adds a transaction if it is one of the sixteen slowest. */
void ftr_slowest_add(ftr_slowest *slowest, const ftr_slow_tx *tx);

/* Returns a number less than 0 if @p a comes before @p b. */
int ftr_slow_tx_compare(const ftr_slow_tx *a, const ftr_slow_tx *b);

#endif
