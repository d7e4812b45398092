// The locks of a trace and its journal: of other recorders, of processes that have ended, and of
// forked children.
#include "killed_process.hpp"
#include "killed_run.hpp"
#include "recording.hpp"
#include "wrapped_calls.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

namespace
{
bool counts_pauses; // and does not wait
unsigned pauses;
} // namespace

// See the options of the linker in recorder_tests.cmake.
FTR_WRAPPED(int, nanosleep, const timespec *time, timespec *rest);

int __wrap_nanosleep(const timespec *time, timespec *rest)
{
    pauses += counts_pauses;
    return counts_pauses ? 0 : __real_nanosleep(time, rest);
}

namespace
{

// Opens and closes a recorder of @p trace, with messages to @p reports.
void record_nothing(const std::string &trace, report_list &reports)
{
    ftr_recorder_options options{};
    options.report = report_list::report;
    options.report_user = &reports;
    ftr_recorder *rec = nullptr;
    ASSERT_EQ(ftr_recorder_open(trace.c_str(), &options, &rec), FTR_OK);
    EXPECT_EQ(ftr_recorder_close(rec), FTR_OK);
}

TEST(Journal, KeepsTheTraceOfACrashedRunFromBeingOverwritten)
{
    scratch_directory directory;
    shared_told told;
    std::string trace = directory.path("run.ftr");
    pid_t pid = killed_run(trace, *told);
    report_list reports;
    record_nothing(trace, reports);
    std::string recovered = directory.path("run-" + std::to_string(pid) + ".ftr");
    EXPECT_EQ(reports.count("recovered to " + recovered), 1u);
    expect_everything_that_ended(*told, decode(recovered));
    EXPECT_TRUE(decode(trace).transactions.empty());
    EXPECT_FALSE(std::filesystem::exists(trace + ".journal"));
}

// The end of the name of the file that is locked: the trace or its journal.
class LockOfADeadProcess : public testing::TestWithParam<const char *>
{
};

// Linux may release the locks of a killed process some time after the process has ended.
TEST_P(LockOfADeadProcess, IsWaitedFor)
{
    scratch_directory directory;
    shared_told told;
    const std::string trace = directory.path("run.ftr");
    const pid_t pid = killed_run(trace, *told);
    const int file = open((trace + GetParam()).c_str(), O_RDWR | O_CLOEXEC);
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    while (fcntl(file, F_OFD_SETLK, &lock) != 0) // still the lock of the killed process
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::thread release([file] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        close(file);
    });
    report_list reports;
    record_nothing(trace, reports);
    release.join();
    EXPECT_EQ(reports.count("belongs to another run"), 0u);
    expect_everything_that_ended(*told,
                                 decode(directory.path("run-" + std::to_string(pid) + ".ftr")));
    EXPECT_TRUE(decode(trace).transactions.empty());
}

INSTANTIATE_TEST_SUITE_P(Files, LockOfADeadProcess, testing::Values("", ".journal"));

// A process of another PID namespace seems to have ended, but keeps its lock. Each of its journals
// names it.
TEST(Journal, OfALivingProcessIsNotAwaitedSeveralTimes)
{
    scratch_directory directory, local;
    const std::string trace = directory.path("run.ftr");
    const std::string place = local.path();
    setenv("TMPDIR", place.substr(0, place.find_last_not_of('/') + 1).c_str(), 1);
    (void)killed_process([&] {
        ftr_recorder_options options{};
        options.journal_directory = getenv("TMPDIR");
        ftr_recorder *rec = nullptr;
        if (ftr_recorder_open(trace.c_str(), &options, &rec) != FTR_OK)
            _exit(1);
    });
    const auto journal = std::filesystem::directory_iterator(place)->path();
    std::filesystem::copy(journal, trace + ".journal");
    const int file = open(trace.c_str(), O_RDWR | O_CLOEXEC);
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    while (fcntl(file, F_OFD_SETLK, &lock) != 0) // still the lock of the killed process
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    pauses = 0;
    counts_pauses = true;
    report_list reports;
    record_nothing(trace, reports);
    counts_pauses = false;
    unsetenv("TMPDIR");
    close(file);
    EXPECT_EQ(reports.count("belongs to another run"), 1u);
    EXPECT_EQ(pauses, 3000u);
}

// A child of the killed process must not keep the lock of the journal by its copy of a mapping.
TEST(Journal, IsNotLockedByAForkedChildOfAKilledProcess)
{
    scratch_directory directory;
    const std::string trace = directory.path("run.ftr");
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    (void)killed_process([&] {
        ftr_recorder *rec = nullptr;
        const bool is_open = ftr_recorder_open(trace.c_str(), nullptr, &rec) == FTR_OK;
        const pid_t child = fork();
        if (child == 0) {
            char byte = 0;
            close(ends[1]);
            (void)!read(ends[0], &byte, 1); // until the test ends
            _exit(0);
        }
        if (!is_open || child < 0)
            _exit(1);
    });
    close(ends[0]);
    report_list reports;
    record_nothing(trace, reports);
    EXPECT_EQ(reports.count("belongs to another run"), 0u);
    EXPECT_FALSE(std::filesystem::exists(trace + ".journal"));
    close(ends[1]);
}

TEST(Journal, SecondRecorderOfAPathWritesAnotherFile)
{
    scratch_directory directory;
    std::string trace = directory.path("run.ftr");
    report_list reports;
    ftr_recorder_options options{};
    options.report = report_list::report;
    options.report_user = &reports;
    ftr_recorder *first = nullptr;
    ftr_recorder *second = nullptr;
    ASSERT_EQ(ftr_recorder_open(trace.c_str(), &options, &first), FTR_OK);
    ASSERT_EQ(ftr_recorder_open(trace.c_str(), &options, &second), FTR_OK);
    std::string other = directory.path("run-" + std::to_string(getpid()) + ".ftr");
    EXPECT_EQ(reports.count("recording to " + other), 1u);
    ftr_stream stream;
    ASSERT_EQ(ftr_stream_define(second, "only here", nullptr, &stream), FTR_OK);
    EXPECT_EQ(ftr_recorder_close(first), FTR_OK);
    EXPECT_EQ(ftr_recorder_close(second), FTR_OK);
    EXPECT_EQ(decode(other).stream_names(), std::vector<std::string>{"only here"});
    EXPECT_TRUE(decode(trace).streams.empty());
}

TEST(Journal, IsNotChangedByAForkedChild)
{
    recording rec;
    ftr_generator generator = rec.generator(rec.stream("s"), "g");
    ftr_tx tx;
    ASSERT_EQ(ftr_tx_begin(rec, generator, 1, &tx), FTR_OK);
    pid_t pid = in_child([&] {
        ftr_tx ours;
        bool refused = ftr_tx_begin(rec, generator, 2, &ours) == FTR_ERR_FORKED &&
                       ftr_tx_end(rec, tx, 5) == FTR_ERR_FORKED &&
                       ftr_recorder_close(rec) == FTR_ERR_FORKED;
        _exit(refused ? 0 : 1);
    });
    EXPECT_EQ(wait_for(pid), 0);
    EXPECT_TRUE(std::filesystem::exists(rec.path() + ".journal"));
    ASSERT_EQ(ftr_tx_end(rec, tx, 3), FTR_OK);
    EXPECT_EQ(rec.decoded().transactions.at(0).end, 3u);
}

} // namespace
