/* Runs code as a process of a SystemC simulation. */
#ifndef FTR_BENCH_SIMULATION_HPP
#define FTR_BENCH_SIMULATION_HPP

#include <functional>

/** Elaborates a model of one process that runs @p body, and simulates it. The resolution is 1 ps.
 *  @return the result of @p body */
int simulate(const std::function<int()> &body);

#endif
