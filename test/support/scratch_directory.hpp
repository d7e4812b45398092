// A new directory of a test, removed by the destructor.
#ifndef FTR_TEST_SCRATCH_DIRECTORY_HPP
#define FTR_TEST_SCRATCH_DIRECTORY_HPP

#include <filesystem>
#include <string>

class scratch_directory
{
  public:
    // Creates the directory in @p place.
    explicit scratch_directory(
        const std::filesystem::path &place = std::filesystem::temp_directory_path());
    ~scratch_directory();
    scratch_directory(const scratch_directory &) = delete;
    scratch_directory &operator=(const scratch_directory &) = delete;

    std::string path(const std::string &name = "") const { return (path_ / name).string(); }

  private:
    std::filesystem::path path_;
};

// Returns whether the file is in a file system in memory (tmpfs), where the recorder allocates only
// the blocks that it needs now.
bool is_in_memory(const std::string &path);

std::string contents_of(const std::string &path);
void write_contents(const std::string &path, const std::string &contents);

#endif
