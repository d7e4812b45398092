// Structs of options with another size than the library's: the library reads no byte beyond the
// size that is set. Each struct ends at the end of mapped memory.
#include <ftr/buffer.h>
#include <ftr/reader.h>

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

TEST(StructSizes, RecorderOptionsAreNotReadBeyondTheirSize)
{
    scratch_directory directory;
    const std::string path = directory.path("run.ftr");
    cut_struct<ftr_recorder_options> options(offsetof(ftr_recorder_options, max_size));
    for (const std::size_t size : {options.size(), offsetof(ftr_recorder_options, threads)}) {
        options->size = size;
        options->time_scale = -9;
        options->chunk_size = size < options.size() ? SIZE_MAX : 4096; // beyond the size: not read
        ftr_recorder *rec = nullptr;
        ASSERT_EQ(ftr_recorder_open(path.c_str(), options.get(), &rec), FTR_OK);
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
    ASSERT_EQ(ftr_recorder_open(directory.path("run.ftr").c_str(), &later.options, &rec), FTR_OK);
    EXPECT_EQ(ftr_recorder_close(rec), FTR_OK);
}

TEST(StructSizes, BufferOptionsAreNotReadBeyondTheirSize)
{
    recording run;
    cut_struct<ftr_buffer_options> options(offsetof(ftr_buffer_options, path));
    options->size = options.size();
    options->name = "irq";
    ftr_buffer buffer = 0;
    ASSERT_EQ(ftr_buffer_define(run, options.get(), &buffer), FTR_OK);
    EXPECT_NE(buffer, 0U);
}

TEST(StructSizes, ReaderOptionsAndQueriesAreNotReadBeyondTheirSize)
{
    recording run;
    const ftr_generator read = run.generator(run.stream("bus"), "read");
    for (std::uint64_t time = 0; time < 4; time++) {
        ftr_tx tx{};
        EXPECT_EQ(ftr_tx_record(run, read, time, time + 1, nullptr, 0, &tx), FTR_OK);
    }
    EXPECT_EQ(run.close(), FTR_OK);
    cut_struct<ftr_reader_options> options(offsetof(ftr_reader_options, numbering));
    options->size = options.size();
    ftr_reader *reader = nullptr;
    ASSERT_EQ(ftr_reader_open(run.path().c_str(), options.get(), &reader), FTR_OK);
    cut_struct<ftr_query> query(offsetof(ftr_query, by_id));
    query->size = query.size();
    query->windowed = true;
    query->from = query->to = 2;
    ftr_cursor *cursor = nullptr;
    ASSERT_EQ(ftr_cursor_open(reader, query.get(), &cursor), FTR_OK);
    ftr_transaction tx;
    ASSERT_EQ(ftr_cursor_next(cursor, &tx), FTR_OK);
    EXPECT_EQ(tx.begin, 1U);
    ASSERT_EQ(ftr_cursor_next(cursor, &tx), FTR_OK);
    EXPECT_EQ(tx.begin, 2U);
    ftr_cursor_close(cursor);
    ftr_reader_close(reader);
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
    EXPECT_EQ(ftr_recorder_open_layout(path.c_str(), &options, FTR_RECORDER_LAYOUT + 1, &rec),
              FTR_ERR_LAYOUT);
    EXPECT_EQ(rec, nullptr);
    EXPECT_EQ(reports.all().size(), 1U);
    EXPECT_EQ(reports.count("compile the program again"), 1U);
    EXPECT_NE(access(path.c_str(), F_OK), 0);
}
} // namespace
