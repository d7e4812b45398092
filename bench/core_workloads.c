/* The workloads through the C core, one at a time; see workload.h. */
#include "workload.h"

int main(int argc, char **argv)
{
    return workload_main(core_workloads, argc, argv);
}
