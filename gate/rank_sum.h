/* The test of Mann and Whitney, over counted latencies. */
#ifndef FTR_RANK_SUM_H
#define FTR_RANK_SUM_H

#include "latency_bins.h"

/* Returns the one-sided probability that @p tested ranks at least as high as observed if both have
 * the same distribution. Computed by the normal approximation with a correction for ties. Latencies
 * below @p floor count as equal to it, so that only the parts above it are compared. 1 if either is
 * empty. Sorts both. */
double ftr_rank_sum_test(ftr_latency_bins *tested, ftr_latency_bins *reference, uint64_t floor);

#endif
