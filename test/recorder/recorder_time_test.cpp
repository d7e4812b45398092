// Times: exact 64-bit ticks at every resolution.
#include "recording.hpp"

#include <gtest/gtest.h>

#include <ostream>

namespace
{
struct resolution {
    const char *name;
    int option;  // ftr_recorder_options.time_scale
    int written; // in the file
};

void PrintTo(const resolution &value, std::ostream *out)
{
    *out << value.name;
}

class RecorderTime : public testing::TestWithParam<resolution>
{
};

const std::uint64_t two_to_53 = std::uint64_t(1) << 53;

// Around the limits of double, int32 and int64.
const std::vector<std::uint64_t> ticks = {0,
                                          1,
                                          (std::uint64_t(1) << 31) - 1,
                                          std::uint64_t(1) << 32,
                                          two_to_53 - 1,
                                          two_to_53,
                                          two_to_53 + 1,
                                          two_to_53 + 3,
                                          9007199254740995,
                                          1234567890123456789,
                                          std::uint64_t(INT64_MAX),
                                          std::uint64_t(INT64_MAX) + 1,
                                          UINT64_MAX - 1,
                                          UINT64_MAX};

TEST_P(RecorderTime, IsExactAtEveryTick)
{
    ftr_recorder_options options = {};
    options.time_scale = GetParam().option;
    options.chunk_size = 1; // one chunk each, so that its start and end are checked, too
    recording rec(options);
    const ftr_generator generator =
        rec.generator(rec.stream("top"), "g", {{"time", FTR_TYPE_TIME, FTR_CLASS_BEGIN}});
    std::vector<ftr_tx> made;
    for (std::uint64_t begin : ticks) {
        for (std::uint64_t end : ticks) {
            if (end < begin)
                continue;
            ftr_tx tx;
            ASSERT_EQ(ftr_tx_begin(rec, generator, begin, &tx), FTR_OK);
            ASSERT_EQ(ftr_tx_put_number(rec, tx, 0, end), FTR_OK);
            ASSERT_EQ(ftr_tx_end(rec, tx, end), FTR_OK);
            made.push_back(tx);
        }
    }
    const decoded_file file = rec.decoded();
    EXPECT_EQ(file.time_scale, GetParam().written);
    ASSERT_EQ(file.transactions.size(), made.size());
    std::size_t i = 0;
    for (std::uint64_t begin : ticks) {
        for (std::uint64_t end : ticks) {
            if (end < begin)
                continue;
            const decoded_transaction &read = file.transactions[i];
            ASSERT_EQ(read.id, made[i].id);
            EXPECT_EQ(read.begin, begin);
            EXPECT_EQ(read.end, end);
            EXPECT_EQ(read.value("time"), end);
            ++i;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Resolutions, RecorderTime,
    testing::Values(resolution{"Default", 0, -12}, resolution{"Femtoseconds", -15, -15},
                    resolution{"Picoseconds", -12, -12}, resolution{"HundredPicoseconds", -10, -10},
                    resolution{"Nanoseconds", -9, -9}, resolution{"Milliseconds", -3, -3},
                    resolution{"HundredMilliseconds", -1, -1},
                    resolution{"Seconds", FTR_TIME_SCALE_SECOND, 0}),
    [](const auto &tested) { return std::string(tested.param.name); });

TEST(RecorderTimeOrder, BeginsAndEndsCanBeInAnyOrder)
{
    recording rec;
    const ftr_generator generator = rec.generator(rec.stream("top"), "g");
    const std::pair<std::uint64_t, std::uint64_t> times[] = {
        {100, 200}, {50, 60}, {300, 300}, {0, 1000}, {250, 260}};
    for (const auto &[begin, end] : times)
        ASSERT_EQ(ftr_tx_record(rec, generator, begin, end, nullptr, 0, nullptr), FTR_OK);
    const decoded_file file =
        rec.decoded(); // the check computes the expected start and end of a chunk
    ASSERT_EQ(file.transactions.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(file.transactions[i].begin, times[i].first);
        EXPECT_EQ(file.transactions[i].end, times[i].second);
    }
}
} // namespace
