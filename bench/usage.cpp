/* Reads clocks and Linux's accounting of the process. */
#include "usage.hpp"

#include <ctime>
#include <fstream>
#include <string>

#include <malloc.h>

#include "workload.h"

namespace
{

double seconds_of(clockid_t clock)
{
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

} // namespace

double thread_seconds()
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

double process_seconds()
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

double wall_seconds()
{
    return seconds_of(CLOCK_MONOTONIC);
}

void forget_peak_memory()
{
    malloc_trim(0); /* memory freed by earlier measurements must not count */
    std::ofstream("/proc/self/clear_refs") << "5\n";
}

double peak_memory()
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        double kilobytes = 0;
        if (word == "VmHWM:" && status >> kilobytes)
            return kilobytes / 1024;
    }
    workload_fail("/proc/self/status does not tell the peak of memory");
}
