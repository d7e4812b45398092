// Which process of a run may have the output's name: a run is what inherits FTR_RUN.
extern "C" {
#include "run_claim.h"
}
#include "scratch_directory.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace
{
class RunClaim : public testing::Test
{
  protected:
    RunClaim() { unsetenv("FTR_RUN"); }
    ~RunClaim() override { unsetenv("FTR_RUN"); }

    // The name that is had, or the status when there is none.
    static std::string claim(const std::string &path, std::size_t size = 4096)
    {
        std::string buffer(size, '\0');
        path.copy(buffer.data(), size - 1);
        const ftr_status status = ftr_run_claim(buffer.data(), size);
        return status == FTR_OK ? buffer.c_str() : ftr_status_name(status);
    }

    // What another process of the run gets: what it inherits is the environment alone.
    static std::string claim_in_another(const std::string &path)
    {
        int ends[2];
        EXPECT_EQ(pipe(ends), 0);
        const pid_t child = fork();
        if (child == 0) {
            const std::string name = claim(path);
            _exit(write(ends[1], name.c_str(), name.size() + 1) < 0);
        }
        close(ends[1]);
        char name[4096] = "";
        EXPECT_GT(read(ends[0], name, sizeof name), 0);
        close(ends[0]);
        EXPECT_EQ(waitpid(child, nullptr, 0), child);
        std::string found = name;
        const std::string pid = "-" + std::to_string(child);
        const std::size_t at = found.find(pid);
        return at == found.npos ? found : found.replace(at, pid.size(), "-PID");
    }

    static void write_at(const std::string &path, time_t seconds)
    {
        write_contents(path, "something");
        const timespec times[2] = {{seconds, 0}, {seconds, 0}};
        EXPECT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
    }

    scratch_directory directory_;
    const std::string path_ = directory_.path("run.ftr");
};

TEST_F(RunClaim, BeginsARunWhereThereIsNone)
{
    EXPECT_EQ(claim(path_), path_);
    const char *run = std::getenv("FTR_RUN");
    ASSERT_NE(run, nullptr);
    EXPECT_GT(std::atoll(run), 1000000000);
    EXPECT_NE(std::strchr(run, '.'), nullptr);
}

TEST_F(RunClaim, GivesTheNameToTheFirstOfARunAlone)
{
    EXPECT_EQ(claim(path_), path_);
    EXPECT_EQ(claim_in_another(path_), directory_.path("run-PID.ftr"));
    EXPECT_EQ(claim_in_another(directory_.path("other.ftr")), directory_.path("other.ftr"));
}

TEST_F(RunClaim, PutsThePidAtTheEndOfANameWithoutSuffix)
{
    const std::string path = directory_.path("trace.bin");
    EXPECT_EQ(claim(path), path);
    EXPECT_EQ(claim_in_another(path), path + "-PID");
}

TEST_F(RunClaim, LeavesWhatWasWrittenSinceTheRunBegan)
{
    setenv("FTR_RUN", "1000.000000000", 1);
    write_at(path_, 1000);
    EXPECT_EQ(claim_in_another(path_), directory_.path("run-PID.ftr"));
}

TEST_F(RunClaim, TakesTheFileOfAnEarlierRun)
{
    setenv("FTR_RUN", "1000.000000000", 1);
    write_at(path_, 999);
    EXPECT_EQ(claim_in_another(path_), path_);
}

TEST_F(RunClaim, TakesAFileThatIsThereWhenItBeginsTheRun)
{
    write_at(path_, 4000000000);
    EXPECT_EQ(claim(path_), path_);
}

TEST_F(RunClaim, TakesAnEmptyFileThatNobodyHas)
{
    setenv("FTR_RUN", "1000.000000000", 1);
    write_contents(path_, "");
    EXPECT_EQ(claim_in_another(path_), path_);
}

TEST_F(RunClaim, LeavesAnEmptyFileThatAnotherIsAboutToWrite)
{
    setenv("FTR_RUN", "1000.000000000", 1);
    write_contents(path_, "");
    const int fd = open(path_.c_str(), O_RDONLY);
    ASSERT_EQ(flock(fd, LOCK_EX), 0);
    EXPECT_EQ(claim_in_another(path_), directory_.path("run-PID.ftr"));
    close(fd);
}

TEST_F(RunClaim, LeavesToTheCallerWhatIsNoFileOrCannotBeOne)
{
    setenv("FTR_RUN", "1000.000000000", 1);
    EXPECT_EQ(claim_in_another("/dev/null"), "/dev/null");
    const std::string nowhere = directory_.path("no such folder/run.ftr");
    EXPECT_EQ(claim_in_another(nowhere), nowhere);
}

TEST_F(RunClaim, TakesATextThatIsNoTimeForNoRun)
{
    setenv("FTR_RUN", "yesterday", 1);
    write_at(path_, 4000000000);
    EXPECT_EQ(claim(path_), path_);
    EXPECT_STRNE(std::getenv("FTR_RUN"), "yesterday");
}

TEST_F(RunClaim, RefusesANameThatThePidDoesNotFitIn)
{
    setenv("FTR_RUN", "1000.000000000", 1);
    write_at(path_, 1000);
    EXPECT_EQ(claim(path_, path_.size() + 1), "FTR_ERR_LIMIT");
    EXPECT_NE(claim(path_, path_.size() + 16), "FTR_ERR_LIMIT");
}
} // namespace
