// The ends of open transactions, compared with a sorted container.
extern "C" {
#include "open_ends.h"
}

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace
{

// Transactions begin at each tick and are open for up to `longest` ticks.
void expect_least_ends(uint64_t longest)
{
    std::mt19937_64 random(longest);
    std::multiset<uint64_t> expected;
    ftr_open_ends ends = {};
    for (uint64_t now = 0; now < 20000; ++now) {
        while (ftr_open_ends_has_ended(&ends, now)) {
            ASSERT_FALSE(expected.empty());
            ASSERT_EQ(ftr_open_ends_remove(&ends), *expected.begin());
            expected.erase(expected.begin());
        }
        ASSERT_EQ(ends.count, expected.size());
        ASSERT_TRUE(expected.empty() || *expected.begin() > now);
        const uint64_t end = now + 1 + random() % longest;
        ASSERT_TRUE(ftr_open_ends_add(&ends, end, end));
        expected.insert(end);
    }
    ftr_open_ends_release(&ends);
}

TEST(OpenEnds, AreRemovedInTheirOrder)
{
    for (const uint64_t longest : {1, 2, 5, 8, 9, 15, 16, 17, 30, 100, 5000})
        expect_least_ends(longest);
}

TEST(OpenEnds, AreRemovedInTheirOrderIfTheyAreAddedInTheOpposite)
{
    ftr_open_ends ends = {};
    for (uint64_t end = 1000; end > 0; --end)
        ASSERT_TRUE(ftr_open_ends_add(&ends, end, end));
    for (uint64_t end = 1; end <= 1000; ++end)
        ASSERT_EQ(ftr_open_ends_remove(&ends), end);
    EXPECT_EQ(ends.count, 0u);
    ftr_open_ends_release(&ends);
}

} // namespace
