// When the writer thread is started, and recorders that are closed before it does anything.
#include "memory_sink.hpp"
#include "recording.hpp"
#include "wrapped_calls.hpp"

#include <ftr/buffer.h>
#include <ftr/recorder.h>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <thread>

namespace
{
std::atomic<int> started;     // threads that the recorder has started
std::atomic<bool> none_start; // the system starts no thread
std::atomic<bool> are_held;   // new threads get no processor
std::atomic<int> running;     // threads of the recorder that have not ended

struct held_thread {
    void *(*start)(void *);
    void *data;
};
} // namespace

// See the options of the linker in recorder_tests.cmake.
FTR_WRAPPED(int, pthread_create, pthread_t *thread, const pthread_attr_t *attributes,
            void *(*start)(void *), void *data);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *data)
{
    if (none_start)
        return EAGAIN;
    ++started;
    ++running;
    const auto run = [](void *held) -> void * {
        const held_thread with = *static_cast<held_thread *>(held);
        delete static_cast<held_thread *>(held);
        while (are_held)
            usleep(1000);
        void *const result = with.start(with.data);
        --running;
        return result;
    };
    return __real_pthread_create(thread, attributes, run, new held_thread{start, data});
}

namespace
{
using std::chrono::milliseconds;

ftr_recorder_options with_thread()
{
    ftr_recorder_options options = {};
    options.threads = 1;
    return options;
}

// Waits until the file has this number of transactions.
testing::AssertionResult are_written(const recording &rec, std::size_t count)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (decode(rec.path()).transactions.size() < count) {
        if (std::chrono::steady_clock::now() > end)
            return testing::AssertionFailure() << "the file has fewer transactions";
        std::this_thread::sleep_for(milliseconds(20));
    }
    return testing::AssertionSuccess();
}

class WriterStart : public testing::Test
{
  protected:
    WriterStart()
    {
        started = 0;
        none_start = false;
        are_held = false;
    }
    ~WriterStart() override { are_held = false; }

    static ftr_generator define(recording &rec) { return rec.generator(rec.stream("top"), "g"); }

    // Each record has 40 bytes.
    static void record(recording &rec, ftr_generator generator, std::uint64_t count)
    {
        for (std::uint64_t i = 0; i < count; ++i)
            ASSERT_EQ(ftr_tx_record(rec, generator, i, i + 1, nullptr, 0, nullptr), FTR_OK);
    }

    // Calls @p run up to ten times, until it starts no thread. On a busy machine, a run can last
    // for more than a second. Returns whether a call started none.
    template <class Run> static bool once_without_thread(const Run &run)
    {
        for (int i = 0; i < 10; ++i) {
            started = 0;
            run();
            if (started == 0)
                return true;
        }
        return false;
    }
};

TEST_F(WriterStart, IsNotNeededForAShortRun)
{
    EXPECT_TRUE(once_without_thread([] {
        recording rec(with_thread());
        const ftr_generator generator = define(rec);
        ftr_tx open[60]; // fewer than the slots that the journal has from its start
        for (ftr_tx &tx : open)
            ASSERT_EQ(ftr_tx_begin(rec, generator, 1, &tx), FTR_OK);
        for (const ftr_tx &tx : open)
            ASSERT_EQ(ftr_tx_end(rec, tx, 2), FTR_OK);
        record(rec, generator, 700); // 28,000 bytes, less than half a block
        EXPECT_EQ(rec.decoded().transactions.size(), 760u);
    }));
}

TEST_F(WriterStart, IsNotNeededForAFlush)
{
    EXPECT_TRUE(once_without_thread([] {
        recording rec(with_thread());
        const ftr_generator generator = define(rec);
        for (std::size_t i = 1; i <= 3; ++i) {
            record(rec, generator, 1);
            ASSERT_EQ(ftr_recorder_flush(rec), FTR_OK);
            EXPECT_EQ(decode(rec.path()).transactions.size(), i);
        }
        EXPECT_EQ(rec.statistics().transactions, 3u);
        EXPECT_EQ(rec.decoded().transactions.size(), 3u);
    }));
}

TEST_F(WriterStart, FollowsHalfOfTheFirstBlock)
{
    recording rec(with_thread());
    const ftr_generator generator = define(rec);
    record(rec, generator, 820); // 32,800 bytes
    EXPECT_EQ(started, 1);
    EXPECT_TRUE(are_written(rec, 820)) << "without further calls";
    record(rec, generator, 5000);
    EXPECT_EQ(started, 1);
    EXPECT_EQ(rec.decoded().transactions.size(), 5820u);
}

// The journal has disk space for 20 KiB of records at first.
TEST_F(WriterStart, IsNotNeededForOneLargeRecord)
{
    for (const std::size_t size : {20000u, 20300u, 20400u, 20480u, 21000u, 32000u}) {
        EXPECT_TRUE(once_without_thread([size] {
            recording rec(with_thread());
            const ftr_generator generator = rec.generator(
                rec.stream("top"), "g", {{"text", FTR_TYPE_STRING, FTR_CLASS_RECORD}});
            const std::string text(size, 'x');
            const ftr_value value = text_value(FTR_TYPE_STRING, text.data(), text.size());
            ASSERT_EQ(ftr_tx_record(rec, generator, 1, 2, &value, 1, nullptr), FTR_OK);
            const decoded_file file = rec.decoded();
            ASSERT_EQ(file.transactions.size(), 1u);
            EXPECT_EQ(file.transactions[0].value("text"), text);
        }));
    }
}

TEST_F(WriterStart, FollowsAPieceOfTheBlockAfterATime)
{
    recording rec(with_thread());
    const ftr_generator generator = define(rec);
    record(rec, generator, 102); // 4,080 bytes behind a head of more than 16 bytes
    std::this_thread::sleep_for(milliseconds(60));
    record(rec, generator, 1);
    EXPECT_EQ(started, 1);
    EXPECT_TRUE(are_written(rec, 103));
}

TEST_F(WriterStart, DoesNotFollowLessThanAPieceAfterATime)
{
    EXPECT_TRUE(once_without_thread([] {
        recording rec(with_thread());
        const ftr_generator generator = define(rec);
        record(rec, generator, 50);
        std::this_thread::sleep_for(milliseconds(60));
        record(rec, generator, 50);
        EXPECT_EQ(rec.decoded().transactions.size(), 100u);
    }));
}

TEST_F(WriterStart, FollowsTheFirstRecordAfterASecond)
{
    recording rec(with_thread());
    const ftr_generator generator = define(rec);
    ftr_tx tx;
    ASSERT_EQ(ftr_tx_begin(rec, generator, 1, &tx), FTR_OK);
    std::this_thread::sleep_for(milliseconds(1010));
    EXPECT_EQ(started, 0) << "there is no record";
    ASSERT_EQ(ftr_tx_end(rec, tx, 2), FTR_OK);
    EXPECT_EQ(started, 1);
    EXPECT_TRUE(are_written(rec, 1));
}

TEST_F(WriterStart, FollowsARelationAfterASecond)
{
    recording rec(with_thread());
    const ftr_generator generator = define(rec);
    ftr_relation relation;
    ftr_tx one;
    ftr_tx other;
    ASSERT_EQ(ftr_relation_define(rec, "after", &relation), FTR_OK);
    ASSERT_EQ(ftr_tx_record(rec, generator, 1, 2, nullptr, 0, &one), FTR_OK);
    ASSERT_EQ(ftr_tx_record(rec, generator, 3, 4, nullptr, 0, &other), FTR_OK);
    std::this_thread::sleep_for(milliseconds(1010));
    ASSERT_EQ(ftr_relation_put(rec, relation, one, other), FTR_OK);
    EXPECT_EQ(started, 1);
    EXPECT_TRUE(are_written(rec, 2));
}

TEST_F(WriterStart, FollowsTheFirstRecordOfASecondThread)
{
    recording rec(with_thread());
    const ftr_generator generator = define(rec);
    record(rec, generator, 1);
    std::thread([&] { record(rec, generator, 1); }).join();
    EXPECT_EQ(started, 1);
    EXPECT_EQ(rec.decoded().transactions.size(), 2u);
}

TEST_F(WriterStart, FollowsMoreOpenTransactionsThanTheJournalHasSlots)
{
    recording rec(with_thread());
    const ftr_generator generator = define(rec);
    ftr_tx open[65];
    for (ftr_tx &tx : open)
        ASSERT_EQ(ftr_tx_begin(rec, generator, 1, &tx), FTR_OK);
    EXPECT_EQ(started, 1);
    for (const ftr_tx &tx : open)
        ASSERT_EQ(ftr_tx_end(rec, tx, 2), FTR_OK);
    EXPECT_EQ(rec.decoded().transactions.size(), 65u);
}

TEST_F(WriterStart, IsAtOnceWithATriggerOrAReader)
{
    {
        ftr_recorder_options options = with_thread();
        options.mode = FTR_MODE_FLIGHT;
        recording rec(options);
        EXPECT_EQ(started, 1);
    }
    {
        recording rec(with_thread());
        ftr_buffer_options ring = {};
        ring.name = "ring";
        ring.kind = FTR_BUFFER_RING;
        ftr_buffer buffer;
        ASSERT_EQ(ftr_buffer_define(rec, &ring, &buffer), FTR_OK);
        EXPECT_EQ(started, 2);
    }
    memory_sink sink;
    ftr_recorder_options options = with_thread();
    options.sink = sink.sink();
    ftr_recorder *to_sink = nullptr;
    ASSERT_EQ(ftr_recorder_open("sink", &options, &to_sink), FTR_OK);
    EXPECT_EQ(started, 3);
    EXPECT_EQ(ftr_recorder_close(to_sink), FTR_OK);
    scratch_directory directory;
    const std::string pipe = directory.path("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    options = with_thread();
    ftr_recorder *to_pipe = nullptr;
    ASSERT_EQ(ftr_recorder_open(pipe.c_str(), &options, &to_pipe), FTR_OK);
    EXPECT_EQ(started, 4);
    EXPECT_EQ(ftr_recorder_close(to_pipe), FTR_OK);
    close(reader);
}

TEST_F(WriterStart, IsReportedIfItFailsAndTheRecordingThreadsWrite)
{
    none_start = true;
    recording rec(with_thread());
    const ftr_generator generator = define(rec);
    record(rec, generator, 100);
    EXPECT_EQ(rec.reports().count("the writer thread could not be started"), 0u);
    record(rec, generator, 20000);
    EXPECT_EQ(rec.reports().count("the writer thread could not be started"), 1u);
    EXPECT_GT(decode(rec.path()).transactions.size(), 0u);
    EXPECT_EQ(rec.decoded().transactions.size(), 20100u);
}

// The thread gets a processor only after the recorder was closed, and must access nothing.
TEST_F(WriterStart, IsNotAwaitedByClose)
{
    are_held = true;
    for (int i = 0; i < 3; ++i) {
        recording rec(with_thread());
        const ftr_generator generator = define(rec);
        record(rec, generator, 6000); // 4 blocks
        EXPECT_EQ(started, i + 1);
        EXPECT_EQ(rec.decoded().transactions.size(), 6000u);
        EXPECT_FALSE(std::filesystem::exists(rec.path() + ".journal"));
    }
    are_held = false;
    while (running > 0)
        std::this_thread::sleep_for(milliseconds(1));
}

TEST_F(WriterStart, IsNotAwaitedByCloseOfARecorderWithOtherThreads)
{
    are_held = true;
    recording rec(with_thread());
    const ftr_generator generator = define(rec);
    std::thread threads[4];
    for (std::thread &thread : threads)
        thread = std::thread([&] { record(rec, generator, 1000); });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(started, 1);
    EXPECT_EQ(rec.decoded().transactions.size(), 4000u);
    are_held = false;
    while (running > 0)
        std::this_thread::sleep_for(milliseconds(1));
}

// A thread that sleeps ends without a call of the closing thread that waits for it.
TEST_F(WriterStart, EndsTheThreadThatSleeps)
{
    recording rec(with_thread());
    const ftr_generator generator = define(rec);
    record(rec, generator, 1000);
    EXPECT_TRUE(are_written(rec, 1000));
    record(rec, generator, 10);
    EXPECT_EQ(rec.decoded().transactions.size(), 1010u);
    while (running > 0)
        std::this_thread::sleep_for(milliseconds(1));
}
} // namespace
