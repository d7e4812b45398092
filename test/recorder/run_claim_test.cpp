// The process of a run that may use the output's name. A run consists of the processes that inherit
// FTR_RUN.
extern "C" {
#include "run_claim.h"
#include "trace.h"
}
#include "fork_at_rest.hpp"
#include "killed_process.hpp"
#include "recording.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
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

    // Opens a recorder at the path as the default recorder does.
    static ftr_recorder *open_in_run(const std::string &path, report_list *reports = nullptr)
    {
        const ftr_run run = ftr_run_enter();
        ftr_recorder_options options{};
        options.report = reports ? report_list::report : nullptr;
        options.report_user = reports;
        ftr_recorder *rec = nullptr;
        EXPECT_EQ(ftr_trace_create(path.c_str(), &options, &run, &rec), FTR_OK);
        return rec;
    }

    // Returns the path of the recording, from the messages.
    static std::string name_from(const report_list &reports, const std::string &asked)
    {
        const std::string before = "recording to ";
        for (const reported &one : reports.all()) {
            const std::size_t at = one.message.find(before);
            if (at != one.message.npos)
                return one.message.substr(at + before.size());
        }
        return asked;
    }

    // Returns the output path of another process of the run, which inherits only the environment.
    static std::string claim_in_another(const std::string &path)
    {
        int ends[2];
        EXPECT_EQ(pipe(ends), 0);
        const pid_t child = fork_at_rest();
        if (child == 0) {
            report_list reports;
            ftr_recorder *rec = open_in_run(path, &reports);
            const std::string name = name_from(reports, path);
            const bool closed = ftr_recorder_close(rec) == FTR_OK;
            _exit(!closed || write(ends[1], name.c_str(), name.size() + 1) < 0);
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

    // Returns whether a process replaces the file at @p path, if libftr_attach.so has begun the run
    // in this process 3 ms after the time 1000.
    static bool is_replaced_by_the_beginner(const std::string &path)
    {
        const std::string before = contents_of(path);
        const pid_t child = fork_at_rest();
        if (child == 0) {
            const std::string beginner = std::to_string(getpid());
            setenv("FTR_RUN", ("1000.000000000 " + beginner + " 1000.003000000").c_str(), 1);
            ftr_recorder *rec = open_in_run(path);
            const bool is_entered = std::getenv("FTR_RUN") == std::string("1000.000000000");
            _exit(is_entered && ftr_recorder_close(rec) == FTR_OK ? 0 : 1);
        }
        int status = 0;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
        return contents_of(path) != before;
    }

    static void write_at(const std::string &path, time_t seconds)
    {
        write_contents(path, "something");
        const timespec times[2] = {{seconds, 0}, {seconds, 0}};
        EXPECT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
    }

    scratch_directory directory_;
    const std::string path_ = directory_.path("run.ftr");
    const std::string other_ = directory_.path("run-PID.ftr");
};

TEST_F(RunClaim, BeginsARunIfThereIsNone)
{
    EXPECT_FALSE(ftr_run_enter().is_inherited);
    const char *run = std::getenv("FTR_RUN");
    ASSERT_NE(run, nullptr);
    EXPECT_GT(std::atoll(run), 1000000000);
    EXPECT_NE(std::strchr(run, '.'), nullptr);
    EXPECT_TRUE(ftr_run_enter().is_inherited);
}

TEST_F(RunClaim, FirstProcessOfARunGetsTheName)
{
    ftr_recorder *const first = open_in_run(path_);
    EXPECT_EQ(claim_in_another(path_), other_); // while it is written
    EXPECT_EQ(ftr_recorder_close(first), FTR_OK);
    EXPECT_EQ(claim_in_another(path_), other_); // and later
    EXPECT_EQ(claim_in_another(directory_.path("other.ftr")), directory_.path("other.ftr"));
}

TEST_F(RunClaim, PutsThePidAtTheEndOfANameWithoutSuffix)
{
    const std::string path = directory_.path("trace");
    ftr_recorder *const first = open_in_run(path);
    EXPECT_EQ(claim_in_another(path), path + "-PID");
    EXPECT_EQ(ftr_recorder_close(first), FTR_OK);
}

TEST_F(RunClaim, KeepsFilesWrittenSinceTheRunBegan)
{
    setenv("FTR_RUN", "1000.000000000", 1);
    write_at(path_, 1000);
    EXPECT_EQ(claim_in_another(path_), other_);
    EXPECT_EQ(contents_of(path_), "something");
}

TEST_F(RunClaim, KeepsFurtherFilesOfOtherProcessesOfTheRun)
{
    setenv("FTR_RUN", "1000.000000000", 1);
    const std::string further = directory_.path("run_file0007.ftr");
    write_at(further, 1000);
    EXPECT_EQ(claim_in_another(path_), other_);
    EXPECT_EQ(contents_of(further), "something");
}

TEST_F(RunClaim, ReplacesTheFileOfAnEarlierRun)
{
    setenv("FTR_RUN", "1000.000000000", 1);
    write_at(path_, 999);
    EXPECT_EQ(claim_in_another(path_), path_);
}

TEST_F(RunClaim, ReplacesAFileThatExistsWhenTheRunBegins)
{
    write_at(path_, 4000000000);
    EXPECT_EQ(claim_in_another(path_), path_);
}

TEST_F(RunClaim, ReplacesAnEmptyFileThatNoProcessLocks)
{
    setenv("FTR_RUN", "1000.000000000", 1);
    write_contents(path_, "");
    EXPECT_EQ(claim_in_another(path_), path_);
}

// libftr_attach.so begins the run before the recorder is opened. The clock of file times advances
// in steps, so the file of an earlier run can be as new as the run.
TEST_F(RunClaim, ReplacesAFileAsNewAsTheRunOfThisProcess)
{
    write_at(path_, 1000);
    EXPECT_TRUE(is_replaced_by_the_beginner(path_));
}

// The process that began the run has started another process before it records.
TEST_F(RunClaim, KeepsAFileThatAChildRecordedFirst)
{
    write_at(path_, 1001);
    EXPECT_FALSE(is_replaced_by_the_beginner(path_));
    EXPECT_EQ(contents_of(path_), "something");
}

TEST_F(RunClaim, KeepsFilesWrittenSinceAnotherProcessBeganTheRun)
{
    const std::string beginner = std::to_string(getpid());
    setenv("FTR_RUN", ("1000.000000000 " + beginner + " 1000.003000000").c_str(), 1);
    write_at(path_, 1000);
    EXPECT_EQ(claim_in_another(path_), other_);
}

TEST_F(RunClaim, IgnoresARunWithAnInvalidTime)
{
    setenv("FTR_RUN", "yesterday", 1);
    write_at(path_, 4000000000);
    EXPECT_EQ(claim_in_another(path_), path_);
}

TEST_F(RunClaim, NeverReplacesAFileUnderAnotherProcessesName)
{
    ftr_recorder *const first = open_in_run(path_);
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork_at_rest();
    if (child == 0) {
        // Another container assigned the same process id to a process that has ended.
        const std::string taken = directory_.path("run-" + std::to_string(getpid()) + ".ftr");
        write_contents(taken, "other container");
        report_list reports;
        ftr_recorder *rec = open_in_run(path_, &reports);
        const std::string name = name_from(reports, path_);
        const bool is_next = name == directory_.path("run-" + std::to_string(getpid()) + "-2.ftr");
        _exit(rec && is_next && contents_of(taken) == "other container" ? 0 : 1);
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(ftr_recorder_close(first), FTR_OK);
}
} // namespace
