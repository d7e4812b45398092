// Traces, journals and folders that another program deletes or renames during the recording: the
// recorder reports lost data, with the path, and reports nothing else.
#include "recording.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace
{
namespace fs = std::filesystem;

const std::string deleted = "was deleted during the recording";

class DeletedFiles : public testing::TestWithParam<int>
{
  protected:
    DeletedFiles() { fs::create_directory(folder_); }

    void open(ftr_recorder_options options = {}, const std::string &path = "")
    {
        const ftr_attribute text = {"text", FTR_TYPE_STRING, FTR_CLASS_RECORD};
        ftr_stream stream;
        options.threads = GetParam();
        options.report = report_list::report;
        options.report_user = &reports_;
        ASSERT_EQ(ftr_recorder_open(path.empty() ? trace_.c_str() : path.c_str(), &options, &rec_),
                  FTR_OK);
        ASSERT_EQ(ftr_stream_define(rec_, "top", nullptr, &stream), FTR_OK);
        ASSERT_EQ(ftr_generator_define(rec_, stream, "g", &text, 1, &generator_), FTR_OK);
    }

    // Records @p count transactions, and returns after they are written.
    ftr_status record(int count)
    {
        const ftr_value value = text_value(FTR_TYPE_STRING, "a text");
        for (int i = 0; i < count; ++i) {
            const ftr_status status =
                ftr_tx_record(rec_, generator_, time_, time_, &value, 1, nullptr);
            ++time_;
            if (status != FTR_OK)
                return status;
        }
        return ftr_recorder_flush(rec_);
    }

    ftr_status close() { return ftr_recorder_close(rec_); }

    scratch_directory directory_;
    const std::string folder_ = directory_.path("night");
    const std::string trace_ = folder_ + "/run.ftr";
    report_list reports_;
    ftr_recorder *rec_ = nullptr;
    ftr_generator generator_ = 0;
    std::uint64_t time_ = 0;
};

TEST_P(DeletedFiles, FolderIsReportedAtTheNextWrite)
{
    open();
    ASSERT_EQ(record(100), FTR_OK);
    fs::remove_all(folder_);
    EXPECT_EQ(record(100), FTR_ERR_IO);
    EXPECT_EQ(reports_.count(trace_ + ": the file or its folder " + deleted), 1u);
    EXPECT_EQ(close(), FTR_ERR_IO);
    EXPECT_EQ(reports_.count(trace_ + ".journal: the journal " + deleted), 1u);
    EXPECT_EQ(reports_.count("'ftr recover' recovers it"), 0u); // the journal is deleted, too
    EXPECT_FALSE(fs::exists(folder_));
}

TEST_P(DeletedFiles, FolderIsReportedAtTheEnd)
{
    open();
    ASSERT_EQ(record(100), FTR_OK);
    fs::remove_all(folder_);
    EXPECT_EQ(close(), FTR_ERR_IO);
    EXPECT_EQ(reports_.count(trace_ + ": the file or its folder " + deleted), 1u);
}

TEST_P(DeletedFiles, TraceIsReportedAndTheJournalKeepsTheRest)
{
    open();
    ASSERT_EQ(record(100), FTR_OK);
    fs::remove(trace_);
    EXPECT_EQ(record(100), FTR_ERR_IO);
    EXPECT_EQ(close(), FTR_ERR_IO);
    EXPECT_EQ(reports_.count(trace_ + ": the file or its folder " + deleted), 1u);
    EXPECT_EQ(reports_.count("'ftr recover' recovers it"), 1u);
    EXPECT_TRUE(fs::exists(trace_ + ".journal"));
}

TEST_P(DeletedFiles, NextFileCannotBeOpenedInADeletedFolder)
{
    ftr_recorder_options options{};
    options.max_size = 64 << 10;
    options.max_files = 3;
    open(options);
    ASSERT_EQ(record(10), FTR_OK);
    fs::remove_all(folder_);
    while (record(1000) == FTR_OK)
        ASSERT_LT(time_, 1000000u);
    EXPECT_EQ(close(), FTR_ERR_IO);
    EXPECT_GE(reports_.count(folder_), 1u);
}

TEST_P(DeletedFiles, SummaryIsWrittenToANewFolder)
{
    const std::string summary = folder_ + "/run.fts";
    ftr_recorder_options options{};
    options.summary = summary.c_str();
    open(options, directory_.path("run.ftr"));
    ASSERT_EQ(record(100), FTR_OK);
    fs::remove_all(folder_);
    EXPECT_EQ(close(), FTR_OK);
    EXPECT_TRUE(fs::exists(summary));
    EXPECT_EQ(reports_.count("deleted"), 0u);
}

TEST_P(DeletedFiles, JournalIsReportedAlthoughNothingIsLost)
{
    open();
    ASSERT_EQ(record(100), FTR_OK);
    fs::remove(trace_ + ".journal");
    EXPECT_EQ(record(100), FTR_OK);
    EXPECT_EQ(close(), FTR_OK);
    EXPECT_EQ(reports_.count(trace_ + ".journal: the journal " + deleted), 1u);
    EXPECT_EQ(decode(trace_).transactions.size(), 200u);
}

TEST_P(DeletedFiles, RenamedTraceIsCompleteAndReported)
{
    open();
    ASSERT_EQ(record(100), FTR_OK);
    fs::rename(folder_, directory_.path("saved"));
    EXPECT_EQ(record(100), FTR_OK);
    EXPECT_EQ(close(), FTR_OK);
    EXPECT_EQ(reports_.count(trace_ + ": the file was renamed during the recording"), 1u);
    EXPECT_EQ(decode(directory_.path("saved/run.ftr")).transactions.size(), 200u);
}

TEST_P(DeletedFiles, NothingIsReportedOfFilesThatStay)
{
    open();
    ASSERT_EQ(record(100), FTR_OK);
    EXPECT_EQ(close(), FTR_OK);
    EXPECT_TRUE(reports_.all().empty());
}

// A memfd has never had a name.
TEST_P(DeletedFiles, NothingIsReportedOfADescriptorWithoutAName)
{
    const int fd = memfd_create("trace", 0);
    ASSERT_GE(fd, 0);
    open({}, "/dev/fd/" + std::to_string(fd));
    EXPECT_EQ(record(100), FTR_OK);
    EXPECT_EQ(close(), FTR_OK);
    EXPECT_TRUE(reports_.all().empty());
    EXPECT_GT(lseek(fd, 0, SEEK_END), 100);
    ::close(fd);
}

INSTANTIATE_TEST_SUITE_P(Threads, DeletedFiles, testing::Values(0, 1));

} // namespace
