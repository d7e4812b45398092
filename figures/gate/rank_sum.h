/* The rank sum test of Mann and Whitney, for the latencies of two sets of transactions. */
#ifndef FTR_RANK_SUM_H
#define FTR_RANK_SUM_H

#include "latency_bins.h"

/* Returns the one-sided p-value of the hypothesis that the latencies of @p tested are not higher
 * than those of @p reference: a value near 0 means that they are higher. Computed by the normal
 * approximation with a correction for ties. Latencies below @p floor count as equal to @p floor, so
 * that only differences above it matter. Returns 1 if one of the two is empty. Sorts the bins of
 * both. */
double ftr_rank_sum_test(ftr_latency_bins *tested, ftr_latency_bins *reference, uint64_t floor);

#endif
