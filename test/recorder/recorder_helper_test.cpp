// The helper of a writer thread, which compresses chunks while a recording thread waits. The writes
// to the file are slow, so that the recording thread waits in every run. Each transaction has a
// long text, so that a run has many blocks and few transactions.
#include "killed_run.hpp"
#include "recording.hpp"
#include "wrapped_calls.hpp"

#include <ftr/environment.h>

#include <gtest/gtest.h>

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <thread>

namespace
{
// Some 700 blocks of 64 KiB. The helper can start after 512 blocks.
constexpr std::uint64_t usual_count = 15000;
constexpr std::uint64_t short_count = 7500;
// A run without a helper fails here.
constexpr std::uint64_t count_max = 150000;
const std::string padding(3000, 'x');
constexpr std::chrono::milliseconds disk_delay(1);

std::string text_of(std::uint64_t n)
{
    return "text " + std::to_string(n) + padding;
}

// What the process, or its child, knows about its writes; in shared memory.
struct disk {
    std::atomic<bool> is_slow;
    std::atomic<bool> is_full;
    std::atomic<std::size_t> writers_max; // writer threads, with their helpers
};

disk &the_disk()
{
    static disk *const shared = static_cast<disk *>(
        mmap(nullptr, sizeof(disk), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    return *shared;
}

std::size_t writer_threads()
{
    std::size_t count = 0;
    DIR *tasks = opendir("/proc/self/task");
    while (const dirent *entry = readdir(tasks)) {
        const std::string path = entry->d_name + std::string("/comm");
        const int comm = openat(dirfd(tasks), path.c_str(), O_RDONLY);
        char name[32] = "";
        count += comm >= 0 && read(comm, name, sizeof name - 1) > 0 &&
                 std::string(name) == "ftr-writer\n";
        close(comm);
    }
    closedir(tasks);
    return count;
}

bool has_one_processor()
{
    cpu_set_t usable;
    return sched_getaffinity(0, sizeof usable, &usable) == 0 && CPU_COUNT(&usable) == 1;
}
} // namespace

// See the options of the linker in recorder_tests.cmake.
FTR_WRAPPED(ssize_t, write, int fd, const void *data, size_t size);

ssize_t __wrap_write(int fd, const void *data, size_t size)
{
    disk &disk = the_disk();
    if (disk.is_slow) {
        disk.writers_max = std::max(disk.writers_max.load(), writer_threads());
        std::this_thread::sleep_for(disk_delay);
        if (disk.is_full && disk.writers_max > 1) {
            errno = ENOSPC;
            return -1;
        }
    }
    return __real_write(fd, data, size);
}

namespace
{
ftr_recorder_options options_of_the_run()
{
    ftr_recorder_options options{};
    options.threads = 1;
    return options;
}

bool is_helped()
{
    return the_disk().writers_max > 1;
}

// Records transactions while @p go_on(their number), or until one fails. Stores in @p told those
// whose call has returned. Returns the status of the last call.
template <typename GoOn> ftr_status record(ftr_recorder *rec, told &told, const GoOn &go_on)
{
    ftr_stream stream;
    ftr_generator generator;
    const ftr_attribute attribute = {"text", FTR_TYPE_STRING, FTR_CLASS_RECORD};
    ftr_status status = ftr_stream_define(rec, "top.stream", "kind", &stream);
    if (status == FTR_OK)
        status = ftr_generator_define(rec, stream, "g", &attribute, 1, &generator);
    for (std::uint64_t n = 0; status == FTR_OK && n < ended_max && go_on(n); ++n) {
        const std::string text = text_of(n);
        const ftr_value value = text_value(FTR_TYPE_STRING, text.c_str());
        ftr_tx tx;
        status = ftr_tx_record(rec, generator, n, n + 5, &value, 1, &tx);
        if (status != FTR_OK)
            break;
        told.transactions[n].id = tx.id;
        told.ended.store(n + 1, std::memory_order_release);
    }
    return status;
}

// Records until a helper has worked for a while.
ftr_status record_helped(ftr_recorder *rec, told &told)
{
    return record(rec, told, [](std::uint64_t n) {
        return n < usual_count || (!is_helped() && n < count_max);
    });
}

class RecorderHelper : public testing::Test
{
  protected:
    void SetUp() override
    {
        if (has_one_processor())
            GTEST_SKIP() << "a helper needs a second processor";
        the_disk().is_slow = true;
    }
    void TearDown() override
    {
        the_disk().is_slow = false;
        the_disk().is_full = false;
        the_disk().writers_max = 0;
        EXPECT_EQ(writer_threads(), 0u);
    }

    // Records in a child with the recorder that FTR_TRACE requests: endlessly, unless no helper
    // begins. Returns the pid of the child when its helper compresses chunks.
    pid_t helped_child()
    {
        told_->ended = 0;
        the_disk().writers_max = 0;
        const pid_t pid = in_child([&] {
            setenv("FTR_TRACE", trace_.c_str(), 1);
            ftr_recorder *rec = ftr_default_recorder(-9, nullptr, nullptr);
            (void)record(rec, *told_, [](std::uint64_t n) { return is_helped() || n < count_max; });
            _exit(3);
        });
        while (!is_helped() && waitpid(pid, nullptr, WNOHANG) == 0)
            std::this_thread::yield();
        EXPECT_TRUE(is_helped());
        return pid;
    }

    // Each transaction whose call has returned is in the file.
    void expect_transactions(const decoded_file &file) const
    {
        std::set<std::uint64_t> ids;
        for (const decoded_transaction &tx : file.transactions) {
            ASSERT_TRUE(ids.insert(tx.id).second) << tx.id << " is there twice";
            ASSERT_EQ(tx.end, tx.begin + 5);
            ASSERT_EQ(tx.value("text"), text_of(tx.begin));
        }
        for (std::uint64_t n = 0; n < told_->ended; ++n)
            ASSERT_EQ(ids.count(told_->transactions[n].id), 1u) << n << " is missing";
    }

    void expect_recovered() const
    {
        const std::string recovered = trace_ + ".recovered";
        recover(trace_, recovered);
        const decoded_file file = decode(recovered);
        expect_transactions(file);
        EXPECT_LE(file.transactions.size(), told_->ended + 1);
        std::filesystem::remove(recovered);
        std::filesystem::remove(trace_ + ".journal");
        std::filesystem::remove(trace_);
    }

    shared_told told_;
    scratch_directory directory_;
    std::string trace_ = directory_.path("run.ftr");
};

TEST_F(RecorderHelper, CompressesWhileAThreadWaits)
{
    recording rec(options_of_the_run());
    EXPECT_EQ(record_helped(rec, *told_), FTR_OK);
    EXPECT_TRUE(is_helped());
    const decoded_file file = rec.decoded();
    EXPECT_EQ(file.transactions.size(), told_->ended);
    expect_transactions(file);
}

// More transactions are recorded than the disk accepts.
TEST_F(RecorderHelper, CompressesWhileTransactionsAreDropped)
{
    ftr_recorder_options options = options_of_the_run();
    options.when_full = FTR_WHEN_FULL_DROP;
    recording rec(options);
    const auto go_on = [](std::uint64_t n) {
        if (n % 50 == 0)
            std::this_thread::sleep_for(disk_delay);
        return !is_helped() && n < count_max;
    };
    EXPECT_EQ(record(rec, *told_, go_on), FTR_OK);
    EXPECT_TRUE(is_helped());
    const ftr_statistics counts = rec.statistics();
    EXPECT_GT(counts.dropped, 0u);
    EXPECT_EQ(rec.close(), FTR_OK);
}

// It costs a thread, so it ends when there is nothing to write.
TEST_F(RecorderHelper, EndsWhenTheRunIsSlow)
{
    recording rec(options_of_the_run());
    EXPECT_EQ(record_helped(rec, *told_), FTR_OK);
    EXPECT_TRUE(is_helped());
    while (writer_threads() > 1)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(rec.close(), FTR_OK);
}

TEST_F(RecorderHelper, AShortRunHasNone)
{
    recording rec(options_of_the_run());
    EXPECT_EQ(record(rec, *told_, [](std::uint64_t n) { return n < short_count; }), FTR_OK);
    EXPECT_FALSE(is_helped());
    EXPECT_EQ(rec.close(), FTR_OK);
}

TEST_F(RecorderHelper, AKillLosesNothing)
{
    for (int i = 0; i < 2; ++i) {
        SCOPED_TRACE(i);
        const pid_t pid = helped_child();
        std::this_thread::sleep_for(std::chrono::microseconds(1700 * i));
        kill(pid, SIGKILL);
        EXPECT_TRUE(WIFSIGNALED(wait_for(pid)));
        expect_recovered();
    }
}

// The writer thread ends the file; the journal remains if it has too little time.
TEST_F(RecorderHelper, ATerminatedRunLosesNothing)
{
    const pid_t pid = helped_child();
    kill(pid, SIGTERM);
    const int status = wait_for(pid);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) << status;
    if (std::filesystem::exists(trace_ + ".journal"))
        expect_recovered();
    else
        expect_transactions(decode(trace_));
}

TEST_F(RecorderHelper, AForkedChildEndsWithoutIt)
{
    recording rec(options_of_the_run());
    pid_t child = 0;
    std::thread forks([&] {
        while (!is_helped())
            std::this_thread::yield();
        child = in_child([&] { _exit(ftr_recorder_close(rec) == FTR_OK ? 4 : 5); });
    });
    EXPECT_EQ(record_helped(rec, *told_), FTR_OK);
    forks.join();
    EXPECT_TRUE(WIFEXITED(wait_for(child)));
    expect_transactions(rec.decoded());
}

TEST_F(RecorderHelper, AFullDiskIsReported)
{
    the_disk().is_full = true;
    {
        recording rec(options_of_the_run());
        // The disk is full from the first write of a helper. On a busy machine, a helper can begin
        // when the run has recorded much already.
        EXPECT_EQ(record(rec, *told_, [](std::uint64_t n) { return n < count_max; }), FTR_ERR_IO);
        EXPECT_EQ(rec.close(), FTR_ERR_IO);
        EXPECT_EQ(rec.reports().count("No space left on device"), 1u);
    }
    EXPECT_TRUE(is_helped());
}
} // namespace
