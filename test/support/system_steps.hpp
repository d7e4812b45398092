// Stops a process at each of its system calls that change files, in turn. For programs linked with
// the options of ftr_count_system_steps() in recorder_tests.cmake.
#ifndef FTR_TEST_SYSTEM_STEPS_HPP
#define FTR_TEST_SYSTEM_STEPS_HPP

#include <cstddef>

// Raises @p signal in this process before the step with this number, from 1. 0: never.
void raise_at_step(std::size_t number, int signal);

#endif
