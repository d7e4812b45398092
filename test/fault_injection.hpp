// Makes allocations and writes of the code under test fail. For programs linked with the options of
// ftr_inject_faults() in recorder_tests.cmake.
#ifndef FTR_TEST_FAULT_INJECTION_HPP
#define FTR_TEST_FAULT_INJECTION_HPP

#include <cstddef>

namespace fault
{
// From now on the allocation of this number, from 1, fails; and all later ones if @p for_good.
// Memory, mappings and threads are all allocations.
void fail_allocation(std::size_t number, bool for_good);
void allocations_succeed();
// How many there were since either of these calls.
std::size_t allocations();

enum class write_fault { none, error, short_write, interrupted };
// From now on the write of this number, from 1, fails with @p error, takes one byte only, or is
// interrupted first.
void fail_write(std::size_t number, write_fault how, int error = 0, bool for_good = false);
std::size_t writes();
} // namespace fault

#endif
