// Recovery of a killed run by the next run at the same path: nothing is lost, even if this run is
// killed or two runs do it at the same time.
#include "system_steps.hpp"
#include "trace_directory.hpp"
#include "wrapped_calls.hpp"

#include <ftr/recorder.h>

#include <gtest/gtest.h>

#include <csignal>
#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace
{
bool waits_take_no_time; // for locks: see the options of the linker in recorder_tests.cmake
} // namespace

FTR_WRAPPED(int, nanosleep, const timespec *time, timespec *rest);

int __wrap_nanosleep(const timespec *time, timespec *rest)
{
    return waits_take_no_time ? 0 : __real_nanosleep(time, rest);
}

namespace
{
namespace fs = std::filesystem;

class LeftOver : public trace_directory
{
};

TEST_F(LeftOver, RecoveredFileHasThePermissionsOfTheRun)
{
    write_contents(path_, "");
    ASSERT_EQ(chmod(path_.c_str(), 0600), 0);
    const pid_t pid = crash(0, 1000);
    EXPECT_EQ(mode_of(path_ + ".journal"), 0600u);
    const mode_t before = umask(0);
    EXPECT_EQ(record(5000, 10), 0);
    umask(before);
    EXPECT_EQ(mode_of(recovered_name(pid)), 0600u);
    EXPECT_EQ(mode_of(path_), 0600u);
}

TEST_F(LeftOver, RecoversTheJournalOfADeletedTraceOnce)
{
    const pid_t pid = crash(0, 1000);
    fs::remove(path_);
    ASSERT_EQ(record(5000, 10), 0);
    EXPECT_EQ(reports_.count("its file was deleted"), 1u);
    EXPECT_FALSE(decode(recovered_name(pid)).transactions.empty());
    const std::set<std::string> after = names();
    EXPECT_EQ(after.size(), 2u);
    ASSERT_EQ(record(5000, 10), 0);
    EXPECT_EQ(names(), after);
}

TEST_F(LeftOver, KeepsAnotherFileAtThePathOfTheTrace)
{
    crash(0, 1000);
    write_contents(path_, "another file");
    ASSERT_EQ(record(5000, 10), 0);
    EXPECT_EQ(reports_.count("was another one and was renamed to"), 1u);
    EXPECT_EQ(decode(path_).transactions.size(), 10u);
    bool is_kept = false;
    for (const std::string &name : names())
        is_kept |= contents_of(directory_.path(name)) == "another file";
    EXPECT_TRUE(is_kept);
}

TEST_F(LeftOver, SetsAsideARunThatCannotBeRecovered)
{
    crash(0, 1000);
    const std::string trace = contents_of(path_);
    std::string journal = contents_of(path_ + ".journal");
    journal[8] = 99; // the layout
    write_contents(path_ + ".journal", journal);
    ASSERT_EQ(record(5000, 10), 0);
    EXPECT_EQ(reports_.count("another version of ftr wrote it"), 1u);
    EXPECT_EQ(contents_of(directory_.path("run-0.ftr")), trace);
    EXPECT_EQ(contents_of(directory_.path("run-0.ftr.journal")), journal);
    EXPECT_EQ(decode(path_).transactions.size(), 10u);
    ASSERT_EQ(record(5000, 10), 0);
    EXPECT_EQ(names().size(), 3u);
}

TEST_F(LeftOver, NeverWritesToAJournalThatIsALinkOrAnotherFile)
{
    const std::string victim = directory_.path("victim");
    const std::string journal = path_ + ".journal";
    const std::function<void()> in_the_way[] = {
        [&] { fs::create_symlink(victim, journal); },
        [&] { fs::create_hard_link(victim, journal); },
        [&] { write_contents(journal, "notes about the run"); },
        [&] { ASSERT_EQ(mkfifo(journal.c_str(), 0600), 0); },
        [&] { fs::create_directory(journal); },
    };
    for (std::size_t i = 0; i < 5; ++i) {
        SCOPED_TRACE(i);
        write_contents(victim, std::string(20, '\0'));
        in_the_way[i]();
        const std::size_t told = reports_.count("no journal at");
        EXPECT_EQ(record(0, 10), 0);
        EXPECT_EQ(reports_.count("no journal at"), told + 1);
        EXPECT_EQ(contents_of(victim), std::string(20, '\0'));
        if (i == 2) {
            EXPECT_EQ(contents_of(journal), "notes about the run");
        }
        EXPECT_EQ(decode(path_).transactions.size(), 10u);
        fs::remove(journal);
    }
}

TEST_F(LeftOver, DoesNotRecoverTheCrashedRunOfAnotherUser)
{
    if (geteuid() != 0)
        GTEST_SKIP() << "needs a second user";
    crash(0, 1000);
    const std::string trace = contents_of(path_);
    ASSERT_EQ(chown((path_ + ".journal").c_str(), 65534, 65534), 0);
    ASSERT_EQ(record(5000, 10), 0);
    EXPECT_EQ(reports_.count("crashed run of another user"), 1u);
    EXPECT_EQ(contents_of(path_), trace);
    EXPECT_TRUE(fs::exists(path_ + ".journal"));
}

TEST_F(LeftOver, NeverWritesARecoveredFileThroughALink)
{
    const std::string victim = directory_.path("victim");
    const pid_t pid = crash(0, 1000);
    fs::create_symlink(victim, recovered_name(pid));
    ASSERT_EQ(record(5000, 10), 0);
    EXPECT_FALSE(fs::exists(victim));
    EXPECT_TRUE(fs::is_symlink(recovered_name(pid)));
    const std::string next = directory_.path("run-" + std::to_string(pid) + "-2.ftr");
    EXPECT_EQ(decode(next).transactions.size(), 1000u);
}

// A crashed run with several files, or with one; the next run is stopped before each of its steps,
// each time in a directory of its own.
class NextRun : public trace_directory, public testing::WithParamInterface<bool>
{
  protected:
    static constexpr std::uint64_t crashed = 3000;

    void prepare(std::size_t step)
    {
        const std::string directory = directory_.path(std::to_string(step));
        fs::create_directory(directory);
        asked_ = directory + "/run.ftr";
        if (GetParam()) {
            options_.max_size = 64 << 10;
            options_.max_files = 100;
        }
        crash(0, crashed);
    }

    // The results of one start of the decoder for each directory: the begins of all transactions in
    // its traces, and of those in the copies of the file at the path.
    struct found {
        std::multiset<std::uint64_t> all;
        std::multiset<std::uint64_t> first;
        std::multiset<std::uint64_t> second;
    };

    // Copies the file that is at the path now.
    void copy_to(const std::string &name) const
    {
        if (fs::exists(asked_))
            fs::copy_file(asked_, fs::path(asked_).replace_filename(name));
    }

    std::map<std::string, found> decode_steps() const
    {
        std::vector<std::string> paths;
        for (const auto &entry : fs::recursive_directory_iterator(directory_.path())) {
            if (entry.is_regular_file() && entry.file_size() > 0)
                paths.push_back(entry.path().string());
        }
        std::map<std::string, found> steps;
        for (const auto &file : decode_all(paths)) {
            const fs::path path = file.first;
            found &of = steps[path.parent_path().filename().string()];
            std::multiset<std::uint64_t> &begins = path.filename() == "first"    ? of.first
                                                   : path.filename() == "second" ? of.second
                                                                                 : of.all;
            for (const decoded_transaction &tx : file.second.transactions)
                begins.insert(tx.begin);
        }
        return steps;
    }
};

TEST_P(NextRun, KilledAtAnyStepOfRecoveryLosesNothing)
{
    std::size_t steps = 0;
    for (bool is_killed = true; is_killed;) {
        prepare(++steps);
        const int status = status_of(in_child([&] {
            raise_at_step(steps, SIGKILL);
            return record(10000, 0);
        }));
        is_killed = WIFSIGNALED(status);
        if (!is_killed) {
            EXPECT_EQ(status, 0);
        }
        ASSERT_EQ(record(20000, 10), 0);
        for (const std::string &name : names(std::to_string(steps)))
            EXPECT_EQ(name.substr(name.size() - 4), ".ftr") << name << " after " << steps;
    }
    EXPECT_GT(steps, 30u);
    std::multiset<std::uint64_t> expected = range(0, crashed);
    expected.merge(range(20000, 10));
    const std::map<std::string, found> decoded = decode_steps();
    EXPECT_EQ(decoded.size(), steps);
    for (const auto &step : decoded)
        EXPECT_EQ(step.second.all, expected) << "killed at " << step.first;
}

TEST_P(NextRun, ConcurrentRecoveryLosesNothingAtAnyStep)
{
    std::size_t steps = 0;
    for (bool is_stopped = true; is_stopped;) {
        prepare(++steps);
        const pid_t first = in_child([&] {
            raise_at_step(steps, SIGSTOP);
            return record(10000, 10);
        });
        is_stopped = WIFSTOPPED(status_of(first, WUNTRACED));
        // A file that one of them has ended is an earlier run's file to the other.
        copy_to("first");
        EXPECT_EQ(status_of(in_child([&] {
                      // A stopped process keeps its locks, however long the other one waits.
                      waits_take_no_time = true;
                      return record(20000, 10);
                  })),
                  0);
        copy_to("second");
        if (is_stopped) {
            kill(first, SIGCONT);
            EXPECT_EQ(status_of(first), 0);
        }
    }
    EXPECT_GT(steps, 30u);
    for (const auto &step : decode_steps()) {
        SCOPED_TRACE("met at " + step.first);
        std::multiset<std::uint64_t> expected = range(0, crashed);
        if (step.second.first != range(10000, 10) || step.second.all.count(10000))
            expected.merge(range(10000, 10));
        if (step.second.second != range(20000, 10) || step.second.all.count(20000))
            expected.merge(range(20000, 10));
        EXPECT_EQ(step.second.all, expected);
    }
}

INSTANTIATE_TEST_SUITE_P(Files, NextRun, testing::Bool());
} // namespace
