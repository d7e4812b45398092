// Percentiles of the latencies of a slot, compared with sorted values.
extern "C" {
#include "slot_latencies.h"
}

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace
{

uint64_t nearest_rank(std::vector<uint64_t> values, uint64_t percent)
{
    std::sort(values.begin(), values.end());
    const uint64_t rank = (values.size() * percent + 99) / 100;
    return values[rank > 0 ? rank - 1 : 0];
}

std::pair<uint64_t, uint64_t> percentiles(ftr_slot_latencies &latencies, uint32_t first,
                                          uint32_t second)
{
    const uint32_t percents[2] = {first * FTR_PERCENT, second * FTR_PERCENT};
    uint64_t values[2] = {0, 0};
    EXPECT_TRUE(ftr_slot_latencies_percentiles(&latencies, percents, values));
    return {values[0], values[1]};
}

uint64_t percentile(ftr_slot_latencies &latencies, uint32_t percent)
{
    const auto [first, second] = percentiles(latencies, percent, percent);
    EXPECT_EQ(first, second);
    return first;
}

void expect_percentiles(const std::vector<uint64_t> &values)
{
    ftr_slot_latencies latencies = {};
    for (const uint64_t value : values)
        ASSERT_TRUE(ftr_slot_latencies_add(&latencies, value));
    for (const uint32_t percent : {0, 1, 50, 99, 100})
        EXPECT_EQ(percentile(latencies, percent), nearest_rank(values, percent))
            << percent << " % of " << values.size();
    for (const auto &[first, second] :
         {std::pair{50u, 99u}, std::pair{99u, 50u}, std::pair{1u, 2u}, std::pair{0u, 100u}})
        EXPECT_EQ(percentiles(latencies, first, second),
                  std::pair(nearest_rank(values, first), nearest_rank(values, second)))
            << first << " % and " << second << " % of " << values.size();
    EXPECT_EQ(latencies.greatest, *std::max_element(values.begin(), values.end()));
    ftr_slot_latencies_release(&latencies);
}

TEST(SlotLatencies, EqualSortedValues)
{
    std::mt19937_64 random(3);
    for (const size_t count : {1, 2, 3, 4, 5, 16, 17, 1000, 32768, 32769, 40000})
        for (const uint64_t limit : {1, 2, 3, 100, 60000})
            for (int round = 0; round < (count < 100 ? 50 : 1); ++round) {
                std::vector<uint64_t> values(count);
                for (uint64_t &value : values)
                    value = random() % limit;
                expect_percentiles(values);
            }
}

TEST(SlotLatencies, EqualSortedValuesThatAreInOrder)
{
    std::vector<uint64_t> values(10000);
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = i;
    expect_percentiles(values);
    std::reverse(values.begin(), values.end());
    expect_percentiles(values);
}

TEST(SlotLatencies, EqualSortedValuesWithAnExtremeOne)
{
    std::mt19937_64 random(4);
    std::vector<uint64_t> values(1000);
    for (uint64_t &value : values)
        value = 5000 + random() % 3000;
    expect_percentiles(values);
    for (const uint64_t extreme : {UINT64_C(0), UINT64_C(1) << 40, UINT64_MAX}) {
        values.push_back(extreme);
        expect_percentiles(values);
    }
}

TEST(SlotLatencies, IncludeValuesThatAreAddedAfterAPercentile)
{
    ftr_slot_latencies latencies = {};
    for (uint64_t i = 1; i <= 1000; ++i) {
        ASSERT_TRUE(ftr_slot_latencies_add(&latencies, i));
        ASSERT_EQ(percentile(latencies, 50), (i + 1) / 2);
    }
    ftr_slot_latencies_release(&latencies);
}

TEST(SlotLatencies, AreEmptyAfterClear)
{
    ftr_slot_latencies latencies = {};
    for (uint64_t i = 0; i < 20000; ++i)
        ASSERT_TRUE(ftr_slot_latencies_add(&latencies, i));
    ftr_slot_latencies_clear(&latencies);
    EXPECT_EQ(percentile(latencies, 50), 0u);
    ASSERT_TRUE(ftr_slot_latencies_add(&latencies, 7));
    EXPECT_EQ(percentile(latencies, 50), 7u);
    EXPECT_EQ(latencies.greatest, 7u);
    ftr_slot_latencies_release(&latencies);
}

} // namespace
