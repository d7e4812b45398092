// Files that appear complete or not at all.
#include "scratch_directory.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
#include "atomic_file.h"
}

namespace
{

struct AtomicFile : testing::Test {
    void create(mode_t mode = FTR_ATOMIC_FILE_MODE)
    {
        ASSERT_EQ(ftr_atomic_file_create(&file, path.c_str(), mode), FTR_OK);
        ASSERT_EQ(ftr_atomic_file_write(&file, "new", 3), 3);
    }

    size_t files() const
    {
        const auto all = std::filesystem::directory_iterator(directory.path(""));
        return static_cast<size_t>(std::distance(begin(all), end(all)));
    }

    scratch_directory directory;
    std::string path = directory.path("file");
    ftr_atomic_file file{};
};

TEST_F(AtomicFile, CommitReplacesTheOldFile)
{
    write_contents(path, "old");
    create();
    EXPECT_EQ(contents_of(path), "old");
    ASSERT_EQ(ftr_atomic_file_commit(&file, true), FTR_OK);
    EXPECT_EQ(contents_of(path), "new");
    EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicFile, DiscardKeepsTheOldFile)
{
    write_contents(path, "old");
    create();
    ftr_atomic_file_discard(&file);
    EXPECT_EQ(contents_of(path), "old");
    EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicFile, CommitWithoutReplaceKeepsANewFileOfThatName)
{
    create();
    write_contents(path, "old");
    EXPECT_EQ(ftr_atomic_file_commit(&file, false), FTR_ERR_IO);
    EXPECT_EQ(errno, EEXIST);
    EXPECT_EQ(contents_of(path), "old");
    EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicFile, DoesNotReplaceALinkCreatedBeforeCommit)
{
    create();
    write_contents(directory.path("target"), "old");
    ASSERT_EQ(symlink("target", path.c_str()), 0);
    EXPECT_EQ(ftr_atomic_file_commit(&file, true), FTR_ERR_IO);
    EXPECT_EQ(errno, ELOOP);
    EXPECT_EQ(contents_of(path), "old");
    EXPECT_EQ(files(), 2U);
}

TEST_F(AtomicFile, RestartTruncatesTheTemporaryFile)
{
    create();
    ASSERT_EQ(ftr_atomic_file_restart(&file), FTR_OK);
    ASSERT_EQ(ftr_atomic_file_write(&file, "x", 1), 1);
    ASSERT_EQ(ftr_atomic_file_commit(&file, false), FTR_OK);
    EXPECT_EQ(contents_of(path), "x");
}

TEST_F(AtomicFile, SetsPermissionsBeforeTheRename)
{
    struct stat about;
    create(0640);
    ASSERT_EQ(fstat(file.fd, &about), 0);
    EXPECT_EQ(about.st_mode & 0777, 0600U);
    ASSERT_EQ(ftr_atomic_file_commit(&file, false), FTR_OK);
    ASSERT_EQ(stat(path.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777, 0640U);
}

TEST_F(AtomicFile, NeverOpensAnExistingTemporaryFile)
{
    const std::string target = directory.path("target");
    write_contents(target, "old");
    for (unsigned number = 1; number <= 3; ++number) {
        char *temporary_path = ftr_atomic_file_temporary_name(path.c_str(), number);
        ASSERT_EQ(symlink(target.c_str(), temporary_path), 0);
        std::free(temporary_path);
    }
    create();
    EXPECT_NE(std::strstr(file.temporary_path, "-4"), nullptr);
    ASSERT_EQ(ftr_atomic_file_commit(&file, true), FTR_OK);
    EXPECT_EQ(contents_of(target), "old");
    EXPECT_EQ(contents_of(path), "new");
}

// A process that has ended. Returns its id.
pid_t ended_process(const std::function<void()> &run = [] {})
{
    const pid_t child = fork();
    if (child == 0) {
        run();
        raise(SIGKILL);
    }
    waitpid(child, nullptr, 0);
    return child;
}

TEST_F(AtomicFile, RemovesTheTemporaryFileOfAKilledProcess)
{
    ended_process([this] { create(); });
    EXPECT_EQ(files(), 1U);
    create();
    ASSERT_EQ(ftr_atomic_file_commit(&file, true), FTR_OK);
    EXPECT_EQ(files(), 1U);
    EXPECT_EQ(contents_of(path), "new");
}

TEST_F(AtomicFile, KeepsTemporaryFilesThatMayBeInUse)
{
    const std::string ended = path + ".part-" + std::to_string(ended_process()) + "-";
    write_contents(ended + "1", "locked, as by a process of another host");
    const int locked = open((ended + "1").c_str(), O_RDWR);
    flock lock{};
    lock.l_type = F_WRLCK;
    ASSERT_EQ(fcntl(locked, F_OFD_SETLK, &lock), 0);
    write_contents(path + ".part-" + std::to_string(getppid()) + "-1", "of a running process");
    ASSERT_EQ(mkfifo((ended + "2").c_str(), 0600), 0);
    std::filesystem::create_symlink(path, ended + "3");
    write_contents(ended + "3b", "of another name");
    write_contents(path + "2.part-" + std::to_string(ended_process()) + "-1", "of another file");
    const size_t before = files();
    create();
    EXPECT_EQ(files(), before + 1);
    ftr_atomic_file_discard(&file);
    EXPECT_EQ(files(), before);
    close(locked);
}

TEST_F(AtomicFile, AcceptsANameOfMaximumLength)
{
    path = directory.path(std::string(255, 'n'));
    create();
    ASSERT_EQ(ftr_atomic_file_commit(&file, true), FTR_OK);
    EXPECT_EQ(contents_of(path), "new");
}

TEST_F(AtomicFile, RefusesPathsThatAreNotRegularFiles)
{
    EXPECT_EQ(ftr_atomic_file_create(&file, "/dev/null", 0600), FTR_ERR_IO);
    EXPECT_EQ(errno, ENOTSUP);
    EXPECT_EQ(ftr_atomic_file_create(&file, directory.path("").c_str(), 0600), FTR_ERR_IO);
    EXPECT_EQ(errno, EISDIR);
    EXPECT_EQ(ftr_atomic_file_create(&file, "", 0600), FTR_ERR_IO);
    EXPECT_EQ(errno, ENOENT);
}

} // namespace
