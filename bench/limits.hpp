/* Lower limits for the cost of any recorder of W2. */
#ifndef FTR_BENCH_LIMITS_HPP
#define FTR_BENCH_LIMITS_HPP

/** Registers the benchmarks `limit/...`: copying, compressing and writing the bytes of W2, and the
 *  cost of advancing the simulation time. */
void register_limits();

#endif
