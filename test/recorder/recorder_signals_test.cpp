// SIGTERM and SIGINT: a program that they end leaves a complete file; a program with its own
// handlers is not affected.
#include "fork_at_rest.hpp"
#include "recording.hpp"
#include "sanitizers.hpp"

#include <ftr/environment.h>
#include <ftr/recovery.h>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <thread>

namespace
{

volatile std::sig_atomic_t taken = 0;

void take(int)
{
    taken = 1;
}

class EndingSignals : public testing::TestWithParam<int>
{
  protected:
    EndingSignals() { EXPECT_EQ(pipe(pipe_), 0); }
    ~EndingSignals() override
    {
        close(pipe_[0]);
        close(pipe_[1]);
    }

    std::string path() const { return directory_.path("run.ftr"); }
    std::string journal() const { return path() + ".journal"; }

    // The file is complete if the writer had enough time; otherwise the journal has the rest.
    void expect_sound_or_recoverable() const
    {
        std::string file = path();
        if (std::filesystem::exists(journal())) {
            file = path() + ".recovered.ftr";
            ftr_recovery recovery = {};
            ASSERT_EQ(ftr_recovery_run(journal().c_str(), nullptr, file.c_str(), &recovery), FTR_OK)
                << recovery.message;
            std::filesystem::remove(journal());
        }
        EXPECT_EQ(findings(file, "--allow end-order"), std::vector<std::string>{});
        EXPECT_GT(decode(file).transactions.size(), 3000u);
    }

    // Starts @p body in a child.
    void start(const std::function<void()> &body)
    {
        std::fflush(nullptr);
        child_ = fork_at_rest();
        if (child_ == 0) {
            std::signal(GetParam(), SIG_DFL); // a shell ignores SIGINT for background programs
            setenv("FTR_TRACE", path().c_str(), 1);
            body();
            _exit(99);
        }
    }

    // Waits until the child has reported that it is ready.
    void wait_until_ready() const
    {
        char byte;
        ASSERT_EQ(read(pipe_[0], &byte, 1), 1);
    }
    void say_ready() const
    {
        if (write(pipe_[1], "", 1) != 1)
            _exit(97);
    }

    int end() const
    {
        int status = 0;
        EXPECT_EQ(waitpid(child_, &status, 0), child_);
        return status;
    }

    void expect_ended_by_signal() const
    {
        const int status = end();
        ASSERT_TRUE(WIFSIGNALED(status)) << status;
        EXPECT_EQ(WTERMSIG(status), GetParam());
    }

    ftr_recorder *recorder_ = nullptr;
    ftr_generator generator_ = 0;

    void open(void (*report)(void *, ftr_severity, const char *) = nullptr, void *user = nullptr)
    {
        recorder_ = ftr_default_recorder(-9, report, user);
        ftr_stream stream;
        if (!recorder_ || ftr_stream_define(recorder_, "top", nullptr, &stream) != FTR_OK ||
            ftr_generator_define(recorder_, stream, "g", nullptr, 0, &generator_) != FTR_OK)
            _exit(98);
    }

    ftr_generator generator_with_text() const
    {
        const ftr_attribute text = {"text", FTR_TYPE_STRING, FTR_CLASS_RECORD};
        ftr_stream stream;
        ftr_generator generator;
        if (ftr_stream_define(recorder_, "wide", nullptr, &stream) != FTR_OK ||
            ftr_generator_define(recorder_, stream, "g", &text, 1, &generator) != FTR_OK)
            _exit(95);
        return generator;
    }

    void record(std::uint64_t begin) const
    {
        static_cast<void>(
            ftr_tx_record(recorder_, generator_, begin, begin + 1, nullptr, 0, nullptr));
    }

    scratch_directory directory_;
    pid_t child_ = 0;
    int pipe_[2] = {};
};

TEST_P(EndingSignals, CompleteTheFileAndEndTheProgram)
{
    start([this] {
        open();
        ftr_tx open_one;
        if (ftr_tx_begin(recorder_, generator_, 5, &open_one) != FTR_OK)
            _exit(96);
        record(10);
        record(20);
        say_ready();
        for (;;)
            pause();
    });
    wait_until_ready();
    kill(child_, GetParam());
    expect_ended_by_signal();
    EXPECT_FALSE(std::filesystem::exists(journal()));
    EXPECT_EQ(findings(path(), "--allow end-order"), std::vector<std::string>{});
    const decoded_file file = decode(path());
    ASSERT_EQ(file.transactions.size(), 3u);
    EXPECT_EQ(file.transactions[0].begin, 10u);
    EXPECT_EQ(file.transactions[2].value("unfinished"), true);
}

// The writer thread is not started yet. The handler may have interrupted the allocator: then the
// file can be incomplete, but the journal has the rest, and the program does not hang.
TEST_P(EndingSignals, LoseNothingWhileTheProgramAllocates)
{
    constexpr int rounds = 20;
    int complete = 0;
    for (int round = 0; round < rounds; ++round) {
        start([this] {
            open();
            record(10);
            record(20);
            say_ready();
            for (volatile std::size_t size = 1;; size = size * 7 % 100003)
                static_cast<void>(std::string(size, 'x').size());
        });
        wait_until_ready();
        std::this_thread::sleep_for(std::chrono::microseconds(137 * round));
        kill(child_, GetParam());
        expect_ended_by_signal();
        std::string file = path();
        if (std::filesystem::exists(journal())) {
            file = path() + ".recovered.ftr";
            ftr_recovery recovery = {};
            ASSERT_EQ(ftr_recovery_run(journal().c_str(), nullptr, file.c_str(), &recovery), FTR_OK)
                << recovery.message;
            std::filesystem::remove(journal());
        } else {
            complete++;
        }
        EXPECT_EQ(decode(file).transactions.size(), 2u);
    }
    EXPECT_GT(complete, rounds / 2);
}

// The interrupted thread can have a small stack, for example that of a coroutine.
TEST_P(EndingSignals, CompleteTheFileOnASmallStack)
{
    start([this] {
        open();
        record(10);
        pthread_attr_t small;
        pthread_t thread;
        pthread_attr_init(&small);
        pthread_attr_setstacksize(&small, 16384);
        const auto run = [](void *number) -> void * {
            pthread_kill(pthread_self(), *static_cast<const int *>(number));
            return nullptr;
        };
        static int number;
        number = GetParam();
        if (pthread_create(&thread, &small, run, &number) == 0)
            pthread_join(thread, nullptr);
    });
    expect_ended_by_signal();
    EXPECT_FALSE(std::filesystem::exists(journal()));
    EXPECT_EQ(decode(path()).transactions.size(), 1u);
}

TEST_P(EndingSignals, CompleteTheFileWhileOtherThreadsRecord)
{
    for (int round = 0; round < 3; ++round) {
        start([this] {
            open();
            for (int i = 0; i < 3; ++i) {
                std::thread([this, i] {
                    for (std::uint64_t n = 0;; ++n) {
                        ftr_tx tx;
                        if (ftr_tx_begin(recorder_, generator_, n, &tx) == FTR_OK)
                            static_cast<void>(ftr_tx_end(recorder_, tx, n));
                        if (n % 64 ==
                            0) // otherwise the file would be long, and the writer would get no time
                            std::this_thread::sleep_for(std::chrono::microseconds(100));
                        if (i == 0 && n == 3000)
                            say_ready();
                    }
                }).detach();
            }
            for (;;)
                pause();
        });
        wait_until_ready();
        kill(child_, GetParam());
        expect_ended_by_signal();
        expect_sound_or_recoverable();
    }
}

// The recorder removes its own journal at the end. It must not report this as a deletion by others.
TEST_P(EndingSignals, ReportTheDeletionOfTheJournalOnlyIfAnotherProgramDeletedIt)
{
    for (const bool is_deleted : {false, true}) {
        start([this] {
            const std::string reports = directory_.path("reports");
            FILE *const to = std::fopen(reports.c_str(), "w");
            open(
                [](void *file, ftr_severity, const char *message) {
                    std::fprintf(static_cast<FILE *>(file), "%s\n", message);
                    std::fflush(static_cast<FILE *>(file));
                },
                to);
            record(10);
            say_ready();
            for (;;)
                pause();
        });
        wait_until_ready();
        if (is_deleted)
            std::filesystem::remove(journal());
        kill(child_, GetParam());
        expect_ended_by_signal();
        EXPECT_FALSE(std::filesystem::exists(journal()));
        EXPECT_EQ(decode(path()).transactions.size(), 1u);
        std::ifstream reports(directory_.path("reports"));
        std::string line;
        std::getline(reports, line);
        EXPECT_EQ(line.find("the journal was deleted") != line.npos, is_deleted) << line;
        EXPECT_EQ(line.empty(), !is_deleted) << line;
    }
}

TEST_P(EndingSignals, KeepTheFileOfARunWithKeepOnError)
{
    start([this] {
        setenv("FTR_KEEP", "on-error", 1);
        open();
        record(10);
        raise(GetParam());
    });
    expect_ended_by_signal();
    EXPECT_EQ(decode(path()).transactions.size(), 1u);
}

TEST_P(EndingSignals, CallAHandlerThatTheProgramInstalledBefore)
{
    start([this] {
        std::signal(GetParam(), take);
        open();
        record(10);
        raise(GetParam());
        if (!taken)
            _exit(1);
        record(20);
        std::exit(7);
    });
    EXPECT_EQ(WEXITSTATUS(end()), 7);
    EXPECT_EQ(decode(path()).transactions.size(), 2u);
}

TEST_P(EndingSignals, CallAHandlerThatTheProgramInstallsLater)
{
    start([this] {
        open();
        record(10);
        std::signal(GetParam(), take);
        raise(GetParam());
        record(20);
        std::exit(taken ? 7 : 1);
    });
    EXPECT_EQ(WEXITSTATUS(end()), 7);
    EXPECT_EQ(decode(path()).transactions.size(), 2u);
}

TEST_P(EndingSignals, ThatAreIgnoredRemainIgnored)
{
    start([this] {
        std::signal(GetParam(), SIG_IGN);
        open();
        record(10);
        raise(GetParam());
        record(20);
        std::exit(7);
    });
    EXPECT_EQ(WEXITSTATUS(end()), 7);
    EXPECT_EQ(decode(path()).transactions.size(), 2u);
}

// Returns whether a signal waits for a process: a second one would then have no effect.
bool has_pending_signal(pid_t process)
{
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(status, line);) {
        if ((line.rfind("ShdPnd:", 0) == 0 || line.rfind("SigPnd:", 0) == 0) &&
            line.find_first_of("123456789abcdef", 7) != std::string::npos)
            return true;
    }
    return false;
}

// The first signal waits 3 s for the file. A busy machine may be slow, but not five times.
TEST_P(EndingSignals, EndTheProgramImmediatelyAtTheSecondSignal)
{
    if (FTR_TEST_HAS_TSAN)
        GTEST_SKIP() << "ThreadSanitizer delivers the second signal after the handler of the first";
    ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
    const int reader = ::open(path().c_str(), O_RDONLY | O_NONBLOCK);
    auto needed = std::chrono::nanoseconds::max();
    for (int round = 0; round < 5 && needed > std::chrono::seconds(2); ++round) {
        // A trace cannot be opened while the pipe is full with the data of the last round.
        for (char old[4096]; ::read(reader, old, sizeof old) > 0;)
            continue;
        start([this] {
            open();
            // More than the pipe's capacity: the writer waits for a reader that does not read.
            for (std::uint64_t n = 0; n < 200000; ++n)
                record(n * 7919 % 104729);
            say_ready();
            for (;;)
                pause();
        });
        wait_until_ready();
        const auto before = std::chrono::steady_clock::now();
        kill(child_, GetParam());
        while (has_pending_signal(child_))
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        kill(child_, GetParam());
        expect_ended_by_signal();
        needed = std::chrono::steady_clock::now() - before;
    }
    EXPECT_LT(needed, std::chrono::seconds(2));
    close(reader);
}

// If the signalled thread itself waits in the recorder, the first signal is enough.
TEST_P(EndingSignals, EndTheProgramFromAWaitingThread)
{
    ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
    const int reader = ::open(path().c_str(), O_RDONLY | O_NONBLOCK);
    start([this] {
        open();
        say_ready();
        for (std::uint64_t n = 0;; ++n)
            record(n * 7919 % 104729);
    });
    wait_until_ready();
    std::this_thread::sleep_for(std::chrono::milliseconds(500)); // memory is full, so it waits
    const auto before = std::chrono::steady_clock::now();
    kill(child_, GetParam());
    expect_ended_by_signal();
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::minutes(2));
    close(reader);
}

// Progress of a child: recorded and attempted calls, as far as reported.
struct told {
    std::atomic<std::uint64_t> made;
    std::atomic<std::uint64_t> refused;
};

// Threads that wait for the writer most of the time: every call up to the end is in the file or
// counted there.
TEST_P(EndingSignals, CountEveryLostCall)
{
    void *memory =
        mmap(nullptr, sizeof(told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    told &told = *static_cast<struct told *>(memory);
    for (int threads = 0; threads < 3; ++threads) {
        told.made = told.refused = 0;
        start([this, &told, threads] {
            setenv("FTR_COMPRESS", "lz4hc:12", 1); // a slow writer
            open();
            const ftr_generator wide = generator_with_text();
            const auto run = [this, &told, wide] {
                std::string text(4000, 'x');
                for (std::uint64_t n = 0;; ++n) {
                    text.replace(0, 20, std::to_string(n) + std::string(20, ' '), 0, 20);
                    const ftr_value value = text_value(FTR_TYPE_STRING, text.data(), text.size());
                    if (ftr_tx_record(recorder_, wide, n, n, &value, 1, nullptr) == FTR_OK)
                        ++told.made;
                    else
                        ++told.refused;
                }
            };
            for (int i = 0; i < threads; ++i)
                std::thread(run).detach();
            say_ready();
            run();
        });
        wait_until_ready();
        std::this_thread::sleep_for(std::chrono::milliseconds(300 + 200 * threads));
        kill(child_, GetParam());
        expect_ended_by_signal();
        std::string file = path();
        if (std::filesystem::exists(journal())) { // the writer had too little time
            file = path() + ".recovered.ftr";
            ftr_recovery recovery = {};
            ASSERT_EQ(ftr_recovery_run(journal().c_str(), nullptr, file.c_str(), &recovery), FTR_OK)
                << recovery.message;
            std::filesystem::remove(journal());
        }
        EXPECT_EQ(told.refused, 0u);
        const std::uint64_t in_file = summary_of(file)["transactions"];
        EXPECT_GE(in_file, told.made);
        EXPECT_LE(in_file, told.made + threads + 1); // reported after they are recorded
    }
    munmap(memory, sizeof(told));
}

TEST_P(EndingSignals, InAForkedChildEndOnlyTheChild)
{
    start([this] {
        open();
        record(10);
        const pid_t grandchild = fork_at_rest();
        if (grandchild == 0) {
            raise(GetParam());
            _exit(1);
        }
        int status = 0;
        if (waitpid(grandchild, &status, 0) != grandchild || !WIFSIGNALED(status))
            _exit(2);
        record(20);
        std::exit(7);
    });
    EXPECT_EQ(WEXITSTATUS(end()), 7);
    EXPECT_EQ(decode(path()).transactions.size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(Signals, EndingSignals, testing::Values(SIGTERM, SIGINT));

} // namespace
