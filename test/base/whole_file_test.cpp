// Whole files read into memory.
#include "scratch_directory.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <string>

extern "C" {
#include "whole_file.h"
}

namespace
{

std::string read_back(const std::string &path, std::size_t limit)
{
    std::size_t size = 0;
    char *text = ftr_read_whole_file(path.c_str(), limit, &size);
    if (text == nullptr)
        return "failed";
    EXPECT_EQ(text[size], '\0');
    std::string copy(text, size);
    std::free(text);
    return copy;
}

} // namespace

TEST(WholeFile, ReadsEveryByteAtSizesAroundTheBuffers)
{
    const scratch_directory scratch;
    const std::string path = scratch.path("file");
    for (const std::size_t size : {0U, 1U, 4094U, 4095U, 4096U, 4097U, 8191U, 8192U, 100000U}) {
        std::string content(size, 'x');
        for (std::size_t i = 0; i < size; i += 7)
            content[i] = static_cast<char>(i % 11); // NUL bytes too
        write_contents(path, content);
        EXPECT_EQ(read_back(path, SIZE_MAX), content) << size;
    }
}

TEST(WholeFile, RefusesAFileAboveItsLimit)
{
    const scratch_directory scratch;
    const std::string path = scratch.path("file");
    write_contents(path, std::string(10, 'x'));
    EXPECT_EQ(read_back(path, 10), std::string(10, 'x'));
    errno = 0;
    EXPECT_EQ(read_back(path, 9), "failed");
    EXPECT_EQ(errno, EFBIG);
}

TEST(WholeFile, ReportsTheCauseOfAFailure)
{
    const scratch_directory scratch;
    EXPECT_EQ(read_back(scratch.path("missing"), SIZE_MAX), "failed");
    EXPECT_EQ(errno, ENOENT);
    EXPECT_EQ(read_back(scratch.path("."), SIZE_MAX), "failed");
    EXPECT_EQ(errno, EISDIR);
}
