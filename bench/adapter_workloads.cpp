/* The workloads through the SystemC adapter, one at a time, in a process of a simulation; see
 * workload.h. */
#include <systemc>

#include "workload.h"

int sc_main(int argc, char **argv)
{
    return simulate([&] { return workload_main(adapter_workloads, argc, argv); });
}
