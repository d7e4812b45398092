/* The test of Mann and Whitney, over counted latencies. */
#ifndef FTR_RANK_SUM_H
#define FTR_RANK_SUM_H

#include "latency_bins.h"

/* The probability that @p tested ranks as high as it does, or higher, if both are drawn from one
 * distribution: one-sided, by the normal approximation with correction for ties. Latencies below
 * @p floor count as equal to it: then only the parts above it are compared. 1 if either is empty.
 * Sorts both. */
double ftr_rank_sum_test(ftr_latency_bins *tested, ftr_latency_bins *reference, uint64_t floor);

#endif
