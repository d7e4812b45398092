// Recordings with thousands of streams: complete files, long chunks, and bounded memory.
#include "decoded_file.hpp"
#include "killed_process.hpp"
#include "recording.hpp"
#include "sanitizers.hpp"

#include <ftr/recovery.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace
{
constexpr std::uint64_t mebibyte = std::uint64_t(1) << 20;

// A recorder with many streams, of which each has a generator with two numbers and, if `text` is
// not empty, this text.
struct many_streams {
    ftr_recorder *recorder = nullptr;
    std::string text;
    std::vector<ftr_generator> generators;

    many_streams(const std::string &path, std::size_t count, ftr_recorder_options options)
    {
        const ftr_attribute attributes[] = {{"address", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD},
                                            {"length", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD},
                                            {"text", FTR_TYPE_STRING, FTR_CLASS_RECORD}};
        generators.resize(count);
        bool good = ftr_recorder_open(path.c_str(), &options, &recorder) == FTR_OK;
        for (std::size_t i = 0; good && i < count; ++i) {
            ftr_stream stream = 0;
            good = ftr_stream_define(recorder, name(i).c_str(), nullptr, &stream) == FTR_OK &&
                   ftr_generator_define(recorder, stream, "read", attributes, 3, &generators[i]) ==
                       FTR_OK;
        }
        if (!good)
            throw std::runtime_error("cannot record");
    }

    static std::string name(std::size_t stream) { return "top.port" + std::to_string(stream); }

    static std::uint64_t address(std::uint64_t n) { return n * 2654435761u % 1000003; }

    // Records transaction number @p n, which is a transaction of @p stream.
    bool record(std::uint64_t n, std::size_t stream) const
    {
        ftr_tx tx;
        return ftr_tx_begin(recorder, generators[stream], n * 10, &tx) == FTR_OK &&
               ftr_tx_put_number(recorder, tx, 0, address(n)) == FTR_OK &&
               ftr_tx_put_number(recorder, tx, 1, n % 64) == FTR_OK &&
               (text.empty() ||
                ftr_tx_put_text(recorder, tx, 2, text.data(), text.size()) == FTR_OK) &&
               ftr_tx_end(recorder, tx, n * 10 + n % 7) == FTR_OK;
    }

    // Records transactions first to first + count - 1; the streams take turns.
    bool record_in_turn(std::uint64_t first, std::uint64_t count) const
    {
        bool good = true;
        for (std::uint64_t n = first; good && n < first + count; ++n)
            good = record(n, n % generators.size());
        return good;
    }

    ftr_statistics statistics() const
    {
        ftr_statistics found{};
        EXPECT_EQ(ftr_recorder_get_statistics(recorder, &found), FTR_OK);
        return found;
    }
};

ftr_recorder_options with_threads(int threads, std::size_t block_memory = 0)
{
    ftr_recorder_options options{};
    options.threads = threads;
    options.block_memory = block_memory;
    return options;
}

// Options with which no chunk is written because of its age.
ftr_recorder_options timeless(int threads, std::size_t block_memory = 0)
{
    ftr_recorder_options options = with_threads(threads, block_memory);
    options.clock = [](void *) { return std::uint64_t{1}; };
    return options;
}

// Expects transactions 0 to @p count - 1, of streams that took turns.
void expect_in_turn(const decoded_file &file, std::uint64_t count, std::size_t streams)
{
    std::vector<bool> found(count);
    for (const decoded_transaction &tx : file.transactions) {
        const std::uint64_t n = tx.begin / 10;
        ASSERT_LT(n, count);
        ASSERT_FALSE(found[n]) << n;
        found[n] = true;
        ASSERT_EQ(tx.stream, many_streams::name(n % streams));
        ASSERT_EQ(tx.end, n * 10 + n % 7);
        ASSERT_EQ(tx.value("address"), many_streams::address(n));
        ASSERT_EQ(tx.value("length"), n % 64);
    }
    EXPECT_EQ(file.transactions.size(), count);
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

class ManyStreams : public testing::TestWithParam<int>
{
  protected:
    scratch_directory directory;
    const std::string trace = directory.path("run.ftr");
};

TEST_P(ManyStreams, HaveTheirTransactionsInTheFile)
{
    for (std::size_t streams : {23, 24, 255, 256, 3000}) {
        SCOPED_TRACE(streams);
        const std::uint64_t count = streams < 3000 ? 3000 : 30000;
        many_streams with(trace, streams, with_threads(GetParam()));
        ASSERT_TRUE(with.record_in_turn(0, count));
        ASSERT_EQ(ftr_recorder_close(with.recorder), FTR_OK);
        expect_in_turn(decode(trace), count, streams);
    }
}

// The blocks of two threads are read alternately, so the bodies do not begin in the order of the
// tickets of their blocks.
TEST_P(ManyStreams, OfTwoThreadsHaveTheirTransactionsInTheFile)
{
    const std::uint64_t half = 15000;
    many_streams with(trace, 1000, with_threads(GetParam(), mebibyte));
    std::thread other([&] { EXPECT_TRUE(with.record_in_turn(half, half)); });
    EXPECT_TRUE(with.record_in_turn(0, half));
    other.join();
    ASSERT_EQ(ftr_recorder_close(with.recorder), FTR_OK);
    expect_in_turn(decode(trace), 2 * half, 1000);
}

// The transactions of many streams are kept longer, so that chunks do not become short.
TEST_P(ManyStreams, HaveLongChunks)
{
    const std::size_t streams = 10000;
    many_streams with(trace, streams, timeless(GetParam()));
    ASSERT_TRUE(with.record_in_turn(0, 60 * streams));
    ASSERT_EQ(ftr_recorder_close(with.recorder), FTR_OK);
    // 60 transactions of a stream take 43 MiB of blocks: with the usual 12 MiB, there would be 7
    // chunks of each stream.
    EXPECT_LE(with.statistics().chunks, 3 * streams + 100);
}

TEST_P(ManyStreams, TakeNoMoreMemoryThanStated)
{
    if (FTR_TEST_IS_SANITIZED)
        GTEST_SKIP() << "sanitizers need more memory than they watch";
    const auto peak = [&](std::size_t streams, std::size_t block_memory) {
        return peak_of([&] {
            const many_streams with(trace, streams, timeless(GetParam(), block_memory));
            return with.record_in_turn(0, 1000000) && ftr_recorder_close(with.recorder) == FTR_OK;
        });
    };
    const std::uint64_t few = peak(10, 0);
    const std::uint64_t limited = peak(10000, 4 * mebibyte);
    const std::uint64_t usual = peak(10000, 0);
    const std::uint64_t most = peak(30000, 0);
    std::printf(
        "peak: 10 streams %.1f MiB, 10,000 streams %.1f MiB with 4 MiB of blocks, %.1f MiB, "
        "30,000 streams %.1f MiB\n",
        double(few) / mebibyte, double(limited) / mebibyte, double(usual) / mebibyte,
        double(most) / mebibyte);
    EXPECT_GT(few, 0u);
    EXPECT_GT(limited, 0u);
    // definitions take 0.4 KiB a stream, and its body at least as much
    EXPECT_LT(limited, few + 20 * mebibyte);
    EXPECT_LT(usual, few + 110 * mebibyte);
    EXPECT_LT(most, few + 140 * mebibyte);
}

// Blocks do not take the address space that definitions need.
TEST_P(ManyStreams, RecordInALimitedAddressSpace)
{
    if (FTR_TEST_IS_SANITIZED)
        GTEST_SKIP() << "sanitizers reserve address space";
    const std::uint64_t peak = peak_of([&] {
        const rlimit limit = {1300 * mebibyte, RLIM_INFINITY};
        if (setrlimit(RLIMIT_AS, &limit) != 0)
            return false;
        const many_streams with(trace, 5000, timeless(GetParam()));
        return with.record_in_turn(0, 1000000) && ftr_recorder_close(with.recorder) == FTR_OK;
    });
    EXPECT_GT(peak, 0u);
}

// The retained blocks of a killed process, more than the usual number of them, are in the journal.
TEST_P(ManyStreams, LoseNothingIfKilled)
{
    const std::size_t streams = 6000;
    const std::uint64_t count = 5 * streams;
    killed_process([&] {
        many_streams with(trace, streams, timeless(GetParam()));
        with.text.assign(500, 'x'); // 500 bytes in a block, 1 byte in a body
        if (!with.record_in_turn(0, count))
            _exit(2);
        if (with.statistics().chunks > 200)
            _exit(3); // the transactions are no longer in blocks
    });
    EXPECT_GT(std::filesystem::file_size(trace + ".journal"), 16 * mebibyte);
    ftr_recovery found{};
    const std::string sound = directory.path("sound.ftr");
    ASSERT_EQ(ftr_recovery_run((trace + ".journal").c_str(), nullptr, sound.c_str(), &found),
              FTR_OK)
        << found.message;
    expect_in_turn(decode(sound), count, streams);
}

INSTANTIATE_TEST_SUITE_P(Threads, ManyStreams, testing::Values(0, 1));
} // namespace
