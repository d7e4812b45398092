// State shared by the copies of libftr in one process (ftr/detail/process.h): this program takes
// the role of libftr_attach.so, because they look up its variable by name.
#include <ftr/environment.h>
#include <ftr/detail/process.h>

#include "fork_at_rest.hpp"
#include "recording.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>

extern "C" {
__attribute__((visibility("default"))) extern ftr_process ftr_process_shared;
ftr_process ftr_process_shared;
}

namespace
{
class SharedProcess : public testing::Test
{
  protected:
    // Runs @p body in a child, because a process opens the default recorder only once.
    static bool in_child(const std::function<bool()> &body)
    {
        std::fflush(nullptr);
        const pid_t child = fork_at_rest();
        if (child == 0)
            std::exit(body() ? EXIT_SUCCESS : EXIT_FAILURE);
        int status = 0;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        return status == 0;
    }

    SharedProcess() { setenv("FTR_TRACE", directory_.path("run.ftr").c_str(), 1); }
    ~SharedProcess() override { unsetenv("FTR_TRACE"); }

    scratch_directory directory_;
};

TEST_F(SharedProcess, UsesTheRecorderOfTheFirstCopyThatOpensIt)
{
    EXPECT_TRUE(in_child([] {
        ftr_recorder *const rec = ftr_default_recorder(0, nullptr, nullptr);
        return rec && ftr_process_shared.recorder == rec && *ftr_process_shared.made_by;
    }));
}

TEST_F(SharedProcess, SharesTheRecorderWithCopiesOfTheSameBuild)
{
    const std::string build = directory_.path("build");
    ASSERT_TRUE(in_child([&] {
        static_cast<void>(ftr_default_recorder(0, nullptr, nullptr));
        write_contents(build, ftr_process_shared.made_by);
        return true;
    }));
    std::filesystem::remove(directory_.path("run.ftr"));
    EXPECT_TRUE(in_child([&] {
        ftr_recorder_options options{};
        ftr_recorder *first = nullptr;
        const std::string path = directory_.path("first.ftr");
        if (ftr_recorder_open(path.c_str(), &options, &first) != FTR_OK)
            return false;
        const std::string made_by = contents_of(build); // in the form of another copy
        ftr_process_shared.recorder = first;
        ftr_process_shared.made_by = made_by.c_str();
        const bool is_shared = ftr_default_recorder(0, nullptr, nullptr) == first;
        return ftr_recorder_close(first) == FTR_OK && is_shared;
    }));
    EXPECT_FALSE(std::filesystem::exists(directory_.path("run.ftr")));
}

TEST_F(SharedProcess, RefusesCopiesOfOtherBuildsWithAMessage)
{
    EXPECT_TRUE(in_child([] {
        report_list reports;
        ftr_process_shared.recorder = reinterpret_cast<ftr_recorder *>(&reports); // never accessed
        ftr_process_shared.made_by = "99.0.0";
        const bool has_none = !ftr_default_recorder(0, report_list::report, &reports);
        return has_none && reports.count("already records with libftr 99.0.0") == 1;
    }));
    EXPECT_FALSE(std::filesystem::exists(directory_.path("run.ftr")));
}
} // namespace
