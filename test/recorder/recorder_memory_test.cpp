// Bounded memory: the peak of long recordings, and no allocation in a steady state.
#include "fault_injection.hpp"
#include "recording.hpp"
#include "sanitizers.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <functional>

namespace
{
constexpr std::uint64_t mebibyte = std::uint64_t(1) << 20;

std::int64_t write_nowhere(void *written, const void *, std::size_t size)
{
    *static_cast<std::uint64_t *>(written) += size;
    return std::int64_t(size);
}

const std::vector<ftr_attribute> three = {{"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                          {"data", FTR_TYPE_INTEGER, FTR_CLASS_RECORD},
                                          {"response", FTR_TYPE_ENUMERATION, FTR_CLASS_END}};

struct setup {
    ftr_recorder *recorder;
    ftr_generator generator;
    ftr_text response;
    std::uint64_t written;
};

// Opens a recorder that counts and discards its bytes.
bool open(setup &made, int threads, const std::vector<ftr_attribute> &attributes)
{
    static ftr_sink sink;
    sink = {&made.written, write_nowhere, nullptr};
    ftr_recorder_options options = {};
    options.threads = threads;
    options.sink = &sink;
    ftr_stream stream = 0;
    made.written = 0;
    return ftr_recorder_open(nullptr, &options, &made.recorder) == FTR_OK &&
           ftr_stream_define(made.recorder, "top.bus", nullptr, &stream) == FTR_OK &&
           ftr_generator_define(made.recorder, stream, "read", attributes.data(), attributes.size(),
                                &made.generator) == FTR_OK &&
           ftr_text_define(made.recorder, "TLM_OK_RESPONSE", FTR_NUL_TERMINATED, &made.response) ==
               FTR_OK;
}

bool record_three(const setup &made, std::uint64_t i)
{
    ftr_tx tx;
    return ftr_tx_begin(made.recorder, made.generator, i * 10, &tx) == FTR_OK &&
           ftr_tx_put_number(made.recorder, tx, 0, 0x80000000 + i * 4) == FTR_OK &&
           ftr_tx_put_int(made.recorder, tx, 1, std::int64_t(i * 2654435761u)) == FTR_OK &&
           ftr_tx_put_defined(made.recorder, tx, 2, made.response) == FTR_OK &&
           ftr_tx_end(made.recorder, tx, i * 10 + 7) == FTR_OK;
}

bool record_transactions(std::uint64_t count, int threads)
{
    setup made;
    bool good = open(made, threads, three);
    for (std::uint64_t i = 0; good && i < count; ++i)
        good = record_three(made, i);
    ftr_statistics statistics;
    return good && ftr_recorder_close(made.recorder) == FTR_OK &&
           ftr_recorder_get_statistics(made.recorder, &statistics) == FTR_OK &&
           statistics.transactions == count && statistics.attributes == 3 * count &&
           statistics.bytes == made.written;
}

bool record_unique_texts(std::uint64_t count, int threads)
{
    setup made;
    bool good = open(made, threads, {{"text", FTR_TYPE_STRING, FTR_CLASS_RECORD}});
    for (std::uint64_t i = 0; good && i < count; ++i) {
        char text[65];
        std::snprintf(text, sizeof text, "%064llx", static_cast<unsigned long long>(i * i + i));
        const ftr_value value = text_value(FTR_TYPE_STRING, text);
        good = ftr_tx_record(made.recorder, made.generator, i, i, &value, 1, nullptr) == FTR_OK;
    }
    ftr_statistics statistics;
    return good && ftr_recorder_close(made.recorder) == FTR_OK &&
           ftr_recorder_get_statistics(made.recorder, &statistics) == FTR_OK &&
           statistics.transactions == count && statistics.strings > count;
}

// Returns the peak of resident memory, in bytes, of a process that only runs this; 0 on an error.
std::uint64_t peak_of(const std::function<bool()> &body)
{
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0)
        _exit(body() ? 0 : 1);
    int status = 0;
    rusage usage = {};
    if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return 0;
    return std::uint64_t(usage.ru_maxrss) * 1024;
}

class RecorderMemory : public testing::TestWithParam<int>
{
};

TEST_P(RecorderMemory, IsEqualForOneAndTenMillionTransactions)
{
    if (FTR_TEST_IS_SANITIZED)
        GTEST_SKIP() << "sanitizers need more memory than they watch";
    const std::uint64_t one = peak_of([] { return record_transactions(1000000, GetParam()); });
    const std::uint64_t ten = peak_of([] { return record_transactions(10000000, GetParam()); });
    std::printf("peak of 1e6 transactions %.1f MiB, of 1e7 %.1f MiB\n", double(one) / mebibyte,
                double(ten) / mebibyte);
    EXPECT_GT(one, 0u);
    EXPECT_GT(ten, 0u);
    // 12 MiB of blocks, of which a run touches more the longer the writer is behind
    EXPECT_LT(ten, 32 * mebibyte);
    EXPECT_LT(ten, one + 12 * mebibyte);
}

TEST_P(RecorderMemory, OfAMillionUniqueTextsIsBounded)
{
    if (FTR_TEST_IS_SANITIZED)
        GTEST_SKIP() << "sanitizers need more memory than they watch";
    const std::uint64_t peak = peak_of([] { return record_unique_texts(1000000, GetParam()); });
    std::printf("peak of 1e6 unique texts %.1f MiB\n", double(peak) / mebibyte);
    EXPECT_GT(peak, 0u);
    EXPECT_LT(peak, 64 * mebibyte);
}

// Records rounds until one allocates nothing. The delay of the writer thread determines when all
// blocks are allocated; their number is bounded, and afterwards they are reused.
template <typename Record>
bool ends_to_allocate(const setup &made, std::uint64_t transactions, const Record &record)
{
    constexpr std::uint64_t most_rounds = 40;
    for (std::uint64_t round = 0; round < most_rounds; ++round) {
        fault::allocations_succeed();
        for (std::uint64_t i = 0; i < transactions; ++i)
            if (!record(round * transactions + i))
                return false;
        if (ftr_recorder_flush(made.recorder) != FTR_OK)
            return false;
        if (fault::allocations() == 0)
            return true;
    }
    return false;
}

TEST_P(RecorderMemory, IsNotAllocatedInSteadyState)
{
    setup made;
    ASSERT_TRUE(open(made, GetParam(), three));
    EXPECT_TRUE(
        ends_to_allocate(made, 200000, [&](std::uint64_t i) { return record_three(made, i); }));
    ASSERT_EQ(ftr_recorder_close(made.recorder), FTR_OK);
}

// A round fills both generations of the dictionary.
TEST_P(RecorderMemory, OfChangingTextsIsNotAllocatedAgain)
{
    setup made;
    ASSERT_TRUE(open(made, GetParam(), {{"text", FTR_TYPE_STRING, FTR_CLASS_RECORD}}));
    EXPECT_TRUE(ends_to_allocate(made, 1000000, [&](std::uint64_t i) {
        const std::string text = "a text of its own " + std::to_string(i);
        const ftr_value value = text_value(FTR_TYPE_STRING, text.c_str());
        return ftr_tx_record(made.recorder, made.generator, i, i, &value, 1, nullptr) == FTR_OK;
    }));
    ASSERT_EQ(ftr_recorder_close(made.recorder), FTR_OK);
}

INSTANTIATE_TEST_SUITE_P(Threads, RecorderMemory, testing::Values(0, 1));
} // namespace
