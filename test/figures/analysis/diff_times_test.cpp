// Changes of time: a displacement is reported once, where it begins, and a longer latency
// separately.
#include "traces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace diff_test;

namespace
{

void in_order_of_end(Trace &trace)
{
    std::stable_sort(trace.begin(), trace.end(),
                     [](const Tx &a, const Tx &b) { return a.end < b.end; });
}

// A bus master: each iteration waits, then reads from the memory, from the device and from the
// memory again. Calls are recorded by the master (stream 0), by the memory (1) and by the device
// (2).
struct Model {
    uint64_t iterations = 200;
    uint64_t moved_at = UINT64_MAX; // iteration with the longer wait
    int64_t moved_by = 0;
    uint64_t device_latency = 8;
    uint64_t period = 0; // not 0: iterations begin at multiples of it

    Trace run() const
    {
        Trace trace;
        uint64_t now = 0;
        for (uint64_t i = 0; i < iterations; ++i) {
            if (period > 0)
                now = (now + period - 1) / period * period;
            now += 10 + i * 7 % 13;
            if (i == moved_at)
                now += static_cast<uint64_t>(moved_by);
            for (unsigned call = 0; call < 3; ++call) {
                const unsigned target = call == 1 ? 2 : 1;
                const uint64_t begin = now;
                const uint64_t latency = target == 2 ? device_latency : 3 + i % 4;
                const uint64_t address = 0x1000 + i % 16 * 4;
                trace.push_back({target, begin + 1, begin + 1 + latency, address, call});
                now = begin + latency + 2;
                trace.push_back({0, begin, now, address, call});
                now += 1;
            }
        }
        in_order_of_end(trace);
        return trace;
    }
};

TEST(DiffTimes, ReportsOneShiftForOneMovedWait)
{
    for (const uint64_t at : {0u, 1u, 57u, 100u, 198u, 199u})
        for (const int64_t by : {1, 7, 1000, 100000}) {
            SCOPED_TRACE(testing::Message() << at << " by " << by);
            Model moved;
            moved.moved_at = at;
            moved.moved_by = by;
            const Result result = compare(Model().run(), moved.run());
            EXPECT_EQ(result.counts[FTR_DIFF_SHIFTED], 1u);
            EXPECT_EQ(result.total, 1u);
            ASSERT_FALSE(result.differences.empty());
            EXPECT_EQ(result.differences[0].delta, by);
            // The call of the master is the first displaced transaction.
            EXPECT_EQ(result.differences[0].stream, "top.s0");
            const Result back = compare(moved.run(), Model().run());
            EXPECT_EQ(back.counts[FTR_DIFF_SHIFTED], 1u);
            EXPECT_EQ(back.total, 1u);
            ASSERT_FALSE(back.differences.empty());
            EXPECT_EQ(back.differences[0].delta, -by);
        }
}

TEST(DiffTimes, ReportsOnlyTheDurationsOfASlowerTarget)
{
    for (const uint64_t latency : {9u, 13u, 50u}) {
        SCOPED_TRACE(latency);
        Model slower;
        slower.device_latency = latency;
        const Result result = compare(Model().run(), slower.run());
        // The device's own transactions, and the master's calls that contain them.
        EXPECT_EQ(result.counts[FTR_DIFF_DURATION], 400u);
        EXPECT_EQ(result.total, 400u);
        uint64_t own = 0;
        for (const Difference &difference : result.differences)
            if (!difference.follows) {
                EXPECT_EQ(difference.stream, "top.s2");
                EXPECT_EQ(difference.delta, static_cast<int64_t>(latency) - 8);
                ++own;
            }
        EXPECT_EQ(own, 200u);
        EXPECT_EQ(compare(slower.run(), Model().run()).total, 400u);
    }
}

TEST(DiffTimes, ReportsASlowerTargetWhereEachIterationBeginsOnTime)
{
    Model model;
    model.period = 200;
    Model slower = model;
    slower.device_latency = 13;
    const Result result = compare(model.run(), slower.run());
    EXPECT_EQ(result.counts[FTR_DIFF_DURATION], 400u);
    EXPECT_EQ(result.total, 400u);
}

TEST(DiffTimes, ReportsEveryDisplacedTransactionInAbsoluteTimes)
{
    Model moved;
    moved.moved_at = 100;
    moved.moved_by = 7;
    ftr_diff_options options{};
    options.times = FTR_DIFF_ABSOLUTE;
    const Result result = compare(Model().run(), moved.run(), options);
    EXPECT_EQ(result.counts[FTR_DIFF_MOVED], 600u);
    EXPECT_EQ(result.total, 600u);
    options.tolerance = 6;
    EXPECT_EQ(compare(Model().run(), moved.run(), options).total, 600u);
    options.tolerance = 7;
    EXPECT_TRUE(compare(Model().run(), moved.run(), options).equal);
}

TEST(DiffTimes, DoesNotReportIgnoredTimes)
{
    Model moved;
    moved.moved_at = 100;
    moved.moved_by = 7;
    moved.device_latency = 21;
    ftr_diff_options options{};
    options.times = FTR_DIFF_IGNORE_TIMES;
    EXPECT_TRUE(compare(Model().run(), moved.run(), options).equal);
}

TEST(DiffTimes, ReportsAShiftAndEditsAfterIt)
{
    Model moved;
    moved.moved_at = 50;
    moved.moved_by = 33;
    Trace other = moved.run();
    other[400].data += 1000;
    other.erase(other.begin() + 700);
    const Result result = compare(Model().run(), other);
    EXPECT_EQ(result.counts[FTR_DIFF_SHIFTED], 1u);
    EXPECT_EQ(result.counts[FTR_DIFF_CHANGED], 1u);
    EXPECT_EQ(result.counts[FTR_DIFF_DELETED], 1u);
    EXPECT_EQ(result.total, 3u);
}

TEST(DiffTimes, ReportsEachShiftOfSeveral)
{
    Model model;
    const Trace one = model.run();
    Trace other = one;
    for (Tx &tx : other) {
        const uint64_t moved = (tx.begin > 1500 ? 7 : 0) + (tx.begin > 4000 ? 5 : 0);
        tx.begin += moved;
        tx.end += moved;
    }
    in_order_of_end(other);
    const Result result = compare(one, other);
    EXPECT_EQ(result.counts[FTR_DIFF_SHIFTED], 2u);
    EXPECT_EQ(result.total, 2u);
}

TEST(DiffTimes, ReportsAShiftBackAsASecondShift)
{
    Model model;
    const Trace one = model.run();
    Trace other = one;
    for (Tx &tx : other)
        if (tx.begin > 1500 && tx.begin < 4000) {
            tx.begin += 3;
            tx.end += 3;
        }
    in_order_of_end(other);
    const Result result = compare(one, other);
    EXPECT_EQ(result.counts[FTR_DIFF_SHIFTED], 2u);
    EXPECT_EQ(result.total, 2u);
}

TEST(DiffTimes, ReportsEachSingleMovedTransaction)
{
    for (const unsigned k : {0u, 1u, 2u, 7u, 30u}) {
        SCOPED_TRACE(k);
        const Trace one = Model().run();
        Trace other = one;
        std::mt19937 random(k);
        for (unsigned i = 0; i < k; ++i) {
            Tx &tx = other[i * 37 + 5];
            const uint64_t by = 1 + random() % 3;
            tx.begin += by;
            tx.end += by;
        }
        in_order_of_end(other);
        const Result result = compare(one, other);
        EXPECT_EQ(result.counts[FTR_DIFF_MOVED], k);
        EXPECT_EQ(result.total, k);
    }
}

TEST(DiffTimes, AlignsTransactionsIfAllTimesDiffer)
{
    const Trace one = Model().run();
    Trace other = one;
    std::mt19937 random(1);
    uint64_t drift = 0;
    std::sort(other.begin(), other.end(),
              [](const Tx &a, const Tx &b) { return a.begin < b.begin; });
    for (Tx &tx : other) {
        drift += random() % 5;
        tx.begin += drift;
        tx.end += drift;
    }
    in_order_of_end(other);
    const Result result = compare(one, other);
    EXPECT_EQ(result.pairs, one.size());
    EXPECT_EQ(result.counts[FTR_DIFF_DELETED] + result.counts[FTR_DIFF_INSERTED], 0u);
}

} // namespace
