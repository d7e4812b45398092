// Structs of programs that were compiled with a shorter or longer version of them: the library
// accesses no byte beyond. Each struct ends at the end of mapped memory.
#include <ftr/buffer.h>
#include <ftr/environment.h>
#include <ftr/reader.h>
#include <ftr/recovery.h>

#include "recording.hpp"

#include <gtest/gtest.h>

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace
{
// A struct T with only its first bytes in mapped memory.
template <class T> class cut_struct
{
  public:
    explicit cut_struct(std::size_t size) : size_(size)
    {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        length_ = (sizeof(T) / page + 2) * page;
        memory_ = static_cast<char *>(
            mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        if (mprotect(memory_ + length_ - page, page, PROT_NONE) != 0)
            std::abort();
        end_ = memory_ + length_ - page;
    }
    ~cut_struct() { munmap(memory_, length_); }
    cut_struct(const cut_struct &) = delete;
    cut_struct &operator=(const cut_struct &) = delete;

    T *get() { return reinterpret_cast<T *>(end_ - size_); }
    T *operator->() { return get(); }
    std::size_t size() const { return size_; }

  private:
    std::size_t size_;
    std::size_t length_;
    char *memory_;
    char *end_;
};

TEST(StructSizes, RecorderOptionsAreNotReadBeyondTheCallersStruct)
{
    scratch_directory directory;
    const std::string path = directory.path("run.ftr");
    for (const std::size_t given : {std::size_t{0}, offsetof(ftr_recorder_options, threads)}) {
        cut_struct<ftr_recorder_options> options(offsetof(ftr_recorder_options, max_size));
        options->size = given;
        options->time_scale = -9;
        options->chunk_size = given ? SIZE_MAX : 4096; // beyond the size: not read
        ftr_recorder *rec = nullptr;
        ASSERT_EQ(ftr_recorder_open_sized(path.c_str(), options.get(), options.size(),
                                          FTR_RECORDER_LAYOUT, &rec),
                  FTR_OK);
        EXPECT_EQ(ftr_recorder_close(rec), FTR_OK);
    }
}

// The handle is never freed; <ftr/recorder.h> states its maximum size.
TEST(StructSizes, ClosedRecorderKeepsLessThan32KiB)
{
    scratch_directory directory;
    ftr_recorder *rec = nullptr;
    ASSERT_EQ(ftr_recorder_open(directory.path("run.ftr").c_str(), nullptr, &rec), FTR_OK);
    EXPECT_EQ(ftr_recorder_close(rec), FTR_OK);
    EXPECT_LT(malloc_usable_size(rec), std::size_t{32} << 10);
}

TEST(StructSizes, OptionsBeyondTheLibrarysStructAreIgnored)
{
    scratch_directory directory;
    struct later {
        ftr_recorder_options options;
        std::uint64_t new_option;
    } later{};
    later.options.size = sizeof later;
    later.new_option = UINT64_MAX;
    ftr_recorder *rec = nullptr;
    ASSERT_EQ(ftr_recorder_open_sized(directory.path("run.ftr").c_str(), &later.options,
                                      sizeof later, FTR_RECORDER_LAYOUT, &rec),
              FTR_OK);
    EXPECT_EQ(ftr_recorder_close(rec), FTR_OK);
}

TEST(StructSizes, BufferOptionsAreNotReadBeyondTheCallersStruct)
{
    recording run;
    cut_struct<ftr_buffer_options> options(offsetof(ftr_buffer_options, path));
    options->name = "irq";
    ftr_buffer buffer = 0;
    ASSERT_EQ(ftr_buffer_define_sized(run, options.get(), options.size(), &buffer), FTR_OK);
    EXPECT_NE(buffer, 0U);
}

TEST(StructSizes, StatisticsAndFailureAreNotWrittenBeyondTheCallersStruct)
{
    recording run;
    cut_struct<ftr_statistics> statistics(offsetof(ftr_statistics, strings));
    ASSERT_EQ(ftr_recorder_get_statistics_sized(run, statistics.get(), statistics.size()), FTR_OK);
    cut_struct<ftr_failure> failure(offsetof(ftr_failure, message));
    failure->status = FTR_ERR_IO;
    ASSERT_EQ(ftr_recorder_get_failure_sized(run, failure.get(), failure.size()), FTR_OK);
    EXPECT_EQ(failure->status, FTR_OK);
}

TEST(StructSizes, MembersThatTheLibraryDoesNotHaveAreZero)
{
    recording run;
    struct {
        ftr_statistics statistics;
        std::uint64_t new_member;
    } later;
    std::memset(&later, 0xff, sizeof later);
    ASSERT_EQ(ftr_recorder_get_statistics_sized(run, &later.statistics, sizeof later), FTR_OK);
    EXPECT_EQ(later.new_member, 0U);
    EXPECT_EQ(later.statistics.transactions, 0U);
}

TEST(StructSizes, EnvironmentAndRecoveryAreNotWrittenBeyondTheCallersStruct)
{
    cut_struct<ftr_environment> environment(offsetof(ftr_environment, strict));
    ASSERT_EQ(ftr_environment_read_sized(environment.get(), environment.size(), nullptr, nullptr),
              FTR_OK);
    EXPECT_EQ(environment->options.threads, 1);
    cut_struct<ftr_recovery> recovery(offsetof(ftr_recovery, message));
    EXPECT_EQ(ftr_recovery_run_sized("/nonexistent", nullptr, "/nonexistent", recovery.get(),
                                     recovery.size()),
              FTR_ERR_IO);
}

class ReaderStructSizes : public testing::Test
{
  protected:
    ReaderStructSizes()
    {
        recording run;
        const ftr_generator read = run.generator(run.stream("bus"), "read",
                                                 {{"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN}});
        ftr_relation next = 0;
        EXPECT_EQ(ftr_relation_define(run, "NEXT", &next), FTR_OK);
        ftr_tx last{};
        for (std::uint64_t time = 0; time < 4; time++) {
            const ftr_value value = number_value(FTR_TYPE_UNSIGNED, time);
            ftr_tx tx{};
            EXPECT_EQ(ftr_tx_record(run, read, time, time + 1, &value, 1, &tx), FTR_OK);
            if (time > 0) {
                EXPECT_EQ(ftr_relation_put(run, next, last, tx), FTR_OK);
            }
            last = tx;
        }
        EXPECT_EQ(run.close(), FTR_OK);
        bytes_ = contents_of(run.path());
        cut_struct<ftr_reader_options> options(offsetof(ftr_reader_options, numbering));
        EXPECT_EQ(ftr_reader_open_memory_sized(bytes_.data(), bytes_.size(), options.get(),
                                               options.size(), &reader_),
                  FTR_OK);
    }
    ~ReaderStructSizes() override { ftr_reader_close(reader_); }

    std::string bytes_;
    ftr_reader *reader_ = nullptr;
};

TEST_F(ReaderStructSizes, SummaryAndChunksAreNotWrittenBeyondTheCallersStruct)
{
    cut_struct<ftr_file_info> summary(offsetof(ftr_file_info, chunks));
    ftr_reader_get_info_sized(reader_, summary.get(), summary.size());
    EXPECT_EQ(summary->size, bytes_.size());
    cut_struct<ftr_chunk_info> chunk(offsetof(ftr_chunk_info, stream));
    ASSERT_TRUE(ftr_reader_get_chunk_sized(reader_, 0, chunk.get(), chunk.size()));
    EXPECT_GT(chunk->size, 0U);
}

TEST_F(ReaderStructSizes, QueriesTransactionsAndAttributesStayWithinTheCallersStruct)
{
    cut_struct<ftr_query> query(offsetof(ftr_query, by_id));
    query->windowed = true;
    query->from = query->to = 2;
    ftr_cursor *cursor = nullptr;
    ASSERT_EQ(ftr_cursor_open_sized(reader_, query.get(), query.size(), &cursor), FTR_OK);
    cut_struct<ftr_transaction> brief(offsetof(ftr_transaction, generator));
    ASSERT_EQ(ftr_cursor_next_sized(cursor, brief.get(), brief.size()), FTR_OK);
    EXPECT_EQ(brief->begin, 1U);
    ftr_transaction tx;
    ASSERT_EQ(ftr_cursor_next(cursor, &tx), FTR_OK);
    EXPECT_EQ(tx.begin, 2U);
    ASSERT_EQ(
        ftr_cursor_seek_sized(cursor, tx.chunk_offset, tx.chunk_within, brief.get(), brief.size()),
        FTR_OK);
    EXPECT_EQ(brief->begin, 2U);
    cut_struct<ftr_attribute_value> attribute(offsetof(ftr_attribute_value, name_id));
    ASSERT_TRUE(ftr_reader_next_attribute_sized(reader_, &tx, attribute.get(), attribute.size()));
    EXPECT_EQ(attribute->as.number, 2U);
    ftr_cursor_close(cursor);
}

TEST_F(ReaderStructSizes, RelationsStayWithinTheCallersStruct)
{
    ftr_relation_cursor *cursor = nullptr;
    ASSERT_EQ(ftr_relation_cursor_open(reader_, false, 0, &cursor), FTR_OK);
    cut_struct<ftr_relation_info> relation(offsetof(ftr_relation_info, has_streams));
    ASSERT_EQ(ftr_relation_cursor_next_sized(cursor, relation.get(), relation.size()), FTR_OK);
    EXPECT_NE(relation->to_tx, 0U);
    ftr_relation_cursor_close(cursor);
}

TEST_F(ReaderStructSizes, RepairStaysWithinTheCallersStruct)
{
    scratch_directory directory;
    write_contents(directory.path("run.ftr"), bytes_);
    cut_struct<ftr_repair> repair(offsetof(ftr_repair, bytes_in));
    ASSERT_EQ(ftr_file_repair_sized(directory.path("run.ftr").c_str(),
                                    directory.path("out.ftr").c_str(), nullptr, nullptr,
                                    repair.get(), repair.size()),
              FTR_OK);
    EXPECT_GT(repair->chunks_kept, 0U);
}

TEST(StructSizes, RecorderDoesNotOpenForAnotherLayout)
{
    scratch_directory directory;
    report_list reports;
    ftr_recorder_options options{};
    options.report = report_list::report;
    options.report_user = &reports;
    ftr_recorder *rec = nullptr;
    const std::string path = directory.path("run.ftr");
    EXPECT_EQ(ftr_recorder_open_sized(path.c_str(), &options, sizeof options,
                                      FTR_RECORDER_LAYOUT + 1, &rec),
              FTR_ERR_LAYOUT);
    EXPECT_EQ(rec, nullptr);
    EXPECT_EQ(reports.all().size(), 1U);
    EXPECT_EQ(reports.count("compile the program again"), 1U);
    EXPECT_NE(access(path.c_str(), F_OK), 0);
}
} // namespace
