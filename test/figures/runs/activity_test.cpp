// The activity of transactions, compared with a count of all earlier transactions.
extern "C" {
#include "activity.h"
}

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace
{

struct transaction {
    uint64_t begin, end;
};

// Returns random transactions in order of begin: at most `step` ticks apart, and open for at most
// `longest` ticks. One in eight has no duration.
std::vector<transaction> transactions(uint64_t step, uint64_t longest)
{
    std::mt19937_64 random(step * 100000 + longest);
    std::vector<transaction> made;
    uint64_t now = 0;
    for (unsigned i = 0; i < 3000; ++i) {
        now += random() % (step + 1);
        made.push_back({now, random() % 8 == 0 ? now : now + random() % (longest + 1)});
    }
    return made;
}

// Returns the number of transactions that overlap transaction `i` when it begins, itself included.
uint64_t overlapping(const std::vector<transaction> &all, size_t i)
{
    const bool lasts = all[i].end > all[i].begin;
    uint64_t count = 1;
    for (size_t k = 0; k < i; ++k)
        count += all[k].end > all[i].begin && (lasts || all[k].begin < all[i].begin);
    return count;
}

void expect_counts(const std::vector<transaction> &all)
{
    ftr_activity activity = {};
    std::set<uint64_t> busy;
    uint64_t outstanding = 0;
    for (size_t i = 0; i < all.size(); ++i) {
        uint64_t idle;
        const size_t before = busy.size();
        ASSERT_TRUE(ftr_activity_add(&activity, all[i].begin, all[i].end, &idle));
        outstanding = std::max(outstanding, overlapping(all, i));
        for (uint64_t tick = all[i].begin; tick < all[i].end; ++tick)
            busy.insert(tick);
        ASSERT_EQ(activity.outstanding, outstanding) << "transaction " << i;
        ASSERT_EQ(activity.busy, busy.size()) << "transaction " << i;
        ASSERT_EQ(all[i].end - idle, busy.size() - before) << "transaction " << i;
    }
    ftr_activity_release(&activity);
    EXPECT_EQ(activity.outstanding, outstanding);
    EXPECT_EQ(activity.busy, busy.size());
}

TEST(Activity, CountsOverlappingTransactionsAndBusyTicks)
{
    for (const uint64_t step : {0, 1, 2, 10})
        for (const uint64_t longest : {0, 1, 8, 31, 64, 500})
            expect_counts(transactions(step, longest));
}

// The number of open transactions rises far above the number of recent ends, falls to 0, and rises
// again.
TEST(Activity, CountsBurstsOfTransactions)
{
    std::vector<transaction> all;
    for (const uint64_t burst : {FTR_RECENT_ENDS_MAX - 1, FTR_RECENT_ENDS_MAX,
                                 FTR_RECENT_ENDS_MAX + 1, 5 * FTR_RECENT_ENDS_MAX})
        for (uint64_t i = 0, start = all.empty() ? 0 : all.back().begin + 1000; i < burst; ++i)
            all.push_back({start + i, start + 2 * burst - i});
    expect_counts(all);
}

} // namespace
