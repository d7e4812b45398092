// Stops a process at each of its system calls that change files, in turn. For programs linked with
// the options of ftr_count_system_steps() in recorder_tests.cmake.
#ifndef FTR_TEST_SYSTEM_STEPS_HPP
#define FTR_TEST_SYSTEM_STEPS_HPP

#include <cstddef>

// Before the step of this number, from 1, this process raises @p signal. 0: at none.
void raise_at_step(std::size_t number, int signal);

#endif
