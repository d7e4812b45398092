// The memory that the writer thread provides for a recording thread, and the wake-ups between these
// threads. The recording thread waits long for the writer thread, so that no test depends on time.
#include "recording.hpp"
#include "wrapped_calls.hpp"

#include <ftr/recorder.h>

#include <gtest/gtest.h>

#include <pthread.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <thread>

namespace
{
constexpr time_t long_wait = 10; // s

thread_local bool is_recording;
thread_local bool runs_after_close; // this thread runs again only after the recorder was closed
thread_local bool has_lock;         // this thread has the lock of the recorder
std::atomic<pthread_mutex_t *> recorder_lock;
std::atomic<pthread_cond_t *> space; // the condition for which recording threads wait
std::atomic<int> waits;              // of the recording thread
std::atomic<int> disk_calls;         // of the recording thread
std::atomic<int> wakes_with_lock;    // of the recording thread, by a thread that had the lock
std::atomic<int> missed_wakes;       // waits that ended because of their time
std::atomic<int> recorders_waiting;  // recording threads that wait
std::atomic<bool> disk_is_slow;      // the writer thread waits for the disk
std::atomic<bool> writer_waits;      // for the disk
std::atomic<bool> is_closed;         // the recorder
std::atomic<int> foreign_file;       // takes the descriptor of the journal in an allocation; or -1

// Returns false after a minute.
bool wait_until(const std::function<bool()> &is_reached)
{
    for (int i = 0; i < 60000 && !is_reached(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return is_reached();
}
} // namespace

// See the options of the linker in recorder_tests.cmake.
FTR_WRAPPED(int, pthread_mutex_lock, pthread_mutex_t *lock);
FTR_WRAPPED(int, pthread_mutex_unlock, pthread_mutex_t *lock);
FTR_WRAPPED(int, pthread_cond_timedwait, pthread_cond_t *condition, pthread_mutex_t *lock,
            const timespec *until);
FTR_WRAPPED(int, pthread_cond_broadcast, pthread_cond_t *condition);
FTR_WRAPPED(int, fallocate, int fd, int mode, off_t offset, off_t size);
FTR_WRAPPED(ssize_t, pwrite, int fd, const void *data, size_t size, off_t offset);

int __wrap_pthread_mutex_lock(pthread_mutex_t *lock)
{
    const int result = __real_pthread_mutex_lock(lock);
    has_lock = has_lock || lock == recorder_lock;
    return result;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *lock)
{
    has_lock = has_lock && lock != recorder_lock;
    return __real_pthread_mutex_unlock(lock);
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock,
                                  const timespec *until)
{
    if (!is_recording)
        return __real_pthread_cond_timedwait(condition, lock, until);
    timespec later = {};
    clock_gettime(CLOCK_MONOTONIC, &later);
    later.tv_sec += long_wait;
    recorder_lock = lock;
    space = condition;
    ++waits;
    ++recorders_waiting;
    const int result = __real_pthread_cond_timedwait(condition, lock, &later);
    --recorders_waiting;
    missed_wakes += result == ETIMEDOUT;
    if (runs_after_close) {
        __real_pthread_mutex_unlock(lock);
        disk_is_slow = false;
        wait_until([] { return is_closed.load(); });
        __real_pthread_mutex_lock(lock);
    }
    return result;
}

int __wrap_pthread_cond_broadcast(pthread_cond_t *condition)
{
    wakes_with_lock += has_lock && recorders_waiting > 0;
    return __real_pthread_cond_broadcast(condition);
}

int __wrap_fallocate(int fd, int mode, off_t offset, off_t size)
{
    disk_calls += is_recording;
    if (disk_is_slow && !is_recording) {
        writer_waits = true;
        wait_until([] { return !disk_is_slow; });
        writer_waits = false;
    }
    const int result = __real_fallocate(fd, mode, offset, size);
    if (foreign_file >= 0 && !is_recording)
        dup2(foreign_file.exchange(-1), fd);
    return result;
}

ssize_t __wrap_pwrite(int fd, const void *data, size_t size, off_t offset)
{
    disk_calls += is_recording;
    return __real_pwrite(fd, data, size, offset);
}

namespace
{
class RecorderSupply : public testing::Test
{
  protected:
    void SetUp() override
    {
        recorder_lock = nullptr;
        waits = 0;
        disk_calls = 0;
        wakes_with_lock = 0;
        missed_wakes = 0;
        disk_is_slow = false;
        is_closed = false;
        foreign_file = -1;
    }
    void TearDown() override { is_recording = false; }

    // The first records start the writer thread. Until it runs, the recording thread allocates
    // disk space itself. When it has read these records, it waits for more.
    static void start_writer(recording &rec, ftr_generator generator)
    {
        for (std::uint64_t i = 0; i < records_of_start; ++i)
            ASSERT_EQ(ftr_tx_record(rec, generator, i, i, nullptr, 0, nullptr), FTR_OK);
        ASSERT_EQ(ftr_recorder_flush(rec), FTR_OK);
    }
    static constexpr std::uint64_t records_of_start = 1000; // of 40 bytes: more than half a block
};

// A recorder of which most slots with memory are in use.
class SlotSupply : public RecorderSupply
{
  protected:
    void SetUp() override
    {
        RecorderSupply::SetUp();
        ftr_recorder_options options = {};
        options.threads = 1;
        rec_ = std::make_unique<recording>(options);
        generator_ = rec_->generator(rec_->stream("s"), "g");
        start_writer(*rec_, generator_);
        is_recording = true; // so that only the writer thread allocates
        for (ftr_tx &tx : open_)
            ASSERT_EQ(ftr_tx_begin(*rec_, generator_, 1, &tx), FTR_OK);
        is_recording = false;
        ASSERT_EQ(ftr_recorder_flush(*rec_), FTR_OK); // the writer thread has nothing more to do
        waits = 0;
    }

    // Begins transactions on another thread until it waits for a slot. Returns while the writer
    // thread waits for the disk that has this slot.
    std::future<ftr_status> begin_without_slots(bool after_close = false)
    {
        disk_is_slow = true;
        std::future<ftr_status> began = std::async(std::launch::async, [this, after_close] {
            is_recording = true;
            runs_after_close = after_close;
            ftr_status status = FTR_OK;
            for (ftr_tx tx; status == FTR_OK && waits == 0;)
                status = ftr_tx_begin(*rec_, generator_, 2, &tx);
            return status;
        });
        EXPECT_TRUE(wait_until([] { return writer_waits && recorders_waiting > 0; }));
        return began;
    }

    std::unique_ptr<recording> rec_;
    ftr_generator generator_ = 0;
    ftr_tx open_[1024];
};

TEST_F(RecorderSupply, RecordingThreadAllocatesNoDiskSpace)
{
    ftr_recorder_options options = {};
    options.threads = 1;
    options.time_scale = FTR_TIME_SCALE_LATER;
    recording rec(options);
    if (is_in_memory(rec.path()))
        GTEST_SKIP() << "the scratch directory is in memory";
    const ftr_generator generator =
        rec.generator(rec.stream("s"), "g", {{"value", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD}});
    ASSERT_EQ(ftr_recorder_set_time_scale(rec, -12), FTR_OK);
    start_writer(rec, generator);
    is_recording = true;
    ftr_tx open[1000]; // 64 slots have memory when the recorder is opened
    for (ftr_tx &tx : open)
        ASSERT_EQ(ftr_tx_begin(rec, generator, 1, &tx), FTR_OK);
    for (std::uint64_t i = 0; i < 5000; ++i) { // 4 blocks
        const ftr_value value = number_value(FTR_TYPE_UNSIGNED, i);
        ASSERT_EQ(ftr_tx_record(rec, generator, i, i, &value, 1, nullptr), FTR_OK);
    }
    for (const ftr_tx tx : open)
        ASSERT_EQ(ftr_tx_end(rec, tx, 2), FTR_OK);
    is_recording = false;
    EXPECT_EQ(disk_calls, 0);
    EXPECT_GT(waits, 0);
    EXPECT_EQ(rec.close(), FTR_OK);
    EXPECT_EQ(rec.statistics().transactions, 6000u + records_of_start);
}

// A thread that is woken by a thread with the lock would have to wait for this lock as well.
TEST_F(RecorderSupply, WriterWakesThreadsWithoutTheLock)
{
    ftr_recorder_options options = {};
    options.threads = 1;
    recording rec(options);
    const ftr_generator generator =
        rec.generator(rec.stream("s"), "g", {{"value", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD}});
    is_recording = true;
    for (std::uint64_t i = 0; i < 200000; ++i) {
        const ftr_value value = number_value(FTR_TYPE_UNSIGNED, i * 0x9e3779b97f4a7c15u);
        ASSERT_EQ(ftr_tx_record(rec, generator, i, i, &value, 1, nullptr), FTR_OK);
    }
    is_recording = false;
    EXPECT_GT(waits, 0);
    EXPECT_EQ(wakes_with_lock, 0);
    EXPECT_EQ(missed_wakes, 0);
    EXPECT_EQ(rec.close(), FTR_OK);
}

TEST_F(SlotSupply, OtherThreadsDoNotWaitForTheDiskOfTheSlots)
{
    std::future<ftr_status> began = begin_without_slots();
    std::future<ftr_stream> other =
        std::async(std::launch::async, [this] { return rec_->stream("other"); });
    EXPECT_EQ(other.wait_for(std::chrono::seconds(long_wait)), std::future_status::ready);
    EXPECT_TRUE(writer_waits);
    disk_is_slow = false;
    EXPECT_EQ(began.get(), FTR_OK);
    EXPECT_NE(other.get(), 0u);
    EXPECT_EQ(disk_calls, 0);
    EXPECT_EQ(missed_wakes, 0);
    EXPECT_EQ(rec_->close(), FTR_OK);
}

// A thread that reads the blocks for statistics also provides memory. If the writer thread happens
// to read the blocks, too, the other thread waits for it, and the test is repeated.
TEST_F(SlotSupply, OneThreadAllocatesAtATime)
{
    bool is_read = false;
    for (int i = 0; i < 3 && !is_read; ++i) {
        if (i > 0)
            SetUp();
        std::future<ftr_status> began = begin_without_slots();
        std::future<int> allocated = std::async(std::launch::async, [this] {
            is_recording = true; // counts the allocations of this thread
            static_cast<void>(rec_->statistics());
            return disk_calls.load();
        });
        is_read = allocated.wait_for(std::chrono::seconds(long_wait)) == std::future_status::ready;
        EXPECT_TRUE(writer_waits);
        disk_is_slow = false;
        EXPECT_EQ(allocated.get(), 0);
        EXPECT_EQ(began.get(), FTR_OK);
        EXPECT_EQ(rec_->close(), FTR_OK);
    }
    EXPECT_TRUE(is_read);
}

// A thread that is woken without a result continues the same wait.
TEST_F(SlotSupply, LongWaitCountsOnce)
{
    const std::uint64_t before = rec_->statistics().waits;
    std::future<ftr_status> began = begin_without_slots();
    for (int wakes = 1; wakes < 4; ++wakes) {
        EXPECT_EQ(pthread_cond_broadcast(space), 0);
        EXPECT_TRUE(wait_until([wakes] { return waits == wakes + 1; }));
    }
    disk_is_slow = false;
    EXPECT_EQ(began.get(), FTR_OK);
    EXPECT_EQ(rec_->statistics().waits, before + 1);
    EXPECT_EQ(rec_->close(), FTR_OK);
}

// The program closes all descriptors while the disk is slow, and opens a file of its own.
TEST_F(SlotSupply, FileThatTakesTheDescriptorOfTheJournalIsUnchanged)
{
    std::future<ftr_status> began = begin_without_slots();
    const int file = memfd_create("foreign", 0);
    ASSERT_EQ(write(file, "foreign", 7), 7);
    foreign_file = dup(file);
    disk_is_slow = false;
    EXPECT_EQ(began.get(), FTR_OK);
    EXPECT_EQ(rec_->close(), FTR_OK);
    EXPECT_EQ(foreign_file, -1);
    EXPECT_EQ(lseek(file, 0, SEEK_END), 7);
    close(file);
}

TEST_F(SlotSupply, ReturnedSlotsWakeAThread)
{
    std::future<ftr_status> began = begin_without_slots();
    for (const ftr_tx tx : open_)
        ASSERT_EQ(ftr_tx_end(*rec_, tx, 2), FTR_OK);
    for (std::uint64_t i = 0; i < 3000; ++i) // a lane returns slots when it gets a block
        ASSERT_EQ(ftr_tx_record(*rec_, generator_, i, i, nullptr, 0, nullptr), FTR_OK);
    EXPECT_EQ(began.get(), FTR_OK);
    EXPECT_EQ(missed_wakes, 0);
    EXPECT_TRUE(writer_waits);
    disk_is_slow = false;
    EXPECT_EQ(rec_->close(), FTR_OK);
}

// The thread is woken by close, and runs again after the memory of the slots was released.
TEST_F(SlotSupply, ClosedRecorderGivesNoSlots)
{
    std::future<ftr_status> began = begin_without_slots(true);
    EXPECT_EQ(rec_->close(), FTR_OK);
    is_closed = true;
    EXPECT_EQ(began.get(), FTR_ERR_CLOSED);
}
} // namespace
