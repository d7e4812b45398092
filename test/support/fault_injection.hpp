// Makes allocations and writes of the code under test fail. For programs linked with the options of
// ftr_inject_faults() in recorder_tests.cmake.
#ifndef FTR_TEST_FAULT_INJECTION_HPP
#define FTR_TEST_FAULT_INJECTION_HPP

#include <cstddef>
#include <string>

namespace fault
{
// From now on the allocation with this number, from 1, fails; if @p for_good, all later ones, too.
// Memory, mappings and threads count as allocations.
void fail_allocation(std::size_t number, bool for_good);
void allocations_succeed();
// Returns the number of allocations since the last call of either function.
std::size_t allocations();

// From now on fallocate() is not supported for files with a path that begins with
// @p directory. Empty: it is supported everywhere.
void allocate_no_space_in(const std::string &directory);

// From now on fallocate() fails beyond the first @p size bytes of files with a path that begins
// with
// @p directory, because the disk is full. Empty: the disk has space.
void limit_files_in(const std::string &directory, std::size_t size);

enum class write_fault { none, error, short_write, interrupted };
// From now on the write with this number, from 1, fails with @p error, writes only one byte, or is
// interrupted first.
void fail_write(std::size_t number, write_fault how, int error = 0, bool for_good = false);
std::size_t writes();
} // namespace fault

#endif
