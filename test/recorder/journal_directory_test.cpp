// The next run, and the recovery of a trace, find the journal of a killed run in FTR_JOURNAL_DIR.
#include "trace_directory.hpp"

#include <ftr/recorder.h>
#include <ftr/recovery.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

namespace
{
namespace fs = std::filesystem;

class JournalDirectory : public trace_directory
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
} // namespace
