// A recording thread that waits for the writer thread, and runs again only some time after the
// writer thread has woken it, as on a busy machine: the writer thread sleeps meanwhile.
#include "recording.hpp"

#include <ftr/recorder.h>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <pthread.h>
#include <time.h>

#include <atomic>
#include <cstdarg>
#include <cstring>

namespace
{
constexpr timespec busy = {0, 20000000};
constexpr std::uint64_t transactions_max = 4000000;

thread_local bool runs_late;
std::size_t waits;              // of the thread that runs late
std::atomic<std::size_t> looks; // of the writer thread for other threads of the process
} // namespace

// For the code below the test; see the options of the linker in recorder_tests.cmake.
extern "C" {
int __real_open(const char *path, int flags, mode_t mode);
int __real_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock,
                                  const timespec *until);
int __wrap_open(const char *path, int flags, ...);
int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock,
                                  const timespec *until);
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    looks += std::strncmp(path, "/proc/self/task/", 16) == 0;
    return __real_open(path, flags, mode);
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
    runs_late = true;
    for (; waits < 5 && recorded < transactions_max; ++recorded) {
        const ftr_value value = number_value(FTR_TYPE_UNSIGNED, recorded * 0x9e3779b97f4a7c15u);
        ASSERT_EQ(ftr_tx_record(rec, generator, recorded, recorded, &value, 1, nullptr), FTR_OK);
    }
    runs_late = false;
    if (waits == 0)
        GTEST_SKIP() << "the writer thread is as fast as this thread";
    EXPECT_EQ(rec.close(), FTR_OK);
    // One look a quarter of a second is usual; a thread that does not sleep looks some thousand
    // times in each wait.
    EXPECT_LT(looks, 20 + 2 * waits);
}
} // namespace
