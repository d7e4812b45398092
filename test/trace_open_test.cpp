// Treatment of existing files at the path of a trace before recording: none of them is lost, even
// if other processes use the path, and if a process is killed at any moment.
#include "fork_at_rest.hpp"
#include "killed_process.hpp"
#include "recording.hpp"
#include "system_steps.hpp"
#include "wrapped_calls.hpp"

#include <ftr/recorder.h>
#include <ftr/recovery.h>

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include <fcntl.h>
#include <sys/mman.h>
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

class TraceOpen : public testing::Test
{
  protected:
    TraceOpen()
    {
        options_.report = report_list::report;
        options_.report_user = &reports_;
    }

    // Records transactions with begins from @p first on. The exit status is the result.
    int record(std::uint64_t first, std::uint64_t count, bool closes = true)
    {
        ftr_recorder *rec = nullptr;
        ftr_stream stream;
        ftr_generator generator;
        if (ftr_recorder_open(asked_.c_str(), &options_, &rec) != FTR_OK)
            return 2;
        const ftr_attribute text = {"text", FTR_TYPE_STRING, FTR_CLASS_RECORD};
        if (ftr_stream_define(rec, "s", "k", &stream) != FTR_OK ||
            ftr_generator_define(rec, stream, "g", &text, 1, &generator) != FTR_OK)
            return 3;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t n = first + i;
            const std::string unique = std::to_string(n * 0x9e3779b97f4a7c15u);
            const ftr_value value = text_value(FTR_TYPE_STRING, unique.c_str());
            if (ftr_tx_record(rec, generator, n, n, &value, 1, nullptr) != FTR_OK)
                return 4;
            if (i == count / 2)
                static_cast<void>(ftr_recorder_flush(rec));
        }
        return closes ? (ftr_recorder_close(rec) == FTR_OK ? 0 : 5) : 0;
    }

    pid_t crash(std::uint64_t first, std::uint64_t count)
    {
        return killed_process([&] {
            if (record(first, count, false) != 0)
                _exit(1);
        });
    }

    static pid_t in_child(const std::function<int()> &body)
    {
        std::fflush(nullptr);
        const pid_t child = fork_at_rest();
        if (child == 0)
            _exit(body());
        return child;
    }

    static int status_of(pid_t child, int options = 0)
    {
        int status = -1;
        EXPECT_EQ(waitpid(child, &status, options), child);
        return status;
    }

    // Returns the files of the directory, except those with this ending.
    std::set<std::string> names(const std::string &directory = "") const
    {
        std::set<std::string> found;
        for (const auto &entry : fs::directory_iterator(directory_.path(directory)))
            found.insert(entry.path().filename().string());
        return found;
    }

    // Returns the begins of the transactions in all traces of the directory; duplicates are
    // reported.
    std::multiset<std::uint64_t> recorded() const
    {
        std::vector<std::string> paths;
        for (const std::string &name : names()) {
            if (name.size() > 4 && name.substr(name.size() - 4) == ".ftr" &&
                fs::file_size(directory_.path(name)) > 0)
                paths.push_back(directory_.path(name));
        }
        std::multiset<std::uint64_t> begins;
        for (const auto &file : decode_all(paths)) {
            for (const decoded_transaction &tx : file.second.transactions)
                begins.insert(tx.begin);
        }
        return begins;
    }

    static std::multiset<std::uint64_t> range(std::uint64_t first, std::uint64_t count)
    {
        std::multiset<std::uint64_t> begins;
        for (std::uint64_t i = 0; i < count; ++i)
            begins.insert(begins.end(), first + i);
        return begins;
    }

    static mode_t mode_of(const std::string &path)
    {
        struct stat about = {};
        EXPECT_EQ(lstat(path.c_str(), &about), 0) << path;
        return about.st_mode & 07777;
    }

    std::string recovered_name(pid_t pid) const
    {
        return directory_.path("run-" + std::to_string(pid) + ".ftr");
    }

    scratch_directory directory_;
    report_list reports_;
    ftr_recorder_options options_{};
    const std::string path_ = directory_.path("run.ftr");
    std::string asked_ = path_; // the path passed to the recorder
};

// ---- the file of an earlier run -----------------------------------------------------------------

TEST_F(TraceOpen, ReadersOfAnEarlierRunKeepTheirFile)
{
    ASSERT_EQ(record(0, 5000), 0);
    const std::string before = contents_of(path_);
    const int fd = open(path_.c_str(), O_RDONLY);
    void *const mapped = mmap(nullptr, before.size(), PROT_READ, MAP_SHARED, fd, 0);
    ASSERT_NE(mapped, MAP_FAILED);
    ASSERT_EQ(record(10000, 10), 0);
    // In a child, because a shortened file would cause SIGBUS.
    const pid_t reader =
        in_child([&] { return std::memcmp(mapped, before.data(), before.size()) == 0 ? 0 : 1; });
    EXPECT_EQ(status_of(reader), 0);
    EXPECT_EQ(recorded(), range(10000, 10));
    munmap(mapped, before.size());
    close(fd);
}

TEST_F(TraceOpen, KeepsThePermissionsOfTheFileItReplaces)
{
    ASSERT_EQ(record(0, 10), 0);
    ASSERT_EQ(chmod(path_.c_str(), 0640), 0);
    ASSERT_EQ(record(0, 10), 0);
    EXPECT_EQ(mode_of(path_), 0640u);
}

TEST_F(TraceOpen, FollowsASymbolicLinkAndKeepsIt)
{
    fs::create_directory(directory_.path("big"));
    fs::create_symlink("big/real.ftr", path_);
    ASSERT_EQ(record(0, 10), 0);
    ASSERT_EQ(record(0, 20), 0);
    EXPECT_TRUE(fs::is_symlink(path_));
    EXPECT_EQ(decode(directory_.path("big/real.ftr")).transactions.size(), 20u);
    EXPECT_EQ(names("big"), std::set<std::string>{"real.ftr"});
}

TEST_F(TraceOpen, WritesToADescriptorWithoutReplacingItsFile)
{
    const std::string out = directory_.path("out");
    const int fd = open(out.c_str(), O_RDWR | O_CREAT, 0600);
    asked_ = "/dev/fd/" + std::to_string(fd);
    ASSERT_EQ(record(0, 10), 0);
    struct stat of_fd = {};
    struct stat named = {};
    ASSERT_EQ(fstat(fd, &of_fd), 0);
    ASSERT_EQ(stat(out.c_str(), &named), 0);
    EXPECT_EQ(of_fd.st_ino, named.st_ino);
    EXPECT_EQ(decode(out).transactions.size(), 10u);
    close(fd);
}

TEST_F(TraceOpen, RefusesALinkOfAnotherUserInASharedDirectory)
{
    if (geteuid() != 0)
        GTEST_SKIP() << "needs a second user";
    const std::string shared = directory_.path("shared");
    const std::string victim = directory_.path("victim");
    write_contents(victim, "precious");
    fs::create_directory(shared);
    ASSERT_EQ(chmod(shared.c_str(), 01777), 0);
    fs::create_symlink(victim, shared + "/run.ftr");
    ASSERT_EQ(lchown((shared + "/run.ftr").c_str(), 65534, 65534), 0);
    asked_ = shared + "/run.ftr";
    EXPECT_EQ(record(0, 10), 2);
    EXPECT_EQ(contents_of(victim), "precious");
    EXPECT_EQ(reports_.count("another user placed this symbolic link"), 1u);
}

TEST_F(TraceOpen, KeepsAReadOnlyFile)
{
    if (geteuid() == 0)
        GTEST_SKIP() << "root may write everything";
    write_contents(path_, "kept");
    ASSERT_EQ(chmod(path_.c_str(), 0400), 0);
    EXPECT_EQ(record(0, 10), 2);
    EXPECT_EQ(contents_of(path_), "kept");
}

TEST_F(TraceOpen, RemovesTheFurtherFilesOfAnEarlierRun)
{
    options_.max_size = 64 << 10;
    options_.max_files = 100;
    ASSERT_EQ(record(0, 20000), 0);
    EXPECT_GT(names().size(), 3u);
    EXPECT_EQ(names().count("run_file0002.ftr"), 1u);
    write_contents(directory_.path("run_file0100.ftr"), "no trace");
    write_contents(directory_.path("run_file7.ftr"), "another name");
    options_.max_size = 0;
    options_.max_files = 0;
    ASSERT_EQ(record(0, 10), 0);
    EXPECT_EQ(names(), (std::set<std::string>{"run.ftr", "run_file0100.ftr", "run_file7.ftr"}));
}

TEST_F(TraceOpen, KeepsFurtherFilesOfALivingProcess)
{
    // Without journals, and after the first file was removed in favour of newer ones.
    options_.max_size = 64 << 10;
    options_.max_files = 2;
    options_.journal_directory = "none";
    int ready[2];
    int go[2];
    ASSERT_EQ(pipe(ready), 0);
    ASSERT_EQ(pipe(go), 0);
    const pid_t child = in_child([&] {
        ftr_recorder *rec = nullptr;
        ftr_stream stream;
        ftr_generator generator;
        const ftr_attribute text = {"text", FTR_TYPE_STRING, FTR_CLASS_RECORD};
        if (ftr_recorder_open(path_.c_str(), &options_, &rec) != FTR_OK ||
            ftr_stream_define(rec, "s", "k", &stream) != FTR_OK ||
            ftr_generator_define(rec, stream, "g", &text, 1, &generator) != FTR_OK)
            return 2;
        char byte = 0;
        for (std::uint64_t n = 0; n < 20000; ++n) {
            const std::string unique = std::to_string(n * 0x9e3779b97f4a7c15u);
            const ftr_value value = text_value(FTR_TYPE_STRING, unique.c_str());
            if (ftr_tx_record(rec, generator, n, n, &value, 1, nullptr) != FTR_OK)
                return 3;
        }
        if (ftr_recorder_flush(rec) != FTR_OK || write(ready[1], &byte, 1) != 1 ||
            read(go[0], &byte, 1) != 1)
            return 4;
        return ftr_recorder_close(rec) == FTR_OK ? 0 : 5;
    });
    char byte;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    ASSERT_FALSE(fs::exists(path_));
    const std::set<std::string> before = names();
    ASSERT_EQ(record(100000, 10), 0);
    for (const std::string &name : before)
        EXPECT_EQ(names().count(name), 1u) << name;
    EXPECT_FALSE(fs::exists(path_));
    ASSERT_EQ(write(go[1], &byte, 1), 1);
    EXPECT_EQ(status_of(child), 0);
}

TEST_F(TraceOpen, SecondRecorderWithoutJournalWritesAnotherFile)
{
    options_.journal_directory = "none";
    ftr_recorder *first = nullptr;
    ASSERT_EQ(ftr_recorder_open(path_.c_str(), &options_, &first), FTR_OK);
    EXPECT_EQ(status_of(in_child([&] { return record(0, 10); })), 0);
    EXPECT_EQ(ftr_recorder_close(first), FTR_OK);
    EXPECT_EQ(recorded(), range(0, 10));
    EXPECT_TRUE(decode(path_).transactions.empty());
}

TEST_F(TraceOpen, IgnoresTheLockOfAnEndedProcessWithALivingChild)
{
    int ends[2];
    int lives[2];
    ASSERT_EQ(pipe(ends), 0);
    ASSERT_EQ(pipe(lives), 0);
    options_.journal_directory = "none";
    const pid_t parent = in_child([&] {
        ftr_recorder *rec = nullptr;
        char byte = 0;
        if (ftr_recorder_open(path_.c_str(), &options_, &rec) != FTR_OK)
            return 1;
        if (fork_at_rest() == 0) {
            close(ends[1]);
            return write(lives[1], &byte, 1) == 1 && read(ends[0], &byte, 1) == 0 ? 0 : 1;
        }
        /* The child releases the lock when it begins to run. */
        return read(lives[0], &byte, 1) == 1 ? 0 : 1;
    });
    EXPECT_EQ(status_of(parent), 0);
    EXPECT_EQ(record(0, 10), 0);
    EXPECT_EQ(decode(path_).transactions.size(), 10u);
    for (const int end : {ends[0], ends[1], lives[0], lives[1]})
        close(end);
}

// ---- location of the journal --------------------------------------------------------------------

class JournalDirectory : public TraceOpen
{
  protected:
    JournalDirectory()
    {
        fs::create_directory(directory_.path("journals"));
        before_ = fs::current_path();
        fs::current_path(directory_.path());
        options_.journal_directory = "journals";
    }
    ~JournalDirectory() override { fs::current_path(before_); }

    // Expects equal results of recovery by the command and by the next run.
    void expect_brought_back(pid_t pid)
    {
        char journal[4096];
        ftr_recovery found{};
        ASSERT_EQ(ftr_recovery_find(asked_.c_str(), "journals", journal, sizeof journal), FTR_OK);
        ASSERT_TRUE(fs::exists(journal)) << journal;
        const std::string out = directory_.path("journals/sound.ftr");
        ASSERT_EQ(ftr_recovery_run(journal, asked_.c_str(), out.c_str(), &found), FTR_OK)
            << found.message;
        EXPECT_EQ(decode(out).transactions.size(), 1000u);
        fs::remove(out);
        ASSERT_EQ(record(5000, 10), 0);
        EXPECT_EQ(recorded(), [] {
            std::multiset<std::uint64_t> all = range(0, 1000);
            all.merge(range(5000, 10));
            return all;
        }());
        EXPECT_TRUE(fs::exists(recovered_name(pid)));
        EXPECT_TRUE(names("journals").empty());
    }

    // Returns the number of transactions recovered from the trace at @p path.
    std::size_t brought_back(const std::string &path)
    {
        char journal[4096];
        ftr_recovery found{};
        const std::string out = directory_.path("journals/sound.ftr");
        EXPECT_EQ(ftr_recovery_find(path.c_str(), "journals", journal, sizeof journal), FTR_OK);
        EXPECT_EQ(ftr_recovery_run(journal, path.c_str(), out.c_str(), &found), FTR_OK)
            << found.message;
        return decode(out).transactions.size();
    }

    fs::path before_;
};

TEST_F(JournalDirectory, FindsTheJournalOfARelativePath)
{
    asked_ = "run.ftr";
    expect_brought_back(crash(0, 1000));
}

TEST_F(JournalDirectory, FindsTheJournalOfAPathThroughASymbolicLink)
{
    fs::create_directory_symlink(".", "here");
    asked_ = "here/run.ftr";
    const pid_t pid = crash(0, 1000);
    asked_ = "run.ftr";
    expect_brought_back(pid);
}

TEST_F(JournalDirectory, FindsJournalsWithOlderNames)
{
    asked_ = "run.ftr";
    const pid_t pid = crash(0, 1000);
    const std::set<std::string> found = names("journals");
    ASSERT_EQ(found.size(), 1u);
    fs::rename("journals/" + *found.begin(), "journals/run.ftr.0123456789abcdef.journal");
    expect_brought_back(pid);
}

TEST_F(JournalDirectory, FindsTheJournalUnderAnotherMountPoint)
{
    fs::create_directory("inside");
    asked_ = "inside/run.ftr";
    const pid_t pid = crash(0, 1000);
    fs::rename("inside/run.ftr", "run.ftr");
    fs::remove("inside");
    asked_ = "run.ftr";
    expect_brought_back(pid);
}

TEST_F(JournalDirectory, DistinguishesMovedTracesWithEqualStarts)
{
    options_.epoch_seconds = 1700000000;
    for (const std::uint64_t count : {1000, 1001}) {
        fs::create_directory("at" + std::to_string(count));
        asked_ = "at" + std::to_string(count) + "/run.ftr";
        crash(0, count);
    }
    fs::rename("at1000", "first");
    fs::rename("at1001", "second");
    EXPECT_EQ(brought_back("first/run.ftr"), 1000u);
    EXPECT_EQ(brought_back("second/run.ftr"), 1001u);
}

TEST_F(JournalDirectory, DistinguishesTracesOfTheSameSecond)
{
    options_.epoch_seconds = 1700000000;
    fs::create_directory("gone");
    asked_ = "gone/run.ftr";
    crash(0, 0);
    fs::rename("gone", "moved");
    asked_ = "run.ftr";
    options_.journal_directory = "none";
    ASSERT_EQ(record(0, 10), 0);
    char journal[4096];
    ASSERT_EQ(ftr_recovery_find("run.ftr", "journals", journal, sizeof journal), FTR_OK);
    EXPECT_FALSE(fs::exists(journal)) << journal;
}

TEST_F(JournalDirectory, DistinguishesTracesOfTheSameName)
{
    fs::create_directory("other");
    asked_ = "other/run.ftr";
    crash(0, 1000);
    asked_ = "run.ftr";
    ASSERT_EQ(record(5000, 10), 0);
    EXPECT_EQ(recorded(), range(5000, 10));
    EXPECT_EQ(names("journals").size(), 1u);
}

TEST_F(JournalDirectory, IsEmptyAfterAProgramThatChangesItsWorkingDirectory)
{
    asked_ = "run.ftr";
    ftr_recorder *rec = nullptr;
    ASSERT_EQ(ftr_recorder_open(asked_.c_str(), &options_, &rec), FTR_OK);
    EXPECT_EQ(names("journals").size(), 1u);
    fs::current_path("/");
    EXPECT_EQ(ftr_recorder_close(rec), FTR_OK);
    fs::current_path(directory_.path());
    EXPECT_TRUE(names("journals").empty());
}

TEST_F(JournalDirectory, IsEmptyAfterARunWithoutJournal)
{
    options_.journal_directory = nullptr;
    asked_ = "run.ftr";
    const pid_t pid = crash(0, 1000);
    for (const char *directory : {"journals", "none"}) {
        options_.journal_directory = directory;
        ASSERT_EQ(record(5000, 10), 0);
        EXPECT_EQ(decode(recovered_name(pid)).transactions.size(), 1000u) << directory;
        EXPECT_FALSE(fs::exists("run.ftr.journal"));
    }
}

// ---- existing journals --------------------------------------------------------------------------

TEST_F(TraceOpen, RecoveredFileHasThePermissionsOfTheRun)
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

TEST_F(TraceOpen, RecoversTheJournalOfADeletedTraceOnce)
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

TEST_F(TraceOpen, KeepsAnotherFileAtThePathOfTheTrace)
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

TEST_F(TraceOpen, SetsAsideARunThatCannotBeRecovered)
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

TEST_F(TraceOpen, NeverWritesToAJournalThatIsALinkOrAnotherFile)
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

TEST_F(TraceOpen, DoesNotRecoverTheCrashedRunOfAnotherUser)
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

TEST_F(TraceOpen, NeverWritesARecoveredFileThroughALink)
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

// ---- processes that are killed, or run at the same time
// ----------------------------------------------

// A crashed run with several files, or with one; the next run is stopped before each of its steps,
// each time in a directory of its own.
class NextRun : public TraceOpen, public testing::WithParamInterface<bool>
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
