// Open, time scale, flush, age, statistics and close.
#include "memory_sink.hpp"
#include "recording.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>

#include <chrono>
#include <ctime>
#include <thread>

namespace
{
std::size_t transactions_in(const std::string &path)
{
    return decode(path).transactions.size();
}

void record(ftr_recorder *recorder, ftr_generator generator, std::uint64_t count,
            std::uint64_t from = 0)
{
    for (std::uint64_t i = 0; i < count; ++i)
        ASSERT_EQ(ftr_tx_record(recorder, generator, from + i, from + i, nullptr, 0, nullptr),
                  FTR_OK);
}

// ---- open ---------------------------------------------------------------------------------------

class RecorderOpen : public testing::Test
{
  protected:
    ftr_status open(const char *path, const ftr_recorder_options *options)
    {
        ftr_recorder *const untouched = reinterpret_cast<ftr_recorder *>(&reports_);
        ftr_recorder *recorder = untouched;
        const ftr_status status = ftr_recorder_open(path, options, &recorder);
        if (status == FTR_OK) {
            EXPECT_EQ(ftr_recorder_close(recorder), FTR_OK);
        } else {
            EXPECT_EQ(recorder, untouched);
        }
        return status;
    }

    ftr_recorder_options options()
    {
        ftr_recorder_options options = {};
        options.report = report_list::report;
        options.report_user = &reports_;
        return options;
    }

    std::string path(const char *name = "run.ftr") const { return directory_.path(name); }

    report_list reports_;
    scratch_directory directory_;
};

TEST_F(RecorderOpen, WithoutOptionsUsesTheDefaults)
{
    const std::int64_t before = std::time(nullptr);
    ASSERT_EQ(open(path().c_str(), nullptr), FTR_OK);
    EXPECT_EQ(findings(path()), std::vector<std::string>{});
    const decoded_file file = decode(path());
    EXPECT_EQ(file.time_scale, -12);
    EXPECT_GE(file.epoch, before);
    EXPECT_LE(file.epoch, std::time(nullptr));
}

TEST_F(RecorderOpen, EmptyRecordingIsASoundFile)
{
    for (int threads : {0, 1}) {
        ftr_recorder_options with = options();
        with.threads = threads;
        ASSERT_EQ(open(path().c_str(), &with), FTR_OK);
        EXPECT_EQ(findings(path()), std::vector<std::string>{});
        EXPECT_EQ(summary_of(path()).at("chunks"), 1);
    }
    EXPECT_TRUE(reports_.all().empty());
}

TEST_F(RecorderOpen, ReplacesAnExistingFile)
{
    write_contents(path(), std::string(100000, 'x'));
    ASSERT_EQ(open(path().c_str(), nullptr), FTR_OK);
    EXPECT_EQ(findings(path()), std::vector<std::string>{});
}

TEST_F(RecorderOpen, WritesTheGivenEpoch)
{
    for (std::int64_t epoch : {std::int64_t(1), std::int64_t(-86400), std::int64_t(1) << 40}) {
        ftr_recorder_options with = options();
        with.epoch_seconds = epoch;
        ASSERT_EQ(open(path().c_str(), &with), FTR_OK);
        EXPECT_EQ(decode(path()).epoch, epoch);
    }
}

TEST_F(RecorderOpen, AcceptsTheOptionsOfAnOlderVersion)
{
    ftr_recorder_options with = options();
    with.time_scale = -9;
    with.start = "nonsense that an older version did not have";
    with.size = offsetof(ftr_recorder_options, compression);
    ASSERT_EQ(open(path().c_str(), &with), FTR_OK);
    EXPECT_EQ(decode(path()).time_scale, -9);
}

TEST_F(RecorderOpen, NamesTheInvalidOption)
{
    const memory_sink sink;
    const ftr_sink no_write = {nullptr, nullptr, nullptr};
    struct wrong_option {
        const char *message;
        void (*set)(ftr_recorder_options &options);
    };
    const wrong_option cases[] = {
        {"the time scale is not -15..0", [](ftr_recorder_options &o) { o.time_scale = -16; }},
        {"the time scale is not -15..0", [](ftr_recorder_options &o) { o.time_scale = 1; }},
        {"the number of writer threads is not 0 or 1",
         [](ftr_recorder_options &o) { o.threads = 2; }},
        {"the number of writer threads is not 0 or 1",
         [](ftr_recorder_options &o) { o.threads = -1; }},
        {"unknown compression or level",
         [](ftr_recorder_options &o) { o.compression = ftr_compression(4); }},
        {"unknown compression or level", [](ftr_recorder_options &o) { o.compression_level = 13; }},
        {"unknown compression or level", [](ftr_recorder_options &o) { o.compression_level = -1; }},
        {"an option has an unknown value",
         [](ftr_recorder_options &o) { o.floats = ftr_floats(3); }},
        {"an option has an unknown value",
         [](ftr_recorder_options &o) { o.numbering = ftr_numbering(2); }},
        {"an option has an unknown value",
         [](ftr_recorder_options &o) { o.when_full = ftr_when_full(2); }},
        {"the chunk size is more than 1 GiB",
         [](ftr_recorder_options &o) { o.chunk_size = (std::size_t(1) << 30) + 1; }},
        {"the block memory is more than 2 GiB",
         [](ftr_recorder_options &o) { o.block_memory = (std::size_t(2) << 30) + 1; }},
        {"start is not a time such as \"10 us\"", [](ftr_recorder_options &o) { o.start = "x"; }},
        {"stop is not a time such as \"10 us\"",
         [](ftr_recorder_options &o) { o.stop = "10 parsecs"; }},
    };
    std::size_t reported = 0;
    for (const wrong_option &one : cases) {
        ftr_recorder_options with = options();
        one.set(with);
        EXPECT_EQ(open(path().c_str(), &with), FTR_ERR_ARGUMENT) << one.message;
        ASSERT_EQ(reports_.all().size(), ++reported) << one.message;
        EXPECT_EQ(reports_.all().back().message, std::string("cannot record: ") + one.message);
        EXPECT_EQ(reports_.all().back().severity, FTR_SEVERITY_ERROR);
        EXPECT_FALSE(std::filesystem::exists(path()));
    }
    ftr_recorder_options with = options();
    EXPECT_EQ(open(nullptr, &with), FTR_ERR_ARGUMENT);
    EXPECT_EQ(reports_.count("cannot record: neither a path nor a sink is given"), 1u);
    with.sink = &no_write;
    EXPECT_EQ(open(nullptr, &with), FTR_ERR_ARGUMENT);
    EXPECT_EQ(
        reports_.count("cannot record: the sink has no write function, and there is no summary"),
        1u);
    EXPECT_EQ(open(path().c_str(), &with), FTR_ERR_ARGUMENT);
    EXPECT_EQ(ftr_recorder_open(path().c_str(), nullptr, nullptr), FTR_ERR_ARGUMENT);
}

TEST_F(RecorderOpen, FailureDoesNotTouchOtherDescriptors)
{
    ftr_recorder_options with = options();
    with.threads = 7;
    ASSERT_EQ(open(path().c_str(), &with), FTR_ERR_ARGUMENT);
    EXPECT_NE(fcntl(0, F_GETFD), -1) << "standard input was closed";
    with.threads = 0;
    ASSERT_EQ(open(path("none/run.ftr").c_str(), &with), FTR_ERR_IO);
    EXPECT_NE(fcntl(0, F_GETFD), -1) << "standard input was closed";
}

TEST_F(RecorderOpen, SinkReplacesTheFile)
{
    memory_sink sink;
    ftr_recorder_options with = options();
    with.sink = sink.sink();
    ASSERT_EQ(open(path("other.ftr").c_str(), &with), FTR_OK);
    EXPECT_FALSE(std::filesystem::exists(path("other.ftr")));
    EXPECT_EQ(sink.closed(), 1);
    write_contents(path(), sink.bytes());
    EXPECT_EQ(findings(path()), std::vector<std::string>{});
}

TEST_F(RecorderOpen, SeveralRecordersAreIndependent)
{
    std::vector<std::unique_ptr<recording>> all;
    std::vector<ftr_generator> generators;
    std::vector<ftr_tx> open;
    for (int i = 0; i < 8; ++i) {
        ftr_recorder_options with = {};
        with.threads = i % 2;
        all.push_back(std::make_unique<recording>(with));
        generators.push_back(
            all[i]->generator(all[i]->stream(("stream " + std::to_string(i)).c_str()), "g",
                              {{"a", FTR_TYPE_INTEGER, FTR_CLASS_BEGIN}}));
        open.emplace_back();
    }
    for (int round = 0; round < 100; ++round) {
        for (int i = 0; i < 8; ++i)
            ASSERT_EQ(ftr_tx_begin(*all[i], generators[i], round, &open[i]), FTR_OK);
        for (int i = 7; i >= 0; --i) {
            ASSERT_EQ(ftr_tx_put_int(*all[i], open[i], 0, i), FTR_OK);
            ASSERT_EQ(ftr_tx_end(*all[i], open[i], round + i), FTR_OK);
        }
    }
    for (int i = 0; i < 8; ++i) {
        const decoded_file file = all[i]->decoded();
        ASSERT_EQ(file.transactions.size(), 100u);
        for (const decoded_transaction &tx : file.transactions) {
            EXPECT_EQ(tx.stream, "stream " + std::to_string(i));
            EXPECT_EQ(tx.end - tx.begin, std::uint64_t(i));
            EXPECT_EQ(tx.value("a"), i);
        }
    }
}

TEST_F(RecorderOpen, ThousandsOfRecordersCanBeOpenedAndClosed)
{
    for (int i = 0; i < 3000; ++i) {
        memory_sink sink;
        ftr_recorder_options with = {};
        with.sink = sink.sink();
        ftr_recorder *recorder = nullptr;
        ASSERT_EQ(ftr_recorder_open(nullptr, &with, &recorder), FTR_OK);
        ftr_stream stream;
        ftr_generator generator;
        ASSERT_EQ(ftr_stream_define(recorder, "s", nullptr, &stream), FTR_OK);
        ASSERT_EQ(ftr_generator_define(recorder, stream, "g", nullptr, 0, &generator), FTR_OK);
        ftr_tx tx;
        ASSERT_EQ(ftr_tx_begin(recorder, generator, 1, &tx), FTR_OK);
        ASSERT_EQ(ftr_tx_end(recorder, tx, 2), FTR_OK);
        ASSERT_EQ(ftr_recorder_close(recorder), FTR_OK);
        ASSERT_GT(sink.bytes().size(), 30u);
    }
}

// ---- compression --------------------------------------------------------------------------------

TEST(RecorderCompression, EveryMethodWritesTheSameContent)
{
    const struct {
        ftr_compression compression;
        int level;
        bool packs_transactions;
        bool packs_rest;
    } cases[] = {{FTR_COMPRESSION_LZ4, 0, true, true},    {FTR_COMPRESSION_LZ4HC, 0, true, true},
                 {FTR_COMPRESSION_LZ4HC, 1, true, true},  {FTR_COMPRESSION_LZ4HC, 12, true, true},
                 {FTR_COMPRESSION_NONE, 0, false, false}, {FTR_COMPRESSION_META, 0, false, true}};
    std::vector<decoded_transaction> first;
    for (const auto &one : cases) {
        ftr_recorder_options options = {};
        options.compression = one.compression;
        options.compression_level = one.level;
        recording rec(options);
        const ftr_generator generator =
            rec.generator(rec.stream("top"), "g", {{"text", FTR_TYPE_STRING, FTR_CLASS_BEGIN}});
        ftr_relation relation = 0;
        ASSERT_EQ(ftr_relation_define(rec, "follows", &relation), FTR_OK);
        ftr_tx last = {};
        for (std::uint64_t i = 0; i < 3000; ++i) {
            const std::string text = "the text of number " + std::to_string(i);
            const ftr_value value = text_value(FTR_TYPE_STRING, text.c_str());
            ftr_tx tx = {};
            ASSERT_EQ(ftr_tx_record(rec, generator, i, i + 1, &value, 1, &tx), FTR_OK);
            if (i > 0) {
                ASSERT_EQ(ftr_relation_put(rec, relation, last, tx), FTR_OK);
            }
            last = tx;
        }
        const decoded_file file = rec.decoded();
        EXPECT_EQ(file.relations.size(), 2999u);
        if (first.empty())
            first = file.transactions;
        EXPECT_EQ(file.transactions, first);
        const nlohmann::json chunks = summary_of(rec.path()).at("chunks_by_tag");
        EXPECT_EQ(chunks.contains("13"), one.packs_transactions);
        EXPECT_EQ(chunks.contains("12"), !one.packs_transactions);
        EXPECT_EQ(chunks.contains("9"), one.packs_rest);
        EXPECT_EQ(chunks.contains("15"), one.packs_rest);
        EXPECT_EQ(chunks.contains("14"), !one.packs_rest);
        const ftr_statistics statistics = rec.statistics();
        if (one.compression == FTR_COMPRESSION_LZ4) {
            EXPECT_LT(statistics.bytes, statistics.bytes_uncompressed / 4 * 3);
        }
    }
}

// ---- time scale ---------------------------------------------------------------------------------

class RecorderTimeScaleLater : public testing::TestWithParam<int>
{
  protected:
    static ftr_recorder_options options()
    {
        ftr_recorder_options options = {};
        options.time_scale = FTR_TIME_SCALE_LATER;
        options.threads = GetParam();
        options.block_memory = 1; // the waiting data may exceed it
        return options;
    }
};

TEST_P(RecorderTimeScaleLater, WritesNothingBeforeAndLosesNothing)
{
    recording rec(options());
    const ftr_generator generator = rec.generator(rec.stream("top"), "g");
    record(rec, generator, 30000);
    EXPECT_EQ(ftr_recorder_flush(rec), FTR_ERR_STATE);
    EXPECT_EQ(contents_of(rec.path()).size(), 0u);
    ASSERT_EQ(ftr_recorder_set_time_scale(rec, -9), FTR_OK);
    record(rec, generator, 30000, 30000);
    ASSERT_EQ(ftr_recorder_flush(rec), FTR_OK);
    const decoded_file file = rec.decoded();
    EXPECT_EQ(file.time_scale, -9);
    ASSERT_EQ(file.transactions.size(), 60000u);
    for (std::uint64_t i = 0; i < 60000; ++i)
        ASSERT_EQ(file.transactions[i].begin, i);
}

TEST_P(RecorderTimeScaleLater, CanBeSetOnce)
{
    recording rec(options());
    for (int scale : {-16, 1, FTR_TIME_SCALE_LATER})
        EXPECT_EQ(ftr_recorder_set_time_scale(rec, scale), FTR_ERR_ARGUMENT) << scale;
    EXPECT_EQ(ftr_recorder_set_time_scale(rec, FTR_TIME_SCALE_SECOND), FTR_OK);
    EXPECT_EQ(ftr_recorder_set_time_scale(rec, -9), FTR_ERR_STATE);
    EXPECT_EQ(rec.decoded().time_scale, 0);
    EXPECT_EQ(rec.statistics().misuses, 4u);
}

TEST_P(RecorderTimeScaleLater, IsPicosecondsIfNeverSet)
{
    recording rec(options());
    record(rec, rec.generator(rec.stream("top"), "g"), 5);
    const decoded_file file = rec.decoded();
    EXPECT_EQ(file.time_scale, -12);
    EXPECT_EQ(file.transactions.size(), 5u);
}

INSTANTIATE_TEST_SUITE_P(Threads, RecorderTimeScaleLater, testing::Values(0, 1));

TEST(RecorderTimeScale, CannotDifferFromTheOptions)
{
    recording rec;
    EXPECT_EQ(ftr_recorder_set_time_scale(rec, -9), FTR_ERR_STATE);
}

TEST(RecorderTimeScale, CanBeSetToTheSameValueAgain)
{
    recording rec;
    EXPECT_EQ(ftr_recorder_set_time_scale(rec, -12), FTR_OK);
}

// ---- flush and age ------------------------------------------------------------------------------

class RecorderFlush : public testing::TestWithParam<int>
{
};

TEST_P(RecorderFlush, WritesAllEndedTransactions)
{
    ftr_recorder_options options = {};
    options.threads = GetParam();
    recording rec(options);
    const ftr_stream stream = rec.stream("top");
    const ftr_generator generator = rec.generator(stream, "g");
    ftr_tx open = {};
    ASSERT_EQ(ftr_tx_begin(rec, generator, 0, &open), FTR_OK);
    std::size_t recorded = 0;
    for (std::size_t more : {std::size_t(1), std::size_t(100), std::size_t(0), std::size_t(5000)}) {
        record(rec, generator, more, recorded);
        recorded += more;
        ASSERT_EQ(ftr_recorder_flush(rec), FTR_OK);
        ASSERT_EQ(transactions_in(rec.path()), recorded);
        EXPECT_EQ(std::filesystem::file_size(rec.path()), rec.statistics().bytes);
        // Complete except for its end.
        const std::vector<std::string> found = findings(rec.path());
        ASSERT_EQ(found.size(), 1u);
        EXPECT_NE(found[0].find("[end]"), std::string::npos) << found[0];
    }
    rec.stream("defined and never used", "kind");
    ASSERT_EQ(ftr_recorder_flush(rec), FTR_OK);
    EXPECT_EQ(decode(rec.path()).streams.size(), 2u);
    ASSERT_EQ(ftr_tx_end(rec, open, 7), FTR_OK);
    EXPECT_EQ(rec.decoded().transactions.size(), recorded + 1);
}

INSTANTIATE_TEST_SUITE_P(Threads, RecorderFlush, testing::Values(0, 1));

// Within a second, but a busy machine may need longer. The first record after a second starts the
// writer thread.
TEST(RecorderAge, WithAWriterThreadDataIsWrittenWithoutFurtherCalls)
{
    ftr_recorder_options options = {};
    options.threads = 1;
    recording rec(options);
    const ftr_generator generator = rec.generator(rec.stream("top"), "g");
    record(rec, generator, 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1010));
    record(rec, generator, 1, 1);
    const auto recorded = std::chrono::steady_clock::now();
    while (transactions_in(rec.path()) < 2) {
        ASSERT_LT(std::chrono::steady_clock::now() - recorded, std::chrono::minutes(2));
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

struct test_clock {
    std::uint64_t now = 1;
    static std::uint64_t read(void *user) { return static_cast<test_clock *>(user)->now; }
};

constexpr std::uint64_t second = 1000000000;

TEST(RecorderAge, WithoutAWriterThreadRecordWritesOldData)
{
    test_clock clock;
    ftr_recorder_options options = {};
    options.clock = test_clock::read;
    options.clock_user = &clock;
    recording rec(options);
    const ftr_generator generator = rec.generator(rec.stream("top"), "g");
    record(rec, generator, 10);
    EXPECT_EQ(transactions_in(rec.path()), 0u);
    clock.now += second;
    for (int i = 0; i < 5000 && transactions_in(rec.path()) == 0; i += 500)
        record(rec, generator, 500);
    clock.now += second;
    for (int i = 0; i < 5000 && transactions_in(rec.path()) == 0; i += 500)
        record(rec, generator, 500);
    EXPECT_GE(transactions_in(rec.path()), 10u);
}

TEST(RecorderAge, WithoutAWriterThreadBeginAndEndWriteOldData)
{
    test_clock clock;
    ftr_recorder_options options = {};
    options.clock = test_clock::read;
    options.clock_user = &clock;
    recording rec(options);
    const ftr_generator generator = rec.generator(rec.stream("top"), "g");
    for (int i = 0; i < 4000; ++i) {
        ftr_tx tx;
        ASSERT_EQ(ftr_tx_begin(rec, generator, i, &tx), FTR_OK);
        ASSERT_EQ(ftr_tx_end(rec, tx, i), FTR_OK);
        clock.now += second / 1000;
    }
    EXPECT_GT(transactions_in(rec.path()), 0u);
}

// Returns the bytes of a run: equal calls and an equal clock must give equal bytes.
std::string bytes_of_a_run(ftr_compression compression)
{
    test_clock clock;
    ftr_recorder_options options = {};
    options.clock = test_clock::read;
    options.clock_user = &clock;
    options.epoch_seconds = 1700000000;
    options.compression = compression;
    recording rec(options);
    const ftr_stream streams[] = {rec.stream("a"), rec.stream("b"), rec.stream("a.c")};
    std::vector<ftr_generator> generators;
    for (ftr_stream stream : streams)
        generators.push_back(rec.generator(
            stream, "g",
            {{"i", FTR_TYPE_INTEGER, FTR_CLASS_BEGIN}, {"s", FTR_TYPE_STRING, FTR_CLASS_END}}));
    ftr_relation relation = 0;
    EXPECT_EQ(ftr_relation_define(rec, "follows", &relation), FTR_OK);
    ftr_tx open[7] = {};
    for (std::uint64_t i = 0; i < 20000; ++i) {
        clock.now += 100 * 1000;
        ftr_tx &tx = open[i * i % 7];
        if (tx.id) {
            EXPECT_EQ(ftr_tx_end(rec, tx, i), FTR_OK);
            EXPECT_EQ(ftr_relation_put(rec, relation, tx, open[0]), FTR_OK);
        }
        EXPECT_EQ(ftr_tx_begin(rec, generators[i % 3], i, &tx), FTR_OK);
        EXPECT_EQ(ftr_tx_put_int(rec, tx, 0, std::int64_t(i)), FTR_OK);
        const std::string text = std::to_string(i % 100);
        EXPECT_EQ(ftr_tx_put_text(rec, tx, 1, text.c_str(), FTR_NUL_TERMINATED), FTR_OK);
    }
    EXPECT_EQ(rec.close(), FTR_OK);
    return contents_of(rec.path());
}

TEST(RecorderDeterminism, EqualCallsAndClockWriteEqualBytes)
{
    for (ftr_compression compression :
         {FTR_COMPRESSION_LZ4, FTR_COMPRESSION_LZ4HC, FTR_COMPRESSION_NONE}) {
        const std::string first = bytes_of_a_run(compression);
        EXPECT_GT(first.size(), 10000u);
        EXPECT_TRUE(first == bytes_of_a_run(compression));
    }
}

TEST(RecorderWrites, AreCompleteChunks)
{
    for (int threads : {0, 1}) {
        memory_sink sink;
        ftr_recorder_options options = {};
        options.sink = sink.sink();
        options.threads = threads;
        options.chunk_size = 2000;
        recording rec(options);
        const ftr_generator generator = rec.generator(rec.stream("top"), "g");
        for (int i = 0; i < 10; ++i) {
            record(rec, generator, 1000, 1000 * i);
            ASSERT_EQ(ftr_recorder_flush(rec), FTR_OK);
        }
        ASSERT_EQ(rec.close(), FTR_OK);
        // Truncated after any write, the file is complete except for its end.
        scratch_directory directory;
        std::vector<std::string> paths;
        std::size_t size = 0;
        const std::vector<std::size_t> writes = sink.writes();
        ASSERT_GE(writes.size(), 10u);
        for (std::size_t i = 0; i + 1 < writes.size(); ++i) {
            size += writes[i];
            paths.push_back(directory.path("cut" + std::to_string(i) + ".ftr"));
            write_contents(paths.back(), sink.bytes().substr(0, size));
        }
        const std::vector<std::string> found = findings(paths);
        EXPECT_EQ(found.size(), paths.size());
        for (const std::string &line : found)
            EXPECT_NE(line.find("[end]"), std::string::npos) << line;
    }
}

// ---- statistics ---------------------------------------------------------------------------------

class RecorderStatistics : public testing::TestWithParam<int>
{
};

TEST_P(RecorderStatistics, CountEverything)
{
    ftr_recorder_options options = {};
    options.threads = GetParam();
    options.exclude = "secret";
    recording rec(options);
    const ftr_stream top = rec.stream("top");
    rec.stream("top");
    rec.stream("top.below");
    const ftr_generator generator = rec.generator(
        top, "g",
        {{"r", FTR_TYPE_FLOATING_POINT, FTR_CLASS_BEGIN}, {"s", FTR_TYPE_STRING, FTR_CLASS_BEGIN}});
    const ftr_generator hidden = rec.generator(rec.stream("secret"), "g");
    ftr_relation relation = 0;
    ASSERT_EQ(ftr_relation_define(rec, "follows", &relation), FTR_OK);
    ftr_tx first;
    ftr_tx open;
    ftr_tx filtered;
    const ftr_value values[] = {real_value(FTR_TYPE_FLOATING_POINT, 0.1),
                                text_value(FTR_TYPE_STRING, "\xff")};
    ASSERT_EQ(ftr_tx_record(rec, generator, 1, 2, values, 2, &first), FTR_OK);
    ASSERT_EQ(ftr_tx_record(rec, generator, 1, 2, values, 1, nullptr), FTR_OK);
    ASSERT_EQ(ftr_tx_begin(rec, generator, 3, &open), FTR_OK);
    ASSERT_EQ(ftr_tx_begin(rec, hidden, 3, &filtered), FTR_OK);
    ASSERT_EQ(ftr_relation_put(rec, relation, first, open), FTR_OK);
    ASSERT_EQ(ftr_relation_put(rec, relation, first, filtered), FTR_OK);
    ASSERT_EQ(ftr_tx_end(rec, first, 9), FTR_ERR_UNKNOWN_TX);

    ftr_statistics now = rec.statistics();
    EXPECT_EQ(now.transactions, 2u) << "they wait to be written";
    EXPECT_EQ(now.attributes, 3u);
    EXPECT_EQ(now.relations, 1u);
    EXPECT_EQ(now.open_transactions, 1u);
    EXPECT_EQ(now.filtered, 1u);
    EXPECT_EQ(now.dropped, 0u);
    EXPECT_EQ(now.relations_discarded, 1u);
    EXPECT_EQ(now.unfinished, 0u);
    EXPECT_EQ(now.misuses, 1u);
    EXPECT_EQ(now.repaired_texts, 1u);
    EXPECT_EQ(now.rounded_floats, 2u);
    EXPECT_EQ(now.renamed_streams, 2u);
    EXPECT_EQ(now.strings_evicted, 0u);
    EXPECT_GT(now.memory, 0u);

    const decoded_file file = rec.decoded();
    const ftr_statistics last = rec.statistics();
    const nlohmann::json summary = summary_of(rec.path());
    EXPECT_EQ(last.transactions, 3u);
    EXPECT_EQ(summary.at("transactions"), last.transactions);
    EXPECT_EQ(summary.at("attributes"), last.attributes);
    EXPECT_EQ(summary.at("relations"), last.relations);
    EXPECT_EQ(summary.at("strings"), last.strings);
    EXPECT_EQ(summary.at("chunks"), last.chunks);
    EXPECT_EQ(std::filesystem::file_size(rec.path()), last.bytes);
    EXPECT_GT(last.bytes_uncompressed, 0u);
    EXPECT_EQ(last.open_transactions, 0u);
    EXPECT_EQ(last.unfinished, 1u);
}

INSTANTIATE_TEST_SUITE_P(Threads, RecorderStatistics, testing::Values(0, 1));

TEST(RecorderDrop, CountsTransactionsDroppedWhileTheWriterIsBehind)
{
    // A sink that waits until it is opened.
    struct valve {
        std::mutex mutex;
        bool is_open = false;
        std::string bytes;
        static std::int64_t write(void *user, const void *data, std::size_t size)
        {
            auto *self = static_cast<valve *>(user);
            for (;; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
                const std::lock_guard<std::mutex> guard(self->mutex);
                if (self->is_open || self->bytes.empty()) {
                    self->bytes.append(static_cast<const char *>(data), size);
                    return std::int64_t(size);
                }
            }
        }
    } valve;
    const ftr_sink sink = {&valve, valve::write, nullptr};
    ftr_recorder_options options = {};
    options.threads = 1;
    options.block_memory = 1;
    options.when_full = FTR_WHEN_FULL_DROP;
    options.sink = &sink;
    recording rec(options);
    const ftr_generator generator = rec.generator(rec.stream("top"), "g");
    ftr_relation relation = 0;
    ASSERT_EQ(ftr_relation_define(rec, "follows", &relation), FTR_OK);
    ftr_tx first = {};
    ASSERT_EQ(ftr_tx_record(rec, generator, 1, 2, nullptr, 0, &first), FTR_OK);
    std::uint64_t count = 1;
    std::uint64_t recorded = 1;
    ftr_tx tx = {};
    while (rec.reports().all().empty() && tx.id != FTR_TX_NOT_RECORDED) {
        ASSERT_LT(count, 1000000u);
        ASSERT_EQ(ftr_tx_record(rec, generator, 1, 2, nullptr, 0, &tx), FTR_OK);
        ++count;
        recorded += tx.id != FTR_TX_NOT_RECORDED;
    }
    // A transaction that ends while all memory is full is dropped, too, and so are its relations.
    ASSERT_EQ(ftr_tx_begin(rec, generator, 5, &tx), FTR_OK);
    ASSERT_NE(tx.id, FTR_TX_NOT_RECORDED);
    ASSERT_EQ(ftr_tx_end(rec, tx, 6), FTR_OK);
    ASSERT_EQ(ftr_tx_end(rec, tx, 6), FTR_ERR_UNKNOWN_TX);
    {
        const std::lock_guard<std::mutex> guard(valve.mutex);
        valve.is_open = true;
    }
    ASSERT_EQ(ftr_recorder_flush(rec), FTR_OK);
    ASSERT_EQ(ftr_relation_put(rec, relation, first, tx), FTR_OK);
    ftr_tx last = {};
    ASSERT_EQ(ftr_tx_record(rec, generator, 7, 8, nullptr, 0, &last), FTR_OK);
    ASSERT_EQ(ftr_relation_put(rec, relation, first, last), FTR_OK);
    ASSERT_EQ(rec.close(), FTR_OK);
    scratch_directory directory;
    write_contents(directory.path("run.ftr"), valve.bytes);
    EXPECT_EQ(findings(directory.path("run.ftr")), std::vector<std::string>{});
    const decoded_file file = decode(directory.path("run.ftr"));
    const ftr_statistics statistics = rec.statistics();
    ASSERT_EQ(file.transactions.size(), recorded + 2);
    const decoded_transaction &lost = file.transactions.back();
    EXPECT_EQ(lost.stream, "ftr.losses");
    EXPECT_EQ(lost.value("what"), "transactions were dropped because the writer was behind");
    EXPECT_EQ(lost.value("count"), 2u);
    EXPECT_EQ(lost.begin, 1u);
    EXPECT_EQ(lost.end, 6u);
    EXPECT_EQ(statistics.transactions, recorded + 1);
    EXPECT_EQ(statistics.dropped, 2u);
    EXPECT_EQ(statistics.relations_discarded, 1u);
    ASSERT_EQ(file.relations.size(), 1u);
    EXPECT_EQ(file.relations[0].to, last.id);
    EXPECT_EQ(rec.reports().count("2 transactions were dropped"), 1u);
}
} // namespace
