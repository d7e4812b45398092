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
    DiscardedIds() { ftr_discarded_ids_init(&ids_, 0); }
    ~DiscardedIds() override { ftr_discarded_ids_release(&ids_); }

    void add(std::uint64_t id) { ftr_discarded_ids_add(&ids_, id); }
    bool contains(std::uint64_t id) { return ftr_discarded_ids_contains(&ids_, id); }

    // Returns true if the intervals are sorted and disjoint.
    bool is_sound() const
    {
        for (std::size_t i = 0; i < ids_.discarded.count; ++i) {
            if (ids_.discarded.intervals[i].first > ids_.discarded.intervals[i].last)
                return false;
            if (i > 0 &&
                ids_.discarded.intervals[i - 1].last + 1 >= ids_.discarded.intervals[i].first)
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
    EXPECT_EQ(ids_.discarded.count, 1u);
}

TEST_F(DiscardedIds, MergeNeighboursToOneInterval)
{
    for (std::uint64_t id = 100; id < 200; ++id)
        add(id);
    add(99);
    EXPECT_EQ(ids_.discarded.count, 1u);
    add(201);
    EXPECT_EQ(ids_.discarded.count, 2u);
    add(200);
    EXPECT_EQ(ids_.discarded.count, 1u);
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
    EXPECT_EQ(ids_.discarded.count, most_intervals);
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

class DiscardedIdsBeforeWindow : public DiscardedIds
{
  protected:
    DiscardedIdsBeforeWindow() { ftr_discarded_ids_init(&ids_, UINT64_MAX); }

    void keep(std::uint64_t id) { ftr_discarded_ids_keep(&ids_, id); }
};

TEST_F(DiscardedIdsBeforeWindow, AreAllIdsExceptThoseKept)
{
    keep(7);
    keep(8);
    for (std::uint64_t id : {1, 6, 9, 1000000})
        EXPECT_TRUE(contains(id)) << id;
    EXPECT_FALSE(contains(7));
    EXPECT_FALSE(contains(8));
    EXPECT_EQ(ids_.kept.count, 1u);
    for (std::uint64_t id = 10; id < 100000; id += 3)
        add(id); // expected, so that nothing is stored
    EXPECT_EQ(ids_.discarded.count, 0u);
}

TEST_F(DiscardedIdsBeforeWindow, AreThoseBelowTheWatermarkAndThoseAdded)
{
    keep(7);
    ftr_discarded_ids_set_watermark(&ids_, 100);
    keep(50); // open at the start of the window
    keep(100);
    add(60);
    add(150);
    for (std::uint64_t id : {1, 6, 8, 60, 99, 150})
        EXPECT_TRUE(contains(id)) << id;
    for (std::uint64_t id : {7, 50, 100, 101, 149, 151})
        EXPECT_FALSE(contains(id)) << id;
    EXPECT_EQ(ids_.kept.count, 2u);
    EXPECT_EQ(ids_.discarded.count, 1u);
}

TEST_F(DiscardedIdsBeforeWindow, IncludeTheLowestKeptIdsBeyondTheirBound)
{
    for (std::uint64_t i = 1; i <= most_intervals + 1; ++i)
        keep(10 * i);
    EXPECT_TRUE(contains(10)) << "relations to it are discarded";
    for (std::uint64_t i = most_intervals / 2; i <= most_intervals + 1; ++i) {
        ASSERT_FALSE(contains(10 * i));
        ASSERT_TRUE(contains(10 * i + 1));
    }
}
} // namespace
