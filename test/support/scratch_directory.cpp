#include "scratch_directory.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <linux/magic.h>
#include <sys/vfs.h>

scratch_directory::scratch_directory(const std::filesystem::path &place)
{
    std::string name = (place / "ftr_test_XXXXXX").string();
    if (!mkdtemp(name.data()))
        throw std::runtime_error("no scratch directory " + name);
    path_ = name;
}

scratch_directory::~scratch_directory()
{
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

bool is_in_memory(const std::string &path)
{
    struct statfs system = {};
    return statfs(path.c_str(), &system) == 0 && system.f_type == TMPFS_MAGIC;
}

std::string contents_of(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_contents(const std::string &path, const std::string &contents)
{
    std::ofstream(path, std::ios::binary) << contents;
}
