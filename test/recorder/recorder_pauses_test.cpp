// A recording thread that waits for the writer thread, and runs again only some time after the
// writer thread has woken it, as on a busy machine: the writer thread sleeps meanwhile.
#include "recording.hpp"
#include "wrapped_calls.hpp"

#include <ftr/recorder.h>

#include <gtest/gtest.h>

#include <pthread.h>
#include <time.h>

#include <atomic>

namespace
{
constexpr timespec busy = {0, 20000000};
constexpr std::uint64_t transactions_max = 4000000;

thread_local bool is_recording;
thread_local bool runs_late;    // this thread runs late after each wait
std::size_t waits;              // of the thread that runs late
std::atomic<std::size_t> locks; // taken by the writer thread, several in each of its passes
} // namespace

// See the options of the linker in recorder_tests.cmake.
FTR_WRAPPED(int, pthread_mutex_lock, pthread_mutex_t *lock);
FTR_WRAPPED(int, pthread_cond_timedwait, pthread_cond_t *condition, pthread_mutex_t *lock,
            const timespec *until);

int __wrap_pthread_mutex_lock(pthread_mutex_t *lock)
{
    locks += !is_recording;
    return __real_pthread_mutex_lock(lock);
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock,
                                  const timespec *until)
{
    const int result = __real_pthread_cond_timedwait(condition, lock, until);
    if (runs_late) {
        ++waits;
        pthread_mutex_unlock(lock);
        nanosleep(&busy, nullptr);
        pthread_mutex_lock(lock);
    }
    return result;
}

namespace
{
TEST(RecorderPauses, WriterSleepsUntilAWokenThreadRuns)
{
    ftr_recorder_options options = {};
    options.threads = 1;
    recording rec(options);
    const ftr_generator generator =
        rec.generator(rec.stream("s"), "g", {{"value", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD}});
    std::uint64_t recorded = 0;
    is_recording = true;
    runs_late = true;
    for (; waits < 5 && recorded < transactions_max; ++recorded) {
        const ftr_value value = number_value(FTR_TYPE_UNSIGNED, recorded * 0x9e3779b97f4a7c15u);
        ASSERT_EQ(ftr_tx_record(rec, generator, recorded, recorded, &value, 1, nullptr), FTR_OK);
    }
    runs_late = false;
    if (waits == 0)
        GTEST_SKIP() << "the writer thread is as fast as this thread";
    EXPECT_EQ(rec.close(), FTR_OK);
    // A thread that does not sleep makes some hundred thousand passes in each wait.
    EXPECT_LT(locks, 20000);
}
} // namespace
