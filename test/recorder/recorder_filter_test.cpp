// Selection of recorded transactions: include and exclude, the window of simulated time, and the
// switch.
#include "recording.hpp"

#include <ftr/buffer.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace
{
using strings = std::vector<std::string>;

strings recorded_streams(const char *include, const char *exclude)
{
    ftr_recorder_options options = {};
    options.include = include;
    options.exclude = exclude;
    recording rec(options);
    for (const char *name : {"top.cpu0_bl", "top.cpu0_nb", "top.cpu1_bl", "top.mem_bl", "other"}) {
        const ftr_stream stream = rec.stream(name);
        const ftr_generator generator =
            rec.generator(stream, "g", {{"a", FTR_TYPE_INTEGER, FTR_CLASS_BEGIN}});
        ftr_tx tx = {};
        EXPECT_EQ(ftr_tx_begin(rec, generator, 1, &tx), FTR_OK);
        const bool is_recorded = ftr_stream_is_recorded(rec, stream);
        EXPECT_EQ(tx.id == FTR_TX_NOT_RECORDED, !is_recorded);
        EXPECT_EQ(ftr_tx_put_int(rec, tx, 0, 7), FTR_OK);
        EXPECT_EQ(ftr_tx_end(rec, tx, 2), FTR_OK);
        const ftr_value value = integer_value(8);
        EXPECT_EQ(ftr_tx_record(rec, generator, 3, 4, &value, 1, &tx), FTR_OK);
        EXPECT_EQ(tx.id == FTR_TX_NOT_RECORDED, !is_recorded);
        EXPECT_FALSE(ftr_stream_is_recorded(rec, generator)) << "a generator is no stream";
    }
    const decoded_file file = rec.decoded();
    EXPECT_EQ(file.transactions.size(), 2 * file.streams.size());
    EXPECT_EQ(file.generators.size(), file.streams.size());
    EXPECT_EQ(rec.statistics().filtered, 10 - file.transactions.size());
    EXPECT_EQ(rec.statistics().transactions, file.transactions.size());
    return file.stream_names();
}

TEST(RecorderStreamFilter, RecordsAllStreamsWithoutPatterns)
{
    EXPECT_EQ(recorded_streams(nullptr, nullptr).size(), 5u);
}

TEST(RecorderStreamFilter, IncludeSelectsStreams)
{
    EXPECT_EQ(recorded_streams("top.cpu?_bl, other", nullptr),
              (strings{"top.cpu0_bl", "top.cpu1_bl", "other"}));
    EXPECT_EQ(recorded_streams("nothing", nullptr), strings{});
}

TEST(RecorderStreamFilter, ExcludeRemovesStreams)
{
    EXPECT_EQ(recorded_streams(nullptr, "*_bl"), (strings{"top.cpu0_nb", "other"}));
    EXPECT_EQ(recorded_streams(nullptr, "*"), strings{});
}

TEST(RecorderStreamFilter, ExcludeHasPrecedence)
{
    EXPECT_EQ(recorded_streams("top.*", "*mem*,*_nb"), (strings{"top.cpu0_bl", "top.cpu1_bl"}));
}

TEST(RecorderStreamFilter, BracketsAreOrdinaryCharacters)
{
    for (const char *include : {"bus.out[0]*", " bus.out[0]_bl ,"}) {
        ftr_recorder_options options = {};
        options.include = include;
        recording rec(options);
        EXPECT_TRUE(ftr_stream_is_recorded(rec, rec.stream("bus.out[0]_bl"))) << include;
        EXPECT_FALSE(ftr_stream_is_recorded(rec, rec.stream("bus.out0_bl"))) << include;
        EXPECT_EQ(rec.close(), FTR_OK);
        EXPECT_EQ(rec.reports().all().size(), 0u);
    }
}

TEST(RecorderStreamFilter, ReportsUnmatchedPatternsAtClose)
{
    ftr_recorder_options options = {};
    options.include = "top.cpu, top.*,bsu.*";
    options.exclude = "*mem, *_dmi";
    recording rec(options);
    ASSERT_EQ(ftr_buffers_define(rec, "a=ring,256K,top.*,irq.*;b=linear,256K,top.cpu0,top.dma"),
              FTR_OK);
    for (const char *name : {"top.cpu0", "top.mem", "bus.in"})
        rec.stream(name);
    EXPECT_EQ(rec.reports().all().size(), 0u);
    EXPECT_EQ(rec.close(), FTR_OK);
    std::vector<std::string> messages;
    for (const reported &one : rec.reports().all()) {
        EXPECT_EQ(one.severity, FTR_SEVERITY_WARNING);
        messages.push_back(one.message);
    }
    EXPECT_EQ(messages,
              (strings{"include: the pattern 'top.cpu' matches none of 3 streams; did you mean "
                       "'top.cpu0'?",
                       "include: the pattern 'bsu.*' matches none of 3 streams",
                       "exclude: the pattern '*_dmi' matches none of 3 streams",
                       "buffer a: the pattern 'irq.*' matches none of 3 streams",
                       "buffer b: the pattern 'top.dma' matches none of 3 streams; did you mean "
                       "'top.mem'?"}));
}

TEST(RecorderStreamFilter, DoesNotReportPatternsWithoutAnyStream)
{
    ftr_recorder_options options = {};
    options.include = "a";
    recording rec(options);
    EXPECT_EQ(rec.close(), FTR_OK);
    EXPECT_EQ(rec.reports().all().size(), 0u);
}

TEST(RecorderStreamFilter, CopiesThePatterns)
{
    std::string exclude = "top.*";
    ftr_recorder_options options = {};
    options.exclude = exclude.c_str();
    recording rec(options);
    exclude = "other";
    EXPECT_FALSE(ftr_stream_is_recorded(rec, rec.stream("top.a")));
    EXPECT_TRUE(ftr_stream_is_recorded(rec, rec.stream("other")));
}

TEST(RecorderStreamFilter, ExcludedStreamIsNotInTheFileAndReservesNoName)
{
    ftr_recorder_options options = {};
    options.exclude = "secret*";
    recording rec(options);
    rec.generator(rec.stream("secret", "of a kind"), "hidden",
                  {{"attribute", FTR_TYPE_STRING, FTR_CLASS_BEGIN}});
    EXPECT_EQ(rec.close(), FTR_OK);
    const std::string bytes = contents_of(rec.path());
    for (const char *text : {"secret", "kind", "hidden", "attribute"})
        EXPECT_EQ(bytes.find(text), std::string::npos) << text;
}

struct window_case {
    const char *start;
    const char *stop;
    std::vector<std::uint64_t> recorded; // begins of the transactions in the file
};

class RecorderWindow : public testing::TestWithParam<window_case>
{
};

// Times in ns; ticks are ps. Intervals before, across, within and after [100 ns, 200 ns], touching
// its ends, and around it.
const std::vector<std::pair<std::uint64_t, std::uint64_t>> intervals = {
    {0, 50},    {10, 99},   {20, 100},  {30, 150},  {40, 300}, {100, 100},
    {101, 120}, {150, 250}, {200, 200}, {201, 300}, {500, 600}};

TEST_P(RecorderWindow, RecordsTransactionsThatOverlap)
{
    for (const bool one_call : {false, true}) {
        ftr_recorder_options options = {};
        options.start = GetParam().start;
        options.stop = GetParam().stop;
        recording rec(options);
        const ftr_generator generator =
            rec.generator(rec.stream("top"), "g", {{"a", FTR_TYPE_INTEGER, FTR_CLASS_BEGIN}});
        const ftr_value value = integer_value(1);
        for (const auto &[begin, end] : intervals) {
            if (one_call) {
                EXPECT_EQ(
                    ftr_tx_record(rec, generator, begin * 1000, end * 1000, &value, 1, nullptr),
                    FTR_OK);
                continue;
            }
            ftr_tx tx;
            EXPECT_EQ(ftr_tx_begin(rec, generator, begin * 1000, &tx), FTR_OK);
            EXPECT_EQ(ftr_tx_put_int(rec, tx, 0, 1), FTR_OK);
            EXPECT_EQ(ftr_tx_end(rec, tx, end * 1000), FTR_OK);
        }
        const decoded_file file = rec.decoded();
        std::vector<std::uint64_t> begins;
        for (const decoded_transaction &tx : file.transactions)
            begins.push_back(tx.begin / 1000);
        EXPECT_EQ(begins, GetParam().recorded) << one_call;
        EXPECT_EQ(rec.statistics().filtered, intervals.size() - begins.size());
        EXPECT_EQ(rec.statistics().transactions, begins.size());
    }
}

INSTANTIATE_TEST_SUITE_P(
    Windows, RecorderWindow,
    testing::Values(window_case{"100 ns", "200 ns", {20, 30, 40, 100, 101, 150, 200}},
                    window_case{"100 ns", nullptr, {20, 30, 40, 100, 101, 150, 200, 201, 500}},
                    window_case{nullptr, "0.2 us", {0, 10, 20, 30, 40, 100, 101, 150, 200}},
                    window_case{"0 s", nullptr, {0, 10, 20, 30, 40, 100, 101, 150, 200, 201, 500}},
                    window_case{"1 s", nullptr, {}},
                    window_case{"18446744073709551615 s", nullptr, {}}));

TEST(RecorderWindowEdges, OpenTransactionsEndAtClose)
{
    ftr_recorder_options options = {};
    options.start = "100 ps";
    for (const bool reaches : {false, true}) {
        recording rec(options);
        const ftr_generator generator = rec.generator(rec.stream("top"), "g");
        ftr_tx tx;
        ASSERT_EQ(ftr_tx_begin(rec, generator, 10, &tx), FTR_OK);
        ASSERT_EQ(ftr_tx_record(rec, generator, 20, reaches ? 100 : 99, nullptr, 0, nullptr),
                  FTR_OK);
        EXPECT_EQ(rec.decoded().transactions.size(), reaches ? 2u : 0u);
        EXPECT_EQ(rec.statistics().unfinished, reaches ? 1u : 0u);
        EXPECT_EQ(rec.statistics().filtered, reaches ? 0u : 2u);
    }
}

TEST(RecorderWindowEdges, WindowUsesATimeScaleSetLater)
{
    ftr_recorder_options options = {};
    options.time_scale = FTR_TIME_SCALE_LATER;
    options.start = "1 us";
    options.stop = "2 us";
    recording rec(options);
    const ftr_generator generator = rec.generator(rec.stream("top"), "g");
    ASSERT_EQ(ftr_recorder_set_time_scale(rec, -9), FTR_OK);
    for (std::uint64_t begin : {500, 1500, 2500})
        ASSERT_EQ(ftr_tx_record(rec, generator, begin, begin + 10, nullptr, 0, nullptr), FTR_OK);
    const decoded_file file = rec.decoded();
    ASSERT_EQ(file.transactions.size(), 1u);
    EXPECT_EQ(file.transactions[0].begin, 1500u);
}

TEST(RecorderWindowEdges, QueryExcludesTimesOutsideOfTheWindow)
{
    ftr_recorder_options options = {};
    options.time_scale = FTR_TIME_SCALE_LATER;
    options.start = "100 ns";
    options.stop = "200 ns";
    recording rec(options);
    EXPECT_TRUE(ftr_window_may_contain(rec, 0, 0)) << "the time scale is not known";
    EXPECT_TRUE(ftr_window_may_contain(rec, UINT64_MAX, UINT64_MAX));
    ASSERT_EQ(ftr_recorder_set_time_scale(rec, -9), FTR_OK);
    for (const auto &[begin, end] : intervals)
        EXPECT_EQ(ftr_window_may_contain(rec, begin, end), end >= 100 && begin <= 200) << begin;
    EXPECT_TRUE(ftr_window_may_contain(rec, 0, UINT64_MAX)) << "it is still open";
    recording without;
    EXPECT_TRUE(ftr_window_may_contain(without, 0, 0));
    EXPECT_TRUE(ftr_window_may_contain(without, UINT64_MAX, UINT64_MAX));
}

// A discarded transaction takes an id but no room in a block.
TEST(RecorderWindowEdges, IdsAreUniqueWithManyFilteredTransactions)
{
    ftr_recorder_options options = {};
    options.start = "1 us";
    recording rec(options);
    const ftr_stream stream = rec.stream("top");
    const ftr_generator generator = rec.generator(stream, "g");
    ftr_relation relation = 0;
    ASSERT_EQ(ftr_relation_define(rec, "follows", &relation), FTR_OK);
    const auto work = [&] {
        ftr_tx tx;
        for (int i = 0; i < 70000; ++i) {
            EXPECT_EQ(ftr_tx_begin(rec, generator, 1, &tx), FTR_OK);
            EXPECT_EQ(ftr_tx_end(rec, tx, 2), FTR_OK);
        }
        ftr_tx last = {};
        for (int i = 0; i < 2000; ++i) {
            EXPECT_EQ(ftr_tx_begin(rec, generator, 1000000, &tx), FTR_OK);
            EXPECT_EQ(ftr_tx_end(rec, tx, 1000000), FTR_OK);
            if (i > 0) {
                EXPECT_EQ(ftr_relation_put(rec, relation, last, tx), FTR_OK);
            }
            last = tx;
        }
    };
    std::thread other(work);
    work();
    other.join();
    const decoded_file file = rec.decoded(); // the check finds duplicate ids
    EXPECT_EQ(file.transactions.size(), 4000u);
    EXPECT_EQ(file.relations.size(), 3998u);
    EXPECT_EQ(rec.statistics().filtered, 140000u);
}

TEST(RecorderSwitch, OffFiltersNewTransactionsAndContinuesOpenOnes)
{
    recording rec;
    const ftr_generator generator =
        rec.generator(rec.stream("top"), "g", {{"a", FTR_TYPE_INTEGER, FTR_CLASS_BEGIN}});
    ftr_tx before;
    ftr_tx while_off;
    ASSERT_EQ(ftr_tx_begin(rec, generator, 1, &before), FTR_OK);
    ASSERT_EQ(ftr_recorder_set_recording(rec, false), FTR_OK);
    ASSERT_EQ(ftr_recorder_set_recording(rec, false), FTR_OK);
    ASSERT_EQ(ftr_tx_begin(rec, generator, 2, &while_off), FTR_OK);
    EXPECT_EQ(while_off.id, FTR_TX_NOT_RECORDED);
    ASSERT_EQ(ftr_tx_record(rec, generator, 3, 4, nullptr, 0, nullptr), FTR_OK);
    ASSERT_EQ(ftr_tx_put_int(rec, before, 0, 5), FTR_OK);
    ASSERT_EQ(ftr_tx_end(rec, before, 6), FTR_OK);
    ASSERT_EQ(ftr_recorder_set_recording(rec, true), FTR_OK);
    ASSERT_EQ(ftr_tx_put_int(rec, while_off, 0, 5), FTR_OK);
    ASSERT_EQ(ftr_tx_end(rec, while_off, 8), FTR_OK);
    ASSERT_EQ(ftr_tx_record(rec, generator, 9, 10, nullptr, 0, nullptr), FTR_OK);
    const decoded_file file = rec.decoded();
    ASSERT_EQ(file.transactions.size(), 2u);
    EXPECT_EQ(file.transactions[0].value("a"), 5);
    EXPECT_EQ(file.transactions[1].begin, 9u);
    EXPECT_EQ(rec.statistics().filtered, 2u);
}

TEST(RecorderSwitch, OffDoesNotHideErrors)
{
    recording rec;
    ASSERT_EQ(ftr_recorder_set_recording(rec, false), FTR_OK);
    ftr_tx tx = {};
    EXPECT_EQ(ftr_tx_begin(rec, 99, 1, &tx), FTR_ERR_UNDEFINED);
    EXPECT_EQ(tx.id, 0u);
    EXPECT_EQ(rec.statistics().filtered, 0u);
}
} // namespace
