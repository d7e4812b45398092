// The lowest ticket of many bodies, compared with an ordered set.
extern "C" {
#include "held_tickets.h"
}

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <random>
#include <set>

namespace
{
class HeldTickets : public testing::Test
{
  protected:
    ~HeldTickets() override { ftr_held_tickets_release(&held_); }

    void add(std::uint64_t ticket)
    {
        ASSERT_TRUE(ftr_held_tickets_add(&held_, ticket));
        expected_.insert(ticket);
        expect_lowest();
    }

    void remove(std::multiset<std::uint64_t>::iterator at)
    {
        ftr_held_tickets_remove(&held_, *at);
        expected_.erase(at);
        expect_lowest();
    }

    void expect_lowest() const
    {
        ASSERT_EQ(ftr_held_tickets_lowest(&held_),
                  expected_.empty() ? UINT64_MAX : *expected_.begin());
    }

    ftr_held_tickets held_ = {};
    std::multiset<std::uint64_t> expected_;
};
} // namespace

TEST_F(HeldTickets, AreNoneAtFirst)
{
    expect_lowest();
}

TEST_F(HeldTickets, CanBeAnyDistanceApart)
{
    for (std::uint64_t distance : {1, 62, 63, 64, 65, 127, 128, 129, 65535, 65536, 65537}) {
        SCOPED_TRACE(distance);
        add(1000000);
        add(1000000 + distance);
        remove(expected_.begin());
        add(1000000);
        remove(std::prev(expected_.end()));
        remove(expected_.begin());
    }
}

TEST_F(HeldTickets, CanBeLowerThanAllOthers)
{
    for (std::uint64_t ticket = 1000; ticket > 0; ticket--)
        add(ticket);
    while (!expected_.empty())
        remove(expected_.begin());
}

TEST_F(HeldTickets, AreThoseOfRandomAdditionsAndRemovals)
{
    std::mt19937 random(1);
    std::uint64_t newest = 1;
    for (int i = 0; i < 50000; i++) {
        newest += random() % 16 == 0;
        const bool adds = expected_.size() < 300 && random() % 100 < (i % 20000 < 10000 ? 60 : 40);
        if (expected_.empty() || adds) {
            add(newest - std::min<std::uint64_t>(newest - 1, random() % 4 ? 0 : random() % 100));
        } else {
            auto at = expected_.begin();
            std::advance(at, random() % expected_.size());
            remove(at);
        }
        ASSERT_FALSE(HasFatalFailure());
    }
}
