// The default recorder of a process. A process opens it only once, so each test runs in a process
// of its own.
#include <ftr/environment.h>

#include "fork_at_rest.hpp"
#include "recording.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <thread>

namespace
{
class DefaultRecorder : public testing::Test
{
  protected:
    std::string path() const { return directory_.path("run.ftr"); }

    // Runs @p body in a child that ends with exit(), like most programs. Returns its exit status.
    static int in_child(const std::function<int()> &body)
    {
        std::fflush(nullptr);
        const pid_t child = fork_at_rest();
        if (child == 0)
            std::exit(body());
        int status = 0;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
        return WEXITSTATUS(status);
    }

    static ftr_recorder *ask(int time_scale = 0, report_list *reports = nullptr)
    {
        return ftr_default_recorder(time_scale, reports ? report_list::report : nullptr, reports);
    }

    static bool record_one(ftr_recorder *recorder)
    {
        ftr_stream stream;
        ftr_generator generator;
        return ftr_stream_define(recorder, "top", nullptr, &stream) == FTR_OK &&
               ftr_generator_define(recorder, stream, "read", nullptr, 0, &generator) == FTR_OK &&
               ftr_tx_record(recorder, generator, 10, 20, nullptr, 0, nullptr) == FTR_OK;
    }

    void expect_one_transaction() const
    {
        EXPECT_EQ(findings(path()), std::vector<std::string>{});
        const decoded_file file = decode(path());
        ASSERT_EQ(file.transactions.size(), 1u);
        EXPECT_EQ(file.transactions[0].end, 20u);
    }

    scratch_directory directory_;
};

TEST_F(DefaultRecorder, IsInvalidIfTraceIsUnset)
{
    EXPECT_EQ(in_child([] {
                  unsetenv("FTR_TRACE");
                  setenv("FTR_FLOAT", "nonsense that nobody asked about", 1);
                  report_list reports;
                  return ask(0, &reports) == nullptr && reports.all().empty() ? 0 : 1;
              }),
              0);
}

TEST_F(DefaultRecorder, IsSharedAndClosedAtExit)
{
    EXPECT_EQ(in_child([this] {
                  setenv("FTR_TRACE", path().c_str(), 1);
                  ftr_recorder *first = ask(-9);
                  ftr_recorder *from_thread = nullptr;
                  std::thread([&] { from_thread = ask(-15); }).join();
                  return first && first == from_thread && record_one(first) ? 0 : 1;
              }),
              0);
    expect_one_transaction();
    EXPECT_EQ(decode(path()).time_scale, -9);
}

TEST_F(DefaultRecorder, CanBeClosedBeforeExit)
{
    EXPECT_EQ(in_child([this] {
                  setenv("FTR_TRACE", path().c_str(), 1);
                  ftr_recorder *recorder = ask();
                  const bool good = record_one(recorder) &&
                                    ftr_recorder_close(recorder) == FTR_OK && ask() == recorder &&
                                    !record_one(recorder);
                  return good ? 0 : 1;
              }),
              0);
    expect_one_transaction();
}

TEST_F(DefaultRecorder, ChildProcessDoesNotWriteTheFileOfItsParent)
{
    EXPECT_EQ(in_child([this] {
                  setenv("FTR_TRACE", path().c_str(), 1);
                  ftr_recorder *recorder = ask();
                  const int child = in_child([&] { return record_one(recorder) ? 1 : 7; });
                  return child == 7 && record_one(recorder) ? 0 : 1;
              }),
              0);
    expect_one_transaction();
}

TEST_F(DefaultRecorder, ReportsAnInvalidVariableOnceAndRecordsNothing)
{
    EXPECT_EQ(in_child([this] {
                  setenv("FTR_TRACE", path().c_str(), 1);
                  setenv("FTR_FLOAT", "half", 1);
                  report_list reports;
                  const bool none = !ask(0, &reports) && !ask(0, &reports);
                  return none && reports.all().size() == 1 ? 0 : 1;
              }),
              0);
    EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(DefaultRecorder, ReportsAPathThatCannotBeOpenedOnce)
{
    EXPECT_EQ(in_child([this] {
                  // A missing directory would be created.
                  std::ofstream(directory_.path("none")) << "no directory";
                  setenv("FTR_TRACE", directory_.path("none/run.ftr").c_str(), 1);
                  report_list reports;
                  const bool none = !ask(0, &reports) && !ask(0, &reports);
                  return none && reports.all().size() == 1 && reports.count("none/run.ftr") == 1 &&
                                 reports.count("Not a directory") == 1
                             ? 0
                             : 1;
              }),
              0);
}
} // namespace
