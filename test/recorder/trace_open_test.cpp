// Treatment of existing files at the path of a trace before recording: none of them is lost, even
// if readers or other processes use them.
#include "trace_directory.hpp"

#include <ftr/recorder.h>

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <set>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace
{
namespace fs = std::filesystem;

class TraceOpen : public trace_directory
{
};

TEST_F(TraceOpen, ReadersOfAnEarlierRunKeepTheirFile)
{
    ASSERT_EQ(record(0, 5000), 0);
    const std::string before = contents_of(path_);
    const int fd = open(path_.c_str(), O_RDONLY);
    void *const mapped = mmap(nullptr, before.size(), PROT_READ, MAP_SHARED, fd, 0);
    ASSERT_NE(mapped, MAP_FAILED);
    ASSERT_EQ(record(10000, 10), 0);
    // In a child, because a shortened file would cause SIGBUS.
    const pid_t reader =
        in_child([&] { return std::memcmp(mapped, before.data(), before.size()) == 0 ? 0 : 1; });
    EXPECT_EQ(status_of(reader), 0);
    EXPECT_EQ(recorded(), range(10000, 10));
    munmap(mapped, before.size());
    close(fd);
}

TEST_F(TraceOpen, KeepsThePermissionsOfTheFileItReplaces)
{
    ASSERT_EQ(record(0, 10), 0);
    ASSERT_EQ(chmod(path_.c_str(), 0640), 0);
    ASSERT_EQ(record(0, 10), 0);
    EXPECT_EQ(mode_of(path_), 0640u);
}

TEST_F(TraceOpen, FollowsASymbolicLinkAndKeepsIt)
{
    fs::create_directory(directory_.path("big"));
    fs::create_symlink("big/real.ftr", path_);
    ASSERT_EQ(record(0, 10), 0);
    ASSERT_EQ(record(0, 20), 0);
    EXPECT_TRUE(fs::is_symlink(path_));
    EXPECT_EQ(decode(directory_.path("big/real.ftr")).transactions.size(), 20u);
    EXPECT_EQ(names("big"), std::set<std::string>{"real.ftr"});
}

TEST_F(TraceOpen, WritesToADescriptorWithoutReplacingItsFile)
{
    const std::string out = directory_.path("out");
    const int fd = open(out.c_str(), O_RDWR | O_CREAT, 0600);
    asked_ = "/dev/fd/" + std::to_string(fd);
    ASSERT_EQ(record(0, 10), 0);
    struct stat of_fd = {};
    struct stat named = {};
    ASSERT_EQ(fstat(fd, &of_fd), 0);
    ASSERT_EQ(stat(out.c_str(), &named), 0);
    EXPECT_EQ(of_fd.st_ino, named.st_ino);
    EXPECT_EQ(decode(out).transactions.size(), 10u);
    close(fd);
}

TEST_F(TraceOpen, KeepsAReadOnlyFile)
{
    if (geteuid() == 0)
        GTEST_SKIP() << "root may write everything";
    write_contents(path_, "kept");
    ASSERT_EQ(chmod(path_.c_str(), 0400), 0);
    EXPECT_EQ(record(0, 10), 2);
    EXPECT_EQ(contents_of(path_), "kept");
}

TEST_F(TraceOpen, RemovesTheFurtherFilesOfAnEarlierRun)
{
    options_.max_size = 64 << 10;
    options_.max_files = 100;
    ASSERT_EQ(record(0, 20000), 0);
    EXPECT_GT(names().size(), 3u);
    EXPECT_EQ(names().count("run_file0002.ftr"), 1u);
    write_contents(directory_.path("run_file0100.ftr"), "no trace");
    write_contents(directory_.path("run_file7.ftr"), "another name");
    options_.max_size = 0;
    options_.max_files = 0;
    ASSERT_EQ(record(0, 10), 0);
    EXPECT_EQ(names(), (std::set<std::string>{"run.ftr", "run_file0100.ftr", "run_file7.ftr"}));
}

TEST_F(TraceOpen, KeepsFurtherFilesOfALivingProcess)
{
    // Without journals, and after the first file was removed in favour of newer ones.
    options_.max_size = 64 << 10;
    options_.max_files = 2;
    options_.journal_directory = "none";
    int ready[2];
    int go[2];
    ASSERT_EQ(pipe(ready), 0);
    ASSERT_EQ(pipe(go), 0);
    const pid_t child = in_child([&] {
        ftr_recorder *rec = nullptr;
        ftr_stream stream;
        ftr_generator generator;
        const ftr_attribute text = {"text", FTR_TYPE_STRING, FTR_CLASS_RECORD};
        if (ftr_recorder_open(path_.c_str(), &options_, &rec) != FTR_OK ||
            ftr_stream_define(rec, "s", "k", &stream) != FTR_OK ||
            ftr_generator_define(rec, stream, "g", &text, 1, &generator) != FTR_OK)
            return 2;
        char byte = 0;
        for (std::uint64_t n = 0; n < 20000; ++n) {
            const std::string unique = std::to_string(n * 0x9e3779b97f4a7c15u);
            const ftr_value value = text_value(FTR_TYPE_STRING, unique.c_str());
            if (ftr_tx_record(rec, generator, n, n, &value, 1, nullptr) != FTR_OK)
                return 3;
        }
        if (ftr_recorder_flush(rec) != FTR_OK || write(ready[1], &byte, 1) != 1 ||
            read(go[0], &byte, 1) != 1)
            return 4;
        return ftr_recorder_close(rec) == FTR_OK ? 0 : 5;
    });
    char byte;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    ASSERT_FALSE(fs::exists(path_));
    const std::set<std::string> before = names();
    ASSERT_EQ(record(100000, 10), 0);
    for (const std::string &name : before)
        EXPECT_EQ(names().count(name), 1u) << name;
    EXPECT_FALSE(fs::exists(path_));
    ASSERT_EQ(write(go[1], &byte, 1), 1);
    EXPECT_EQ(status_of(child), 0);
}

TEST_F(TraceOpen, SecondRecorderWithoutJournalWritesAnotherFile)
{
    options_.journal_directory = "none";
    ftr_recorder *first = nullptr;
    ASSERT_EQ(ftr_recorder_open(path_.c_str(), &options_, &first), FTR_OK);
    EXPECT_EQ(status_of(in_child([&] { return record(0, 10); })), 0);
    EXPECT_EQ(ftr_recorder_close(first), FTR_OK);
    EXPECT_EQ(recorded(), range(0, 10));
    EXPECT_TRUE(decode(path_).transactions.empty());
}

TEST_F(TraceOpen, IgnoresTheLockOfAnEndedProcessWithALivingChild)
{
    int ends[2];
    int lives[2];
    ASSERT_EQ(pipe(ends), 0);
    ASSERT_EQ(pipe(lives), 0);
    options_.journal_directory = "none";
    const pid_t parent = in_child([&] {
        ftr_recorder *rec = nullptr;
        char byte = 0;
        if (ftr_recorder_open(path_.c_str(), &options_, &rec) != FTR_OK)
            return 1;
        if (fork_at_rest() == 0) {
            close(ends[1]);
            return write(lives[1], &byte, 1) == 1 && read(ends[0], &byte, 1) == 0 ? 0 : 1;
        }
        /* The child releases the lock when it begins to run. */
        return read(lives[0], &byte, 1) == 1 ? 0 : 1;
    });
    EXPECT_EQ(status_of(parent), 0);
    EXPECT_EQ(record(0, 10), 0);
    EXPECT_EQ(decode(path_).transactions.size(), 10u);
    for (const int end : {ends[0], ends[1], lives[0], lives[1]})
        close(end);
}
} // namespace
