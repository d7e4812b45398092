/* The workloads through the interface of LWTR4SC, one at a time, in a process of a simulation; see
 * workload.h. */
#include <systemc>

#include "simulation.hpp"
#include "workload.h"

int sc_main(int argc, char **argv)
{
    return simulate([&] { return workload_main(lwtr_workloads, argc, argv); });
}
