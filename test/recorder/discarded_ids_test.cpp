// The ids of discarded transactions.
extern "C" {
#include "discarded_ids.h"
}

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace
{
class DiscardedIds : public testing::Test
{
  protected:
    DiscardedIds() { ftr_discarded_ids_init(&ids_); }
    ~DiscardedIds() override { ftr_discarded_ids_release(&ids_); }

    void add(std::uint64_t id) { ftr_discarded_ids_add(&ids_, id); }
    bool contains(std::uint64_t id) { return ftr_discarded_ids_contains(&ids_, id); }

    // Returns true if the intervals are sorted and disjoint.
    bool is_sound() const
    {
        for (std::size_t i = 0; i < ids_.ids.count; ++i) {
            if (ids_.ids.intervals[i].first > ids_.ids.intervals[i].last)
                return false;
            if (i > 0 && ids_.ids.intervals[i - 1].last + 1 >= ids_.ids.intervals[i].first)
                return false;
        }
        return true;
    }

    ftr_discarded_ids ids_;
};

TEST_F(DiscardedIds, ContainAddedIds)
{
    EXPECT_FALSE(contains(5));
    add(5);
    EXPECT_TRUE(contains(5));
    EXPECT_FALSE(contains(4));
    EXPECT_FALSE(contains(6));
    add(5);
    EXPECT_EQ(ids_.ids.count, 1u);
}

TEST_F(DiscardedIds, MergeNeighboursToOneInterval)
{
    for (std::uint64_t id = 100; id < 200; ++id)
        add(id);
    add(99);
    EXPECT_EQ(ids_.ids.count, 1u);
    add(201);
    EXPECT_EQ(ids_.ids.count, 2u);
    add(200);
    EXPECT_EQ(ids_.ids.count, 1u);
    EXPECT_FALSE(contains(98));
    EXPECT_TRUE(contains(201));
    EXPECT_FALSE(contains(202));
}

TEST_F(DiscardedIds, DoNotDependOnTheOrderOfAdding)
{
    std::mt19937 random(3);
    std::set<std::uint64_t> model;
    for (int i = 0; i < 20000; ++i) {
        const std::uint64_t id = random() % 30000;
        add(id);
        model.insert(id);
    }
    ASSERT_TRUE(is_sound());
    for (std::uint64_t id = 0; id < 30001; ++id)
        ASSERT_EQ(contains(id), model.count(id) == 1) << id;
}

constexpr std::uint64_t most_intervals = 1 << 16;

TEST_F(DiscardedIds, MergeTheOldestIntervalsBeyondTheirBound)
{
    for (std::uint64_t i = 1; i <= most_intervals + 1; ++i)
        add(10 * i);
    EXPECT_EQ(ids_.ids.count, most_intervals);
    ASSERT_TRUE(is_sound());
    EXPECT_TRUE(contains(10));
    EXPECT_TRUE(contains(15)) << "between the oldest two";
    EXPECT_FALSE(contains(25));
    for (std::uint64_t i = 1; i <= most_intervals + 1; ++i)
        ASSERT_TRUE(contains(10 * i));
}

TEST_F(DiscardedIds, LoseNoIdBeyondTheirBound)
{
    for (std::uint64_t i = 1; i <= most_intervals; ++i)
        add(10 * i);
    add(15); // into the gap that is closed to make room for it
    ASSERT_TRUE(is_sound());
    EXPECT_TRUE(contains(10));
    EXPECT_TRUE(contains(15));
    EXPECT_TRUE(contains(20));
    add(5); // before all of them
    ASSERT_TRUE(is_sound());
    for (std::uint64_t id : {5, 10, 15, 20, 30})
        EXPECT_TRUE(contains(id)) << id;
    EXPECT_TRUE(contains(10 * most_intervals));
    EXPECT_FALSE(contains(10 * most_intervals - 5));
}

TEST_F(DiscardedIds, AreEmptyAfterRelease)
{
    add(1);
    ftr_discarded_ids_release(&ids_);
    EXPECT_FALSE(contains(1));
}
} // namespace
