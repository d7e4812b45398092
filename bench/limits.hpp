/* What no recorder of W2 can be cheaper than. */
#ifndef FTR_BENCH_LIMITS_HPP
#define FTR_BENCH_LIMITS_HPP

/** Registers the benchmarks `limit/...`: copying, compressing and writing the bytes of W2, and what
 *  the simulation takes to advance its time. */
void register_limits();

#endif
