// Actions of a program around its recorder: it cancels threads, ends its main thread, closes all
// descriptors, and calls the recorder while it holds its locks. Nothing must block forever, and no
// other file than the trace may be written. All tests run in children, with a time limit.
#include "fork_at_rest.hpp"
#include "recording.hpp"
#include "sanitizers.hpp"

#include <ftr/environment.h>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <pthread.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>

#if FTR_TEST_HAS_TSAN
#define SKIP_WITH_TSAN(why) GTEST_SKIP() << (why)
#else
#define SKIP_WITH_TSAN(why) static_cast<void>(0)
#endif

namespace
{
constexpr unsigned hangs_after = 120; // in seconds; a busy machine is slow

// Expects that a child with @p body ends by itself with status 0.
void expect_child_ends(const std::function<void()> &body)
{
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        alarm(hangs_after);
        body();
        _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

void check(bool good, int status)
{
    if (!good)
        _exit(status);
}

struct opened {
    ftr_recorder *rec = nullptr;
    ftr_generator generator = 0;
    ftr_relation relation = 0;

    opened(const char *path, const ftr_recorder_options &options)
    {
        check(ftr_recorder_open(path, &options, &rec) == FTR_OK, 90);
        define();
    }
    explicit opened(ftr_recorder *recorder) : rec(recorder) { define(); }

    ftr_status record(std::uint64_t begin) const
    {
        return ftr_tx_record(rec, generator, begin, begin + 1, nullptr, 0, nullptr);
    }

  private:
    void define()
    {
        ftr_stream stream;
        check(rec && ftr_stream_define(rec, "top", nullptr, &stream) == FTR_OK &&
                  ftr_generator_define(rec, stream, "g", nullptr, 0, &generator) == FTR_OK &&
                  ftr_relation_define(rec, "after", &relation) == FTR_OK,
              91);
    }
};

// ---- cancellation -------------------------------------------------------------------------------

// A slow sink, so that the threads wait for the writer most of the time.
const ftr_sink slow_sink = {nullptr,
                            [](void *, const void *, std::size_t size) {
                                usleep(2000);
                                return std::int64_t(size);
                            },
                            nullptr};

struct cancelled_thread {
    const opened &to;
    std::atomic<std::uint64_t> recorded{0};

    static void *run(void *data)
    {
        auto &self = *static_cast<cancelled_thread *>(data);
        for (;; ++self.recorded) {
            if (self.to.record(self.recorded) != FTR_OK)
                _exit(92);
            pthread_testcancel();
        }
    }
};

void cancel_a_recording_thread(int writer_threads)
{
    ftr_recorder_options options = {};
    options.threads = writer_threads;
    options.block_memory = 1;
    options.sink = &slow_sink;
    const opened to(nullptr, options);
    std::uint64_t recorded = 0;
    for (int round = 0; round < 10; ++round) {
        cancelled_thread cancelled{to};
        pthread_t thread;
        check(pthread_create(&thread, nullptr, cancelled_thread::run, &cancelled) == 0, 93);
        std::this_thread::sleep_for(std::chrono::milliseconds(20 + round));
        check(pthread_cancel(thread) == 0 && pthread_join(thread, nullptr) == 0, 94);
        // The cancelled call is complete, but was not counted if the thread was cancelled before it
        // counted.
        recorded += cancelled.recorded + 1;
        for (std::uint64_t i = 0; i < 5000; ++i, ++recorded)
            check(to.record(i) == FTR_OK, 95);
    }
    check(ftr_recorder_close(to.rec) == FTR_OK, 96);
    ftr_statistics statistics;
    check(ftr_recorder_get_statistics(to.rec, &statistics) == FTR_OK, 97);
    check(statistics.transactions == recorded, 98);
}

TEST(RecorderHost, CanCancelAThreadThatWaitsInTheRecorder)
{
    expect_child_ends([] { cancel_a_recording_thread(1); });
}

TEST(RecorderHost, CanCancelAThreadThatWrites)
{
    expect_child_ends([] { cancel_a_recording_thread(0); });
}

// ---- end of the main thread ---------------------------------------------------------------------

// Runs pthread_exit_program in one of its modes; returns its wait status.
int run_pthread_exit(const std::string &way, const std::string &trace)
{
    char self[4096] = {};
    EXPECT_GT(readlink("/proc/self/exe", self, sizeof self - 1), 0);
    const std::string program = std::string(self).substr(0, std::string(self).rfind('/'));
    return std::system(("FTR_TRACE=" + trace + " timeout -s KILL " + std::to_string(hangs_after) +
                        " " + program + "/pthread_exit_program " + way)
                           .c_str());
}

TEST(RecorderHost, EndsWithItsLastThread)
{
    SKIP_WITH_TSAN("its own thread lives on");
    scratch_directory directory;
    const std::string trace = directory.path("run.ftr");
    EXPECT_EQ(run_pthread_exit("alone", trace), 0);
    EXPECT_EQ(findings(trace, "--allow end-order"), std::vector<std::string>{});
    EXPECT_EQ(decode(trace).transactions.size(), 10u);
    EXPECT_FALSE(std::filesystem::exists(trace + ".journal"));
}

TEST(RecorderHost, EndsWithTheLastThreadThatRecords)
{
    SKIP_WITH_TSAN("its own thread lives on");
    scratch_directory directory;
    const std::string trace = directory.path("run.ftr");
    EXPECT_EQ(run_pthread_exit("with-thread", trace), 0);
    EXPECT_EQ(findings(trace, "--allow end-order"), std::vector<std::string>{});
    EXPECT_EQ(decode(trace).transactions.size(), 20u);
}

// ---- descriptors --------------------------------------------------------------------------------

// Closes all descriptors, and opens files of the program that get their numbers.
std::vector<int> replace_descriptors(const scratch_directory &directory)
{
    for (int fd = 3; fd < 256; ++fd)
        close(fd);
    std::vector<int> own;
    for (int i = 0; i < 32; ++i) {
        const std::string path = directory.path("own" + std::to_string(i));
        own.push_back(open(path.c_str(), O_CREAT | O_RDWR, 0600));
        check(own.back() >= 0 && write(own.back(), "own", 3) == 3, 80);
    }
    return own;
}

void expect_own_files_untouched(const scratch_directory &directory)
{
    for (int i = 0; i < 32; ++i)
        EXPECT_TRUE(contents_of(directory.path("own" + std::to_string(i))) == "own") << i;
}

TEST(RecorderHost, ThatClosesAllDescriptorsKeepsItsFilesAndTheTrace)
{
    scratch_directory directory;
    const std::string trace = directory.path("run.ftr");
    expect_child_ends([&] {
        ftr_recorder_options options = {};
        options.threads = 1;
        const opened to(trace.c_str(), options);
        for (std::uint64_t i = 0; i < 1000; ++i)
            check(to.record(i) == FTR_OK, 81);
        check(ftr_recorder_flush(to.rec) == FTR_OK, 82);
        const std::vector<int> own = replace_descriptors(directory);
        for (std::uint64_t i = 0; i < 100000; ++i)
            check(to.record(i) == FTR_OK, 83);
        check(ftr_recorder_close(to.rec) == FTR_OK, 84);
        for (int fd : own) // the recorder has closed none of them
            check(fcntl(fd, F_GETFD) >= 0, 85);
    });
    expect_own_files_untouched(directory);
    EXPECT_EQ(findings(trace, "--allow end-order"), std::vector<std::string>{});
    EXPECT_EQ(summary_of(trace)["transactions"], 101000);
    EXPECT_FALSE(std::filesystem::exists(trace + ".journal"));
}

TEST(RecorderHost, ThatClosesAllDescriptorsKeepsTheJournalLocked)
{
    scratch_directory directory;
    const std::string trace = directory.path("run.ftr");
    expect_child_ends([&] {
        ftr_recorder_options options = {};
        const opened to(trace.c_str(), options);
        replace_descriptors(directory);
        check(to.record(1) == FTR_OK && ftr_recorder_flush(to.rec) == FTR_OK, 86);
        // Another process detects that the trace is being recorded.
        const pid_t child = fork_at_rest();
        if (child == 0) {
            ftr_recorder *second = nullptr;
            check(ftr_recorder_open(trace.c_str(), &options, &second) == FTR_OK, 87);
            check(ftr_recorder_close(second) == FTR_OK, 88);
            _exit(
                std::filesystem::exists(directory.path("run-" + std::to_string(getpid()) + ".ftr"))
                    ? 0
                    : 89);
        }
        int status = 0;
        check(waitpid(child, &status, 0) == child && status == 0, 90);
        check(ftr_recorder_close(to.rec) == FTR_OK, 91);
    });
    EXPECT_EQ(decode(trace).transactions.size(), 1u);
}

TEST(RecorderHost, ThatClosesThePipeOfItsTraceGetsAnError)
{
    scratch_directory directory;
    const std::string trace = directory.path("pipe");
    ASSERT_EQ(mkfifo(trace.c_str(), 0600), 0);
    const int reader = open(trace.c_str(), O_RDONLY | O_NONBLOCK);
    expect_child_ends([&] {
        ftr_recorder_options options = {};
        const opened to(trace.c_str(), options);
        replace_descriptors(directory);
        check(to.record(1) == FTR_OK, 80);
        check(ftr_recorder_flush(to.rec) == FTR_ERR_IO, 81);
        ftr_failure failure;
        check(ftr_recorder_get_failure(to.rec, &failure) == FTR_OK, 82);
        check(std::string(failure.message).find("closed its descriptor") != std::string::npos, 83);
        check(ftr_recorder_close(to.rec) == FTR_ERR_IO, 84);
    });
    expect_own_files_untouched(directory);
    close(reader);
}

// ---- calls while the recorder holds its locks ---------------------------------------------------

const opened *reentered = nullptr;
int reentries = 0;

// Makes every call that takes a lock, as signal handlers do. Each must return.
void call_everything()
{
    const opened &to = *reentered;
    ftr_stream stream;
    ftr_text text;
    ftr_statistics statistics;
    ftr_failure failure;
    ftr_tx tx;
    ++reentries;
    check(ftr_stream_define(to.rec, "new", nullptr, &stream) == FTR_ERR_STATE, 70);
    check(ftr_text_define(to.rec, "new", 3, &text) == FTR_ERR_STATE, 71);
    check(ftr_recorder_flush(to.rec) == FTR_ERR_STATE, 72);
    check(ftr_recorder_get_statistics(to.rec, &statistics) == FTR_ERR_STATE, 73);
    check(ftr_recorder_set_recording(to.rec, false) == FTR_ERR_STATE, 74);
    check(ftr_recorder_close(to.rec) == FTR_ERR_STATE, 75);
    check(ftr_recorder_get_failure(to.rec, &failure) == FTR_OK, 76);
    // These take a lock only when the thread's stock is used up.
    for (int i = 0; i < 3000; ++i) {
        const ftr_status status = ftr_tx_begin(to.rec, to.generator, 1, &tx);
        check(status == FTR_OK || status == FTR_ERR_STATE, 77);
        if (status == FTR_OK)
            check(ftr_tx_end(to.rec, tx, 1) == FTR_OK || ftr_tx_end(to.rec, tx, 1) == FTR_ERR_STATE,
                  78);
        const ftr_status whole = to.record(1);
        check(whole == FTR_OK || whole == FTR_ERR_STATE, 79);
    }
}

// The handler runs while the interrupted call of this thread holds the lock of the encoder.
TEST(RecorderHost, CallsFromASignalHandlerAreRefused)
{
    expect_child_ends([] {
        const ftr_sink sink = {nullptr,
                               [](void *, const void *, std::size_t size) {
                                   if (reentered)
                                       raise(SIGUSR2);
                                   return std::int64_t(size);
                               },
                               nullptr};
        std::signal(SIGUSR2, [](int) { call_everything(); });
        ftr_recorder_options options = {};
        options.sink = &sink;
        const opened to(nullptr, options);
        check(to.record(1) == FTR_OK, 60);
        reentered = &to;
        check(ftr_recorder_flush(to.rec) == FTR_OK, 61);
        reentered = nullptr;
        check(reentries > 0, 62);
        check(to.record(2) == FTR_OK, 63);
        check(ftr_recorder_close(to.rec) == FTR_OK, 64);
    });
}

// A handler that interrupts a call which drops its transaction, and drops one itself.
TEST(RecorderHost, DroppingInASignalHandlerDoesNotHang)
{
    expect_child_ends([] {
        static std::atomic<bool> is_released{false};
        static std::atomic<int> handled{0};
        const ftr_sink stalled = {nullptr,
                                  [](void *, const void *, std::size_t size) {
                                      while (reentered && !is_released)
                                          usleep(1000);
                                      return std::int64_t(size);
                                  },
                                  nullptr};
        ftr_recorder_options options = {};
        options.sink = &stalled;
        options.threads = 1;
        options.when_full = FTR_WHEN_FULL_DROP;
        const opened to(nullptr, options);
        reentered = &to;
        for (int i = 0; i < 1000000; ++i) // more than the drain reads, and the blocks hold
            check(to.record(1) == FTR_OK, 60);
        std::signal(SIGVTALRM, [](int) {
            const ftr_status status = reentered->record(1);
            check(status == FTR_OK || status == FTR_ERR_STATE, 70);
            handled++;
        });
        const itimerval often = {{0, 100}, {0, 100}};
        setitimer(ITIMER_VIRTUAL, &often, nullptr);
        while (handled < 100)
            check(to.record(1) == FTR_OK, 61);
        const itimerval never = {};
        setitimer(ITIMER_VIRTUAL, &never, nullptr);
        is_released = true;
        check(ftr_recorder_close(to.rec) == FTR_OK, 62);
    });
}

// A report callback runs there, too; it may only query the failure.
TEST(RecorderHost, CallsFromAReportCallbackAreRefused)
{
    expect_child_ends([] {
        const ftr_sink full = {
            nullptr,
            [](void *, const void *, std::size_t) { return std::int64_t(reentered ? -ENOSPC : 1); },
            nullptr};
        ftr_recorder_options options = {};
        options.sink = &full;
        options.report = [](void *, ftr_severity, const char *) {
            ftr_failure failure;
            ++reentries;
            check(ftr_recorder_get_failure(reentered->rec, &failure) == FTR_OK, 70);
            check(failure.status == FTR_ERR_IO, 71);
            check(ftr_recorder_flush(reentered->rec) != FTR_OK, 72);
        };
        const opened to(nullptr, options);
        check(to.record(1) == FTR_OK, 60);
        reentered = &to;
        check(ftr_recorder_flush(to.rec) == FTR_ERR_IO, 61);
        check(reentries == 1, 62);
    });
}

// A program with a handler that calls exit() while the interrupted thread waits in the recorder.
TEST(RecorderHost, ExitFromASignalHandlerDoesNotHang)
{
    SKIP_WITH_TSAN("it says what exit handlers may not do in a signal handler");
    expect_child_ends([] {
        ftr_recorder_options options = {};
        options.threads = 1;
        options.block_memory = 1;
        options.sink = &slow_sink;
        static const opened to(nullptr, options);
        // Runs after the close, which may be refused here: LeakSanitizer would report the memory.
        std::atexit([] { _exit(0); });
        std::atexit([] { (void)!ftr_recorder_close(to.rec); });
        std::signal(SIGUSR2, [](int) { std::exit(0); });
        const pthread_t self = pthread_self();
        std::thread([self] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            pthread_kill(self, SIGUSR2);
        }).detach();
        for (std::uint64_t i = 0;; ++i)
            check(to.record(i) == FTR_OK, 60);
    });
}

} // namespace
