// A limited address space (ulimit -v): recording leaves three quarters of it to the program, or
// reports that it is impossible and leaves no file.
#include "recording.hpp"
#include "sanitizers.hpp"

#include <ftr/recorder.h>

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace
{
constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::size_t in_use()
{
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Returns the number of pieces of 1 MiB that can be mapped.
std::size_t allocatable()
{
    static void *pieces[8192];
    std::size_t count = 0;
    while (count < 8192) {
        void *piece = mmap(nullptr, mebibyte, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (piece == MAP_FAILED)
            break;
        pieces[count++] = piece;
    }
    for (std::size_t i = 0; i < count; ++i)
        munmap(pieces[i], mebibyte);
    return count;
}

void leave(std::size_t bytes)
{
    const rlimit limit = {in_use() + bytes, RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &limit) != 0)
        _exit(10);
}

void report_to_file(void *file, ftr_severity severity, const char *message)
{
    if (severity == FTR_SEVERITY_ERROR)
        std::fprintf(static_cast<std::FILE *>(file), "%s\n", message);
}

// Runs a recording program; its exit status is the result. 0: it could record, and three quarters
// were free; 1: it could not record.
int record_within(std::size_t bytes, const std::string &trace, const std::string &messages)
{
    std::FILE *file = std::fopen(messages.c_str(), "w");
    ftr_recorder_options options = {};
    options.threads = 1;
    options.report = report_to_file;
    options.report_user = file;
    leave(bytes);
    const std::size_t before = allocatable();
    ftr_recorder *rec = nullptr;
    const bool is_open = ftr_recorder_open(trace.c_str(), &options, &rec) == FTR_OK;
    if (!is_open) {
        std::fclose(file);
        return allocatable() + 1 >= before * 3 / 4 ? 1 : 11;
    }
    ftr_stream stream;
    ftr_generator generator;
    const ftr_attribute text = {"text", FTR_TYPE_STRING, FTR_CLASS_RECORD};
    if (ftr_stream_define(rec, "top", nullptr, &stream) != FTR_OK ||
        ftr_generator_define(rec, stream, "g", &text, 1, &generator) != FTR_OK)
        return 12;
    for (std::uint64_t i = 0; i < 20000; ++i) {
        const std::string some = std::to_string(i % 1000);
        const ftr_value value = text_value(FTR_TYPE_STRING, some.c_str());
        if (ftr_tx_record(rec, generator, i, i + 1, &value, 1, nullptr) != FTR_OK)
            return 13;
    }
    const std::size_t after = allocatable();
    if (ftr_recorder_close(rec) != FTR_OK)
        return 14;
    std::fclose(file);
    if (after < before * 3 / 4) {
        std::fprintf(stderr, "%zu MiB of %zu\n", after, before);
        return 15;
    }
    return 0;
}

class LimitedSpace : public testing::TestWithParam<std::size_t>
{
};

TEST_P(LimitedSpace, IsLeftToTheProgram)
{
    if (FTR_TEST_IS_SANITIZED)
        GTEST_SKIP() << "sanitizers reserve terabytes";
    scratch_directory directory;
    const std::string trace = directory.path("run.ftr");
    const std::string messages = directory.path("messages");
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0)
        _exit(record_within(GetParam() * mebibyte, trace, messages));
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    const std::string said = contents_of(messages);
    if (GetParam() >= 1000) {
        EXPECT_EQ(WEXITSTATUS(status), 0) << said;
    }
    if (WEXITSTATUS(status) == 0) {
        EXPECT_EQ(said, "");
        EXPECT_EQ(summary_of(trace)["transactions"], 20000);
    } else {
        EXPECT_EQ(WEXITSTATUS(status), 1) << said;
        EXPECT_EQ(said.find("cannot record: the limit of the address space (ulimit -v) leaves"), 0u)
            << said;
        EXPECT_EQ(said.find('\n'), said.size() - 1) << said;
        EXPECT_FALSE(std::filesystem::exists(trace));
        EXPECT_FALSE(std::filesystem::exists(trace + ".journal"));
    }
}

INSTANTIATE_TEST_SUITE_P(MiB, LimitedSpace,
                         testing::Values(20, 250, 600, 700, 800, 1000, 1950, 4000),
                         testing::PrintToStringParamName());

} // namespace
