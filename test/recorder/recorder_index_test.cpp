// The index that a recorder writes beside its trace: an independent decoder compares it with the
// trace. The recorder removes an index together with its trace, and never fails because of an
// index.
#include "recording.hpp"
#include "rotated_files.hpp"

#include <ftr/reader.h>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <random>
#include <thread>

namespace
{

class RecordedIndex : public testing::Test
{
  protected:
    RecordedIndex()
    {
        options_.index = FTR_WRITE_INDEX_ALWAYS;
        options_.report = report_list::report;
        options_.report_user = &reports_;
    }
    std::string path() const { return directory_.path("run.ftr"); }
    std::string index_path(const std::string &of) const { return of + ".idx"; }
    bool has_index() const { return std::filesystem::exists(index_path(path())); }

    ftr_recorder *open()
    {
        ftr_recorder *recorder = nullptr;
        EXPECT_EQ(ftr_recorder_open(path().c_str(), &options_, &recorder), FTR_OK);
        return recorder;
    }

    // Records transactions of several streams with random lifetimes, texts and relations. One
    // transaction is open during all others, and is the parent of some of them.
    static void record(ftr_recorder *recorder, unsigned seed, unsigned count, unsigned streams)
    {
        std::mt19937_64 random(seed);
        std::vector<ftr_generator> generators(streams);
        std::vector<ftr_tx> open;
        const ftr_attribute text = {"text", FTR_TYPE_STRING, FTR_CLASS_BEGIN};
        for (unsigned s = 0; s < streams; ++s) {
            ftr_stream stream;
            const std::string name = "top.s" + std::to_string(seed) + "_" + std::to_string(s);
            ASSERT_EQ(ftr_stream_define(recorder, name.c_str(), "k", &stream), FTR_OK);
            ASSERT_EQ(ftr_generator_define(recorder, stream, "g", &text, 1, &generators[s]),
                      FTR_OK);
        }
        ftr_relation child;
        ftr_tx root;
        ASSERT_EQ(ftr_relation_define(recorder, "child", &child), FTR_OK);
        ASSERT_EQ(ftr_tx_begin(recorder, generators[0], 0, &root), FTR_OK);
        for (unsigned n = 0; n < count; ++n) {
            ftr_tx tx;
            ASSERT_EQ(ftr_tx_begin(recorder, generators[random() % streams], n, &tx), FTR_OK);
            const std::string unique = std::to_string(random() % 5 == 0 ? random() : random() % 9);
            ASSERT_EQ(ftr_tx_put_text(recorder, tx, 0, unique.c_str(), FTR_NUL_TERMINATED), FTR_OK);
            if (random() % 3 == 0) {
                ASSERT_EQ(ftr_relation_put(recorder, child, random() % 2 == 0 ? root : tx, tx),
                          FTR_OK);
            }
            open.push_back(tx);
            while (random() % 40 != 0 && open.size() > random() % 4) {
                ASSERT_EQ(ftr_tx_end(recorder, open.back(), n + 1), FTR_OK);
                open.pop_back();
            }
        }
    }

    void expect_sound() const
    {
        EXPECT_EQ(index_findings({path()}), std::vector<std::string>{});
        EXPECT_EQ(findings(path(), "--allow end-order"), std::vector<std::string>{});
    }

    scratch_directory directory_;
    report_list reports_;
    ftr_recorder_options options_{};
};

TEST_F(RecordedIndex, DescribesTheTrace)
{
    for (const ftr_compression compression :
         {FTR_COMPRESSION_LZ4, FTR_COMPRESSION_LZ4HC, FTR_COMPRESSION_NONE, FTR_COMPRESSION_META})
        for (const std::size_t chunk_size : {0, 100}) {
            SCOPED_TRACE(std::to_string(compression) + " " + std::to_string(chunk_size));
            options_.compression = compression;
            options_.chunk_size = chunk_size;
            options_.threads = chunk_size > 0 ? 1 : 0;
            ftr_recorder *recorder = open();
            record(recorder, 1, 1000, 5);
            EXPECT_EQ(ftr_recorder_close(recorder), FTR_OK);
            expect_sound();
        }
}

TEST_F(RecordedIndex, OfAnEmptyTraceIsThere)
{
    EXPECT_EQ(ftr_recorder_close(open()), FTR_OK);
    expect_sound();
}

TEST_F(RecordedIndex, DescribesTheTransactionsOfSeveralThreads)
{
    options_.threads = 1;
    options_.chunk_size = 500;
    ftr_recorder *recorder = open();
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 4; ++i)
        threads.emplace_back([recorder, i] { record(recorder, i, 4000, 3); });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(ftr_recorder_close(recorder), FTR_OK);
    expect_sound();
}

// With one transaction in each chunk, the index has several sections, which do not fit into memory.
TEST_F(RecordedIndex, OfManyChunksIsCompleted)
{
    options_.chunk_size = 1;
    ftr_recorder *recorder = open();
    record(recorder, 7, 45000, 50);
    EXPECT_LE(std::filesystem::file_size(path()), 8u << 20);
    EXPECT_EQ(ftr_recorder_close(recorder), FTR_OK);
    EXPECT_GT(std::filesystem::file_size(index_path(path())), 600000u);
    expect_sound();
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory_.path()), {}), 2);
}

TEST_F(RecordedIndex, DescribesTheLosses)
{
    options_.max_size = 100000;
    ftr_recorder *recorder = open();
    record(recorder, 2, 20000, 5);
    EXPECT_EQ(ftr_recorder_close(recorder), FTR_OK);
    EXPECT_GT(reports_.count("file"), 0u);
    EXPECT_EQ(decode(path()).stream_names().back(), "ftr.losses");
    expect_sound();
}

TEST_F(RecordedIndex, IsBesideEachKeptFile)
{
    options_.max_size = 65536;
    options_.max_files = 3;
    ftr_recorder *recorder = open();
    record(recorder, 3, 60000, 5);
    EXPECT_EQ(ftr_recorder_close(recorder), FTR_OK);
    std::vector<std::string> kept;
    for (unsigned number = 1; number < 100; ++number) {
        const std::string file = file_of(directory_.path("run"), number);
        EXPECT_EQ(std::filesystem::exists(file), std::filesystem::exists(index_path(file))) << file;
        if (std::filesystem::exists(file))
            kept.push_back(file);
    }
    EXPECT_EQ(kept.size(), 3u);
    EXPECT_EQ(index_findings(kept), std::vector<std::string>{});
}

TEST_F(RecordedIndex, IsWrittenForLargeTracesOnly)
{
    options_.index = FTR_WRITE_INDEX_LARGE;
    options_.compression = FTR_COMPRESSION_NONE;
    const ftr_attribute number = {"number", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN};
    for (const unsigned count : {400000u, 1400000u}) {
        ftr_recorder *recorder = open();
        ftr_stream stream;
        ftr_generator generator;
        ASSERT_EQ(ftr_stream_define(recorder, "s", "k", &stream), FTR_OK);
        ASSERT_EQ(ftr_generator_define(recorder, stream, "g", &number, 1, &generator), FTR_OK);
        for (std::uint64_t n = 0; n < count; ++n) {
            const ftr_value value = number_value(FTR_TYPE_UNSIGNED, n << 40);
            ASSERT_EQ(ftr_tx_record(recorder, generator, n, n + 1, &value, 1, nullptr), FTR_OK);
        }
        EXPECT_EQ(ftr_recorder_close(recorder), FTR_OK);
        EXPECT_EQ(has_index(), std::filesystem::file_size(path()) >= 32u << 20) << count;
        EXPECT_EQ(has_index(), count > 1000000);
    }
    ftr_reader *reader;
    ASSERT_EQ(ftr_reader_open(path().c_str(), nullptr, &reader), FTR_OK);
    EXPECT_EQ(ftr_reader_get_index_state(reader), FTR_INDEX_USED);
    ftr_reader_close(reader);
}

TEST_F(RecordedIndex, IsNotWrittenIfItIsSwitchedOff)
{
    options_.index = FTR_WRITE_INDEX_NEVER;
    ftr_recorder *recorder = open();
    record(recorder, 1, 1000, 5);
    EXPECT_EQ(ftr_recorder_close(recorder), FTR_OK);
    EXPECT_FALSE(has_index());
    options_.index = static_cast<ftr_write_index>(3);
    EXPECT_EQ(ftr_recorder_open(path().c_str(), &options_, &recorder), FTR_ERR_ARGUMENT);
}

TEST_F(RecordedIndex, IsRemovedWithTheTraceBeforeIt)
{
    for (const auto how : {FTR_WRITE_INDEX_ALWAYS, FTR_WRITE_INDEX_LARGE, FTR_WRITE_INDEX_NEVER}) {
        options_.index = FTR_WRITE_INDEX_ALWAYS;
        EXPECT_EQ(ftr_recorder_close(open()), FTR_OK);
        EXPECT_TRUE(has_index());
        options_.index = how;
        ftr_recorder *recorder = open();
        EXPECT_FALSE(has_index());
        EXPECT_EQ(ftr_recorder_close(recorder), FTR_OK);
        EXPECT_EQ(has_index(), how == FTR_WRITE_INDEX_ALWAYS);
    }
    EXPECT_TRUE(reports_.all().empty());
}

TEST_F(RecordedIndex, IsRemovedWithTheFilesOfAnEarlierRun)
{
    options_.max_size = 65536;
    options_.max_files = 100;
    ftr_recorder *recorder = open();
    record(recorder, 3, 20000, 5);
    EXPECT_EQ(ftr_recorder_close(recorder), FTR_OK);
    const std::string second = file_of(directory_.path("run"), 2);
    EXPECT_TRUE(std::filesystem::exists(index_path(second)));
    EXPECT_EQ(ftr_recorder_close(open()), FTR_OK);
    EXPECT_FALSE(std::filesystem::exists(second));
    EXPECT_FALSE(std::filesystem::exists(index_path(second)));
    expect_sound();
}

TEST_F(RecordedIndex, IsRemovedWithTheTraceOfASuccessfulRun)
{
    options_.keep = FTR_KEEP_ON_ERROR;
    for (const std::uint32_t files : {0, 2, 100}) {
        options_.max_files = files;
        options_.max_size = files > 0 ? 65536 : 0;
        ftr_recorder *recorder = open();
        record(recorder, 3, 20000, 5);
        EXPECT_EQ(ftr_recorder_close(recorder), FTR_OK);
        EXPECT_TRUE(std::filesystem::is_empty(directory_.path()));
    }
}

TEST_F(RecordedIndex, DoesNotReplaceAnotherFile)
{
    write_contents(index_path(path()), "notes");
    for (int run = 0; run < 2; ++run) {
        EXPECT_EQ(ftr_recorder_close(open()), FTR_OK);
        EXPECT_EQ(contents_of(index_path(path())), "notes");
    }
    std::filesystem::remove(index_path(path()));
    std::filesystem::create_directory(index_path(path()));
    EXPECT_EQ(ftr_recorder_close(open()), FTR_OK);
    EXPECT_EQ(findings(path()), std::vector<std::string>{});
    EXPECT_TRUE(reports_.all().empty());
}

TEST_F(RecordedIndex, IsNotWrittenForATraceThatWasRenamed)
{
    ftr_recorder *recorder = open();
    record(recorder, 1, 100, 2);
    EXPECT_EQ(ftr_recorder_flush(recorder), FTR_OK);
    std::filesystem::rename(path(), directory_.path("moved.ftr"));
    EXPECT_EQ(ftr_recorder_close(recorder), FTR_OK);
    EXPECT_FALSE(has_index());
}

TEST_F(RecordedIndex, IsNotWrittenAfterAFailure)
{
    const rlim_t limit = 60000;
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    options_.journal_directory = "none";
    ftr_recorder *recorder = open();
    const rlimit low{limit, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &low), 0);
    record(recorder, 1, 100, 2);
    EXPECT_EQ(ftr_recorder_flush(recorder), FTR_OK);
    ftr_stream stream;
    ftr_generator generator;
    const ftr_attribute text = {"text", FTR_TYPE_STRING, FTR_CLASS_BEGIN};
    std::string random(100000, 'x');
    std::mt19937 numbers(1);
    for (char &letter : random)
        letter = static_cast<char>('!' + numbers() % 90);
    EXPECT_EQ(ftr_stream_define(recorder, "long", "k", &stream), FTR_OK);
    EXPECT_EQ(ftr_generator_define(recorder, stream, "g", &text, 1, &generator), FTR_OK);
    const ftr_value value = text_value(FTR_TYPE_STRING, random.c_str());
    (void)ftr_tx_record(recorder, generator, 0, 1, &value, 1, nullptr);
    EXPECT_NE(ftr_recorder_close(recorder), FTR_OK);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_FALSE(has_index());
}

// Programs that become daemons close all descriptors. Their numbers may then belong to other files.
TEST_F(RecordedIndex, IsNotWrittenToAFileWithTheNumberOfItsDescriptor)
{
    options_.chunk_size = 1;
    options_.threads = 0;
    options_.journal_directory = "none";
    const pid_t child = fork();
    if (child == 0) {
        ftr_recorder *recorder = open();
        record(recorder, 7, 30000, 50);
        (void)ftr_recorder_flush(recorder);
        for (int fd = 3; fd < 40; ++fd)
            ::close(fd);
        for (int fd = 3; fd < 40; ++fd)
            if (::open(directory_.path("other").c_str(), O_RDWR | O_CREAT | O_APPEND, 0600) < 0)
                _exit(3);
        record(recorder, 8, 15000, 50);
        _exit(ftr_recorder_close(recorder) == FTR_OK ? 0 : 2);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(std::filesystem::file_size(directory_.path("other")), 0u);
    EXPECT_FALSE(has_index());
    EXPECT_EQ(findings(path(), "--allow end-order"), std::vector<std::string>{});
}

TEST_F(RecordedIndex, IsNotLeftByAKilledRun)
{
    options_.chunk_size = 1;
    const pid_t child = fork();
    if (child == 0) {
        ftr_recorder *recorder = open();
        record(recorder, 7, 45000, 50);
        (void)ftr_recorder_flush(recorder);
        raise(SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    for (const auto &entry : std::filesystem::directory_iterator(directory_.path()))
        EXPECT_NE(entry.path().extension(), ".idx");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory_.path()), {}), 2);
}

// The index of a complete earlier file of a killed run gets the new name of this run.
TEST_F(RecordedIndex, IsRenamedWithTheFilesOfAKilledRun)
{
    options_.max_size = 65536;
    options_.max_files = 100;
    const pid_t child = fork();
    if (child == 0) {
        record(open(), 3, 20000, 5);
        raise(SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(has_index());
    options_.max_files = 0;
    options_.max_size = 0;
    options_.index = FTR_WRITE_INDEX_NEVER;
    EXPECT_EQ(ftr_recorder_close(open()), FTR_OK);
    EXPECT_FALSE(has_index());
    const std::string moved = directory_.path("run-" + std::to_string(child));
    ASSERT_TRUE(std::filesystem::exists(moved + ".ftr"));
    EXPECT_EQ(index_findings({moved + ".ftr", file_of(moved, 2)}), std::vector<std::string>{});
}

} // namespace
