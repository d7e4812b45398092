// The journal of a trace on a file system that cannot allocate space for a file: it is in another
// directory, or missing, and both are reported once.
#include "fault_injection.hpp"
#include "killed_process.hpp"
#include "recording.hpp"

#include <ftr/recorder.h>
#include <ftr/reader.h>
#include <ftr/recovery.h>

#include <gtest/gtest.h>

#include <sched.h>
#include <sys/mount.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace
{
constexpr std::uint64_t transactions = 2000;

std::vector<std::string> files_in(const std::string &directory)
{
    std::vector<std::string> found;
    for (const auto &entry : std::filesystem::directory_iterator(directory))
        found.push_back(entry.path().string());
    return found;
}

std::size_t files_with(const std::string &directory, const std::string &text)
{
    std::size_t count = 0;
    for (const std::string &path : files_in(directory))
        count += path.find(text) != std::string::npos;
    return count;
}

class JournalPlace : public testing::Test
{
  protected:
    void SetUp() override
    {
        const std::string directory = local.path();
        setenv("TMPDIR", directory.substr(0, directory.find_last_not_of('/') + 1).c_str(), 1);
        fault::allocate_no_space_in(slow.path(""));
        trace = slow.path("place_test.ftr");
    }

    void TearDown() override
    {
        fault::allocate_no_space_in("");
        unsetenv("TMPDIR");
    }

    ftr_recorder *open(int time_scale = 0)
    {
        ftr_recorder_options options = {};
        options.threads = 1;
        options.time_scale = time_scale;
        options.report = report_list::report;
        options.report_user = &reports;
        ftr_recorder *rec = nullptr;
        EXPECT_EQ(ftr_recorder_open(trace.c_str(), &options, &rec), FTR_OK);
        return rec;
    }

    static void record(ftr_recorder *rec)
    {
        ftr_stream stream = 0;
        ftr_generator generator = 0;
        ASSERT_EQ(ftr_stream_define(rec, "top", nullptr, &stream), FTR_OK);
        ASSERT_EQ(ftr_generator_define(rec, stream, "g", nullptr, 0, &generator), FTR_OK);
        for (std::uint64_t i = 0; i < transactions; ++i)
            ASSERT_EQ(ftr_tx_record(rec, generator, i, i + 1, nullptr, 0, nullptr), FTR_OK);
    }

    // Records in a process that is killed, so that its journal stays.
    void record_and_kill()
    {
        killed_process([this] { record(open()); });
    }

    scratch_directory slow;
    scratch_directory local;
    std::string trace;
    report_list reports;
};

TEST_F(JournalPlace, IsTheTemporaryDirectoryIfNoSpaceCanBeAllocated)
{
    ftr_recorder *rec = open();
    EXPECT_EQ(files_with(slow.path(), ".journal"), 0u);
    EXPECT_EQ(files_with(local.path(), "place_test.ftr."), 1u);
    record(rec);
    EXPECT_EQ(ftr_recorder_close(rec), FTR_OK);
    EXPECT_EQ(files_with(local.path(), "place_test"), 0u) << "close removes the journal";
    EXPECT_EQ(reports.count("the file system cannot allocate space for " + trace + ".journal"), 1u);
    EXPECT_EQ(reports.count("the journal is " + local.path("place_test.ftr.")), 1u);
    EXPECT_EQ(reports.all().size(), 1u);
    EXPECT_EQ(summary_of(trace)["transactions"], transactions);
}

TEST_F(JournalPlace, IsSharedMemoryWithoutATemporaryDirectory)
{
    unsetenv("TMPDIR");
    ftr_recorder *rec = open();
    EXPECT_EQ(reports.count("the journal is /dev/shm/place_test.ftr."), 1u);
    record(rec);
    EXPECT_EQ(ftr_recorder_close(rec), FTR_OK);
    EXPECT_EQ(files_with("/dev/shm", "place_test.ftr."), 0u);
}

TEST_F(JournalPlace, IsNoneIfNoDirectoryCanAllocate)
{
    fault::allocate_no_space_in("/");
    ftr_recorder *rec = open();
    record(rec);
    EXPECT_EQ(ftr_recorder_close(rec), FTR_OK);
    EXPECT_EQ(reports.count("no journal at " + trace + ".journal: its file system cannot allocate"),
              1u);
    EXPECT_EQ(reports.all().size(), 1u);
    EXPECT_EQ(files_with(slow.path(), ".journal"), 0u);
    EXPECT_EQ(files_with(local.path(), "place_test"), 0u);
    EXPECT_EQ(summary_of(trace)["transactions"], transactions);
}

// Without a journal, nobody knows how many transactions a killed process had recorded.
TEST_F(JournalPlace, IsNoneSoTheRepairedFileStatesALoss)
{
    fault::allocate_no_space_in("/");
    killed_process([this] {
        ftr_recorder *rec = open();
        record(rec);
        EXPECT_EQ(ftr_recorder_flush(rec), FTR_OK);
        record(rec);
    });
    const std::string out = local.path("sound.ftr");
    ftr_repair report = {};
    ASSERT_EQ(ftr_file_repair(trace.c_str(), out.c_str(), nullptr, nullptr, &report), FTR_OK);
    EXPECT_TRUE(report.was_open);
    const decoded_file file = decode(out);
    std::vector<decoded_transaction> lost;
    for (const decoded_transaction &tx : file.transactions)
        if (tx.stream == "ftr.losses")
            lost.push_back(tx);
    EXPECT_GE(file.transactions.size() - lost.size(), transactions);
    ASSERT_EQ(lost.size(), 1u);
    EXPECT_NE(lost[0].value("what").get<std::string>().find(FTR_NOT_RECOVERED), std::string::npos);
    EXPECT_EQ(lost[0].attributes.size(), 1u) << "there is no count";
}

TEST_F(JournalPlace, IsFoundByRecovery)
{
    record_and_kill();
    ASSERT_EQ(files_with(local.path(), "place_test.ftr."), 1u);
    char journal[4096];
    ASSERT_EQ(ftr_recovery_find(trace.c_str(), nullptr, journal, sizeof journal), FTR_OK);
    EXPECT_EQ(std::string(journal).rfind(local.path("place_test.ftr."), 0), 0u) << journal;
    ftr_recovery found = {};
    const std::string out = local.path("sound.ftr");
    ASSERT_EQ(ftr_recovery_run(journal, trace.c_str(), out.c_str(), &found), FTR_OK)
        << found.message;
    EXPECT_EQ(summary_of(out)["transactions"], transactions);
}

TEST_F(JournalPlace, IsFoundByTheNextRun)
{
    record_and_kill();
    EXPECT_EQ(ftr_recorder_close(open()), FTR_OK);
    EXPECT_EQ(reports.count("recovered to " + slow.path("place_test-")), 1u);
    EXPECT_EQ(files_with(local.path(), "place_test"), 0u);
}

TEST_F(JournalPlace, IsFoundByTheNextRunWithAnotherJournalDirectory)
{
    record_and_kill();
    scratch_directory other;
    ftr_recorder_options options = {};
    const std::string directory = other.path("");
    options.journal_directory = directory.c_str();
    options.report = report_list::report;
    options.report_user = &reports;
    ftr_recorder *rec = nullptr;
    ASSERT_EQ(ftr_recorder_open(trace.c_str(), &options, &rec), FTR_OK);
    EXPECT_EQ(ftr_recorder_close(rec), FTR_OK);
    EXPECT_EQ(reports.count("recovered to " + slow.path("place_test-")), 1u);
}

// A file system that has no fallocate(), instead of a double.
TEST_F(JournalPlace, IsElsewhereForATraceOnRamfs)
{
    fault::allocate_no_space_in("");
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("ramfs", slow.path("").c_str(), "ramfs", 0, nullptr) != 0)
        GTEST_SKIP() << "no right to mount a file system";
    record_and_kill();
    EXPECT_EQ(files_with(slow.path(), ".journal"), 0u);
    EXPECT_EQ(ftr_recorder_close(open()), FTR_OK);
    EXPECT_EQ(reports.count("recovered to " + slow.path("place_test-")), 1u);
    umount(slow.path("").c_str());
}

TEST_F(JournalPlace, HasNoDirtyPagesWhenUnmapped)
{
    fault::allocate_no_space_in("");
    ftr_recorder *rec = open(FTR_TIME_SCALE_LATER); // nothing is written, so all blocks stay in use
    for (int i = 0; i < 30; ++i)
        record(rec);
    const std::string link = slow.path("link");
    std::filesystem::create_hard_link(trace + ".journal", link);
    EXPECT_GT(std::filesystem::file_size(link), 1u << 20);
    EXPECT_EQ(ftr_recorder_close(rec), FTR_OK);
    EXPECT_EQ(std::filesystem::file_size(link), 0u);
}

} // namespace
