/* A temporary directory for one measurement. */
#ifndef FTR_BENCH_SCRATCH_HPP
#define FTR_BENCH_SCRATCH_HPP

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "workload.h"

/** The destructor removes the directory with its files. */
class scratch
{
  public:
    scratch() : folder_((std::filesystem::temp_directory_path() / "ftr-bench-XXXXXX").string())
    {
        if (!mkdtemp(folder_.data()))
            workload_fail("cannot make a temporary folder");
    }
    scratch(const scratch &) = delete;
    scratch &operator=(const scratch &) = delete;
    ~scratch()
    {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    std::string path(const char *name) const { return folder_ + "/" + name; }

    /** Returns the total size of the files in the directory in bytes. */
    std::uintmax_t size() const
    {
        std::uintmax_t sum = 0;
        for (const auto &entry : std::filesystem::recursive_directory_iterator(folder_))
            sum += entry.is_regular_file() ? entry.file_size() : 0;
        return sum;
    }

  private:
    std::string folder_;
};

#endif
