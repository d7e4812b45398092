// FTR_KEEP=on-error: files after runs that ended normally, and after others.
#include "fork_at_rest.hpp"
#include "recording.hpp"

#include <ftr/environment.h>
#include <ftr/recovery.h>

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>

namespace
{

class KeepOnError : public testing::Test
{
  protected:
    std::string path() const { return directory_.path("run.ftr"); }

    ftr_recorder *open(std::uint64_t max_size = 0, std::uint32_t max_files = 0)
    {
        ftr_recorder_options options = {};
        options.threads = 1;
        options.keep = FTR_KEEP_ON_ERROR;
        options.max_size = max_size;
        options.max_files = max_files;
        options.report = report_list::report;
        options.report_user = &reports_;
        ftr_recorder *recorder = nullptr;
        EXPECT_EQ(ftr_recorder_open(path().c_str(), &options, &recorder), FTR_OK);
        return recorder;
    }

    static bool record(ftr_recorder *recorder, std::uint64_t count)
    {
        ftr_stream stream;
        ftr_generator generator;
        const ftr_attribute text = {"text", FTR_TYPE_STRING, FTR_CLASS_BEGIN};
        if (ftr_stream_define(recorder, "top", nullptr, &stream) != FTR_OK ||
            ftr_generator_define(recorder, stream, "g", &text, 1, &generator) != FTR_OK)
            return false;
        for (std::uint64_t n = 0; n < count; ++n) {
            const std::string unique = "text " + std::to_string(n * 7919);
            const ftr_value value = text_value(FTR_TYPE_STRING, unique.c_str());
            if (ftr_tx_record(recorder, generator, n, n + 1, &value, 1, nullptr) != FTR_OK)
                return false;
        }
        return true;
    }

    std::size_t count_files() const
    {
        std::size_t count = 0;
        for (const auto &entry : std::filesystem::directory_iterator(directory_.path()))
            count += entry.is_regular_file();
        return count;
    }

    // Runs @p body in a child with the default recorder; returns its wait status.
    int in_child(const std::function<void(ftr_recorder *)> &body)
    {
        std::fflush(nullptr);
        const pid_t child = fork_at_rest();
        if (child == 0) {
            setenv("FTR_TRACE", path().c_str(), 1);
            setenv("FTR_KEEP", "on-error", 1);
            ftr_recorder *recorder = ftr_default_recorder(0, nullptr, nullptr);
            if (!recorder || !record(recorder, 5))
                _exit(99);
            body(recorder);
            _exit(98);
        }
        int status = 0;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        return status;
    }

    void expect_kept(std::size_t count) const
    {
        EXPECT_EQ(findings(path()), std::vector<std::string>{});
        EXPECT_EQ(decode(path()).transactions.size(), count);
    }

    scratch_directory directory_;
    report_list reports_;
};

TEST_F(KeepOnError, RemovesTheFileOfARunThatSucceeded)
{
    ftr_recorder *recorder = open();
    ASSERT_TRUE(record(recorder, 10));
    EXPECT_EQ(ftr_recorder_flush(recorder), FTR_OK);
    EXPECT_TRUE(std::filesystem::exists(path()));
    EXPECT_EQ(ftr_recorder_close(recorder), FTR_OK);
    EXPECT_EQ(count_files(), 0u);
    EXPECT_EQ(reports_.count("is removed: the run ended well"), 1u);
}

TEST_F(KeepOnError, RemovesAllFiles)
{
    for (const std::uint32_t files : {2, 100}) {
        ftr_recorder *recorder = open(65536, files);
        ASSERT_TRUE(record(recorder, 20000));
        EXPECT_EQ(ftr_recorder_flush(recorder), FTR_OK);
        EXPECT_GT(count_files(), 2u);
        EXPECT_EQ(ftr_recorder_close(recorder), FTR_OK);
        EXPECT_EQ(count_files(), 0u);
    }
}

TEST_F(KeepOnError, KeepsTheFileOfARunMarkedAsFailed)
{
    ftr_recorder *recorder = open();
    ASSERT_TRUE(record(recorder, 10));
    EXPECT_EQ(ftr_recorder_mark_failed(recorder), FTR_OK);
    EXPECT_EQ(ftr_recorder_close(recorder), FTR_OK);
    expect_kept(10);
    EXPECT_EQ(ftr_recorder_mark_failed(nullptr), FTR_ERR_ARGUMENT);
}

TEST_F(KeepOnError, KeepsTheFileOfARecorderThatFailed)
{
    std::fflush(nullptr);
    const pid_t child = fork_at_rest();
    if (child == 0) {
        ftr_recorder *recorder = open();
        const rlimit limit = {100000, 100000};
        setrlimit(RLIMIT_FSIZE, &limit);
        static_cast<void>(record(recorder, 100000));
        _exit(ftr_recorder_close(recorder) == FTR_ERR_IO ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(std::filesystem::exists(path()));
}

TEST_F(KeepOnError, RemovesTheDefaultRecordersFileAfterExitWithSuccess)
{
    EXPECT_EQ(in_child([](ftr_recorder *) { std::exit(0); }), 0);
    EXPECT_EQ(count_files(), 0u);
}

TEST_F(KeepOnError, KeepsTheDefaultRecordersFileAfterExitWithAnotherStatus)
{
    const int status = in_child([](ftr_recorder *) { std::exit(3); });
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 3);
    expect_kept(5);
}

TEST_F(KeepOnError, KeepsTheFilesOfAKilledProcess)
{
    in_child([](ftr_recorder *) { raise(SIGKILL); });
    ftr_recovery found{};
    ASSERT_EQ(ftr_recovery_run((path() + ".journal").c_str(), nullptr,
                               directory_.path("sound.ftr").c_str(), &found),
              FTR_OK)
        << found.message;
    EXPECT_EQ(decode(directory_.path("sound.ftr")).transactions.size(), 5u);
}

} // namespace
