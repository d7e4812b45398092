// The memory that a short recording asks the kernel for, by counts: pages of the journal, page
// faults, and system calls.
#include "recording.hpp"
#include "sanitizers.hpp"

#include <ftr/recorder.h>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <thread>

namespace
{
struct setup {
    ftr_recorder *recorder = nullptr;
    ftr_generator generators[4] = {};
};

// Returns false on an error.
bool open(setup &made, const std::string &path, ftr_recorder_options options = {})
{
    static const ftr_attribute attributes[] = {{"address", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD},
                                               {"length", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD}};
    options.threads = 1;
    if (ftr_recorder_open(path.c_str(), &options, &made.recorder) != FTR_OK)
        return false;
    for (int i = 0; i < 4; ++i) {
        const std::string name = "top.bus" + std::to_string(i);
        ftr_stream stream = 0;
        if (ftr_stream_define(made.recorder, name.c_str(), nullptr, &stream) != FTR_OK ||
            ftr_generator_define(made.recorder, stream, "read", attributes, 2,
                                 &made.generators[i]) != FTR_OK)
            return false;
    }
    return true;
}

bool record(const setup &made, std::uint64_t count)
{
    for (std::uint64_t i = 0; i < count; ++i) {
        const ftr_value values[] = {number_value(FTR_TYPE_UNSIGNED, i * 64),
                                    number_value(FTR_TYPE_UNSIGNED, i % 64)};
        if (ftr_tx_record(made.recorder, made.generators[i % 4], i, i + 10, values, 2, nullptr) !=
            FTR_OK)
            return false;
    }
    return true;
}

// Returns the number of pages of the file that are in memory.
std::size_t pages_in_memory(const std::string &path)
{
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    const off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
    if (size <= 0)
        return SIZE_MAX;
    std::vector<unsigned char> is_in_memory(static_cast<std::size_t>(size) / page + 1);
    void *mapped = mmap(nullptr, static_cast<std::size_t>(size), PROT_READ, MAP_SHARED, fd, 0);
    const bool is_known = mapped != MAP_FAILED &&
                          mincore(mapped, static_cast<std::size_t>(size), is_in_memory.data()) == 0;
    close(fd);
    if (mapped != MAP_FAILED)
        munmap(mapped, static_cast<std::size_t>(size));
    std::size_t count = 0;
    for (const unsigned char byte : is_in_memory)
        count += byte & 1;
    return is_known ? count : SIZE_MAX;
}

TEST(FirstTouch, JournalOfAnEmptyRunHasFewPages)
{
    scratch_directory directory;
    setup made;
    ASSERT_TRUE(open(made, directory.path("run.ftr")));
    /* the starts of the blocks for definitions and for transactions, slots, and the header */
    EXPECT_LE(pages_in_memory(directory.path("run.ftr.journal")), 24u);
    ASSERT_TRUE(record(made, 100));
    EXPECT_LE(pages_in_memory(directory.path("run.ftr.journal")), 24u);
    EXPECT_EQ(ftr_recorder_close(made.recorder), FTR_OK);
}

// Returns the page faults between two calls of getrusage(), which @p run makes with a recorder in a
// process of its own, or -1. @p run returns whether it succeeded.
template <class Run> long page_faults_in_child(int counted, const Run &run)
{
    scratch_directory directory;
    int ends[2];
    if (pipe(ends) != 0)
        return -1;
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        rusage before = {};
        rusage after = {};
        setup made;
        getrusage(counted, &before);
        const bool is_good = open(made, directory.path("run.ftr")) && run(made, before, after) &&
                             ftr_recorder_close(made.recorder) == FTR_OK;
        if (after.ru_minflt == 0)
            getrusage(counted, &after);
        const long faults = after.ru_minflt - before.ru_minflt;
        _exit(is_good && write(ends[1], &faults, sizeof faults) == sizeof faults ? 0 : 1);
    }
    close(ends[1]);
    long faults = -1;
    if (read(ends[0], &faults, sizeof faults) != sizeof faults)
        faults = -1;
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return status == 0 ? faults : -1;
}

// Returns the page faults of a whole run, or -1.
long page_faults_of(std::uint64_t transactions)
{
    return page_faults_in_child(RUSAGE_SELF, [transactions](const setup &made, rusage &, rusage &) {
        return record(made, transactions);
    });
}

/* A pool of 12 MiB takes more than 2000 faults with pages of 4 KiB, if it is walked cyclically. */
TEST(FirstTouch, HundredThousandTransactionsCauseFewPageFaults)
{
    if (FTR_TEST_IS_SANITIZED)
        GTEST_SKIP() << "sanitizers touch pages of their own";
    const long faults = page_faults_of(100000);
    EXPECT_GT(faults, 0);
    EXPECT_LT(faults, 900);
}

// Returns the memory of a recorder after about 20 MiB of blocks.
std::uint64_t memory_of_a_long_run()
{
    scratch_directory directory;
    setup made;
    EXPECT_TRUE(open(made, directory.path("run.ftr")));
    EXPECT_TRUE(record(made, 300000));
    ftr_statistics statistics = {};
    EXPECT_EQ(ftr_recorder_get_statistics(made.recorder, &statistics), FTR_OK);
    EXPECT_EQ(ftr_recorder_close(made.recorder), FTR_OK);
    return statistics.memory;
}

TEST(FirstTouch, LongRunTouchesPartOfTheBudget)
{
    if (FTR_TEST_IS_SANITIZED)
        GTEST_SKIP() << "sanitizers slow the writer thread down";
    // If the writer thread gets no processor for 20 ms, further blocks are used, so a run on a busy
    // machine may need more memory. Not every one of ten does.
    std::uint64_t least = UINT64_MAX;
    for (int i = 0; i < 10 && least >= 8u << 20; ++i)
        least = std::min(least, memory_of_a_long_run());
    EXPECT_LT(least, 8u << 20);
}

// A sink that is stuck until it is released.
struct stuck_sink {
    std::atomic<bool> is_stuck{true};
    ftr_sink sink = {this,
                     [](void *user, const void *, std::size_t size) {
                         while (static_cast<stuck_sink *>(user)->is_stuck)
                             usleep(1000);
                         return static_cast<std::int64_t>(size);
                     },
                     nullptr};
};

TEST(FirstTouch, ThreadsGetFurtherBlocksWhileTheWriterIsBlocked)
{
    stuck_sink stuck;
    ftr_recorder_options options = {};
    options.sink = &stuck.sink;
    scratch_directory directory;
    setup made;
    stuck.is_stuck = false;
    ASSERT_TRUE(open(made, directory.path("run.ftr"), options));
    ASSERT_EQ(ftr_recorder_flush(made.recorder), FTR_OK);
    stuck.is_stuck = true;
    // 10 of 12 MiB: hangs if threads wait for a writer that cannot go on
    ASSERT_TRUE(record(made, 150000));
    ftr_statistics statistics = {};
    stuck.is_stuck = false;
    EXPECT_EQ(ftr_recorder_get_statistics(made.recorder, &statistics), FTR_OK);
    EXPECT_GT(statistics.waits, 0u);
    EXPECT_EQ(ftr_recorder_close(made.recorder), FTR_OK);
}

// ---- the calling thread -----------------------------------------------------------------------

struct system_calls {
    int of_first_thread = -1; // -1: the process cannot be traced
    int of_process = -1;
    int allocations = -1; // of disk space
    int unmappings = -1;
};

constexpr system_calls of_failed_run = {INT_MAX, INT_MAX, INT_MAX, INT_MAX};

// Counts the system calls of @p child, which begins with SIGSTOP, between two calls of getppid().
// Returns of_failed_run if the child ends without the second call.
system_calls count_system_calls(pid_t child)
{
    system_calls count;
    int status = 0;
    bool is_counting = false;
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
        return count;
    ptrace(PTRACE_SETOPTIONS, child, nullptr,
           PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
    pid_t stopped = child;
    while (ptrace(PTRACE_SYSCALL, stopped, nullptr, nullptr) == 0 || stopped != child) {
        stopped = waitpid(-1, &status, __WALL);
        __ptrace_syscall_info info = {};
        if (stopped < 0 || (stopped == child && !WIFSTOPPED(status)))
            return is_counting ? of_failed_run : system_calls{};
        if (!WIFSTOPPED(status) || WSTOPSIG(status) != (SIGTRAP | 0x80) ||
            ptrace(PTRACE_GET_SYSCALL_INFO, stopped, sizeof info, &info) <= 0 ||
            info.op != PTRACE_SYSCALL_INFO_ENTRY)
            continue;
        const bool is_mark = info.entry.nr == SYS_getppid;
        if (is_mark && is_counting)
            break;
        if (is_mark)
            count = {0, 0, 0, 0};
        is_counting = is_counting || is_mark;
        count.of_process += is_counting && !is_mark;
        count.of_first_thread += is_counting && !is_mark && stopped == child;
        count.allocations += is_counting && info.entry.nr == SYS_fallocate;
        count.unmappings += is_counting && info.entry.nr == SYS_munmap;
    }
    kill(child, SIGKILL);
    /* Its other threads must be waited for, too, because they are traced. */
    while ((stopped = waitpid(-1, &status, __WALL)) > 0 && (stopped != child || WIFSTOPPED(status)))
        continue;
    return count;
}

// Counts the system calls of @p run, which returns whether it succeeded, in a process of its own,
// between its two calls of getppid().
template <class Run> system_calls system_calls_of(const Run &run)
{
    scratch_directory directory;
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0)
            _exit(1);
        raise(SIGSTOP);
        _exit(run(directory.path("run.ftr")) ? 0 : 1);
    }
    return count_system_calls(child);
}

// Counts the system calls of a run with @p transactions transactions. @p is_whole: up to its end;
// otherwise up to the last transaction.
system_calls system_calls_of_run(std::uint64_t transactions, bool is_whole)
{
    return system_calls_of([=](const std::string &path) {
        setup made;
        syscall(SYS_getppid);
        if (!open(made, path) || !record(made, transactions))
            return false;
        if (!is_whole)
            syscall(SYS_getppid);
        if (ftr_recorder_close(made.recorder) != FTR_OK)
            return false;
        syscall(SYS_getppid);
        return true;
    });
}

system_calls system_calls_of_time_scale()
{
    return system_calls_of([](const std::string &path) {
        setup made;
        ftr_recorder_options options = {};
        options.time_scale = FTR_TIME_SCALE_LATER;
        const bool is_open = open(made, path, options);
        syscall(SYS_getppid);
        if (!is_open || ftr_recorder_set_time_scale(made.recorder, -9) != FTR_OK)
            return false;
        syscall(SYS_getppid);
        return ftr_recorder_close(made.recorder) == FTR_OK;
    });
}

/* On a busy machine, threads wait for each other with further system calls, but not in every one of
 * ten runs. Returns the least counts of up to ten runs; stops when no count exceeds @p most. */
template <class Count> system_calls least_of_ten(const Count &count, const system_calls &most)
{
    system_calls least = count();
    for (int i = 1;
         i < 10 && least.of_process >= 0 &&
         (least.of_process > most.of_process || least.of_first_thread > most.of_first_thread);
         ++i) {
        const system_calls next = count();
        least.of_process = std::min(least.of_process, next.of_process);
        least.of_first_thread = std::min(least.of_first_thread, next.of_first_thread);
        least.allocations = std::min(least.allocations, next.allocations);
        least.unmappings = std::min(least.unmappings, next.unmappings);
    }
    return least;
}

/* A short run has no writer thread. 31 calls counted: 21 before the first transaction, and 2 of the
 * allocator of the C library. */
TEST(SystemCalls, ShortRunMakesFew)
{
    if (FTR_TEST_IS_SANITIZED)
        GTEST_SKIP() << "sanitizers make system calls of their own";
    for (const std::uint64_t transactions : {0, 1, 100}) {
        const system_calls least =
            least_of_ten([=] { return system_calls_of_run(transactions, true); }, {40, 40, 0, 0});
        if (least.of_process < 0)
            GTEST_SKIP() << "no right to trace a process";
        EXPECT_GT(least.of_process, 20);
        EXPECT_LE(least.of_process, 40);
        EXPECT_EQ(least.of_first_thread, least.of_process) << "there is no second thread";
        // only the question whether the file system can allocate space
        EXPECT_LE(least.allocations, 1);
        EXPECT_LE(least.unmappings, 1);
    }
}

TEST(SystemCalls, AreFewBeforeTheFirstTransaction)
{
    if (FTR_TEST_IS_SANITIZED)
        GTEST_SKIP() << "sanitizers make system calls of their own";
    const system_calls least =
        least_of_ten([] { return system_calls_of_run(1, false); }, {28, 28, 0, 0});
    if (least.of_process < 0)
        GTEST_SKIP() << "no right to trace a process";
    EXPECT_GT(least.of_process, 10);
    EXPECT_LE(least.of_process, 28);
}

/* A run with a writer thread. */
TEST(SystemCalls, LongerRunMakesFew)
{
    if (FTR_TEST_IS_SANITIZED)
        GTEST_SKIP() << "sanitizers make system calls of their own";
    const system_calls least =
        least_of_ten([] { return system_calls_of_run(2000, true); }, {250, 250, 0, 0});
    if (least.of_process < 0)
        GTEST_SKIP() << "no right to trace a process";
    // a journal that is written page by page makes thousands
    EXPECT_GT(least.of_process, 40);
    EXPECT_LE(least.of_process, 250);
}

/* The first drain writes the start of the file. */
TEST(SystemCalls, TimeScaleNeedsNone)
{
    if (FTR_TEST_IS_SANITIZED)
        GTEST_SKIP() << "sanitizers make system calls of their own";
    const system_calls least = least_of_ten(system_calls_of_time_scale, {1000, 0, 0, 0});
    if (least.of_process < 0)
        GTEST_SKIP() << "no right to trace a process";
    EXPECT_EQ(least.of_first_thread, 0);
}

// Returns the page faults of the recording thread in 1 MiB of blocks, or -1. Its first records have
// started the writer thread, which has read them.
long page_faults_of_new_blocks()
{
    return page_faults_in_child(
        RUSAGE_THREAD, [](const setup &made, rusage &before, rusage &after) {
            if (!record(made, 1000) || ftr_recorder_flush(made.recorder) != FTR_OK)
                return false;
            getrusage(RUSAGE_THREAD, &before);
            const bool is_good = record(made, 15000);
            getrusage(RUSAGE_THREAD, &after);
            return is_good;
        });
}

/* The writer thread provides the memory of the blocks. If it gets no processor, the recording
 * thread causes the page faults, so a run on a busy machine may have more. Not every one of ten
 * does. */
TEST(CallingThread, HasFewPageFaultsWhenItTakesNewBlocks)
{
    if (FTR_TEST_IS_SANITIZED)
        GTEST_SKIP() << "sanitizers touch pages of their own";
    if (is_in_memory(scratch_directory().path()))
        GTEST_SKIP() << "the scratch directory is in memory";
    long least = LONG_MAX;
    for (int i = 0; i < 10 && least >= 10; ++i) {
        const long faults = page_faults_of_new_blocks();
        ASSERT_GE(faults, 0);
        least = std::min(least, faults);
    }
    EXPECT_LT(least, 10); // 2 counted, 16 without ready blocks
}

// The sink may take a lock that the caller of open or close holds.
TEST(CallingThread, OpensAndClosesASink)
{
    struct calls {
        std::thread::id thread = std::this_thread::get_id();
        bool is_opening = true;
        int writes_of_open = 0;
        int elsewhere = 0;
        int closes = 0;
    } calls;
    ftr_sink sink = {&calls,
                     [](void *user, const void *, std::size_t size) {
                         auto *to = static_cast<struct calls *>(user);
                         to->writes_of_open += to->is_opening;
                         to->elsewhere +=
                             to->is_opening && std::this_thread::get_id() != to->thread;
                         return static_cast<std::int64_t>(size);
                     },
                     [](void *user) {
                         auto *to = static_cast<struct calls *>(user);
                         ++to->closes;
                         to->elsewhere += std::this_thread::get_id() != to->thread;
                         return 0;
                     }};
    ftr_recorder_options options = {};
    options.threads = 1;
    options.sink = &sink;
    ftr_recorder *recorder = nullptr;
    ASSERT_EQ(ftr_recorder_open("sink", &options, &recorder), FTR_OK);
    EXPECT_GT(calls.writes_of_open, 0);
    calls.is_opening = false;
    EXPECT_EQ(ftr_recorder_close(recorder), FTR_OK);
    EXPECT_EQ(calls.closes, 1);
    EXPECT_EQ(calls.elsewhere, 0);
}

TEST(CallingThread, GetsAllMessagesOfOpenAndClose)
{
    struct heard {
        std::thread::id thread = std::this_thread::get_id();
        int here = 0;
        int elsewhere = 0;
    } heard;
    const auto report = [](void *user, ftr_severity, const char *) {
        auto *counts = static_cast<struct heard *>(user);
        ++(std::this_thread::get_id() == counts->thread ? counts->here : counts->elsewhere);
    };
    scratch_directory directory;
    ftr_recorder_options options = {};
    options.threads = 1;
    options.report = report;
    options.report_user = &heard;
    ftr_recorder *recorder = nullptr;
    EXPECT_EQ(ftr_recorder_open(directory.path("none/run.ftr").c_str(), &options, &recorder),
              FTR_ERR_IO);
    EXPECT_EQ(heard.here, 1);
    options.journal_directory = "/proc/self/nowhere"; // a warning: no journal
    options.include = "no.such.stream";               // at close: the pattern matched nothing
    const std::string existing = directory.path("run.ftr");
    std::ofstream(existing) << "x";
    ASSERT_EQ(ftr_recorder_open(existing.c_str(), &options, &recorder), FTR_OK);
    EXPECT_EQ(heard.here, 2);
    ftr_stream stream = 0;
    EXPECT_EQ(ftr_stream_define(recorder, "top", nullptr, &stream), FTR_OK);
    EXPECT_EQ(ftr_recorder_close(recorder), FTR_OK);
    EXPECT_EQ(heard.here, 3);
    EXPECT_EQ(heard.elsewhere, 0);
}

} // namespace
