// Open transactions of a stream and its generators, against a count by definition.
extern "C" {
#include "stream_activity.h"
}

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace
{

constexpr size_t GENERATORS = 3;

struct Tx {
    uint64_t begin, end;
    size_t generator;
    bool is_open_at(uint64_t tick) const { return begin <= tick && tick < end; }
};

std::vector<Tx> random_txs(size_t count)
{
    std::mt19937_64 random{5};
    std::vector<Tx> txs;
    uint64_t now = 10;
    for (size_t i = 0; i < count; ++i, now += random() % 3)
        txs.push_back({now, now + random() % 12, random() % GENERATORS});
    return txs;
}

// The ticks with an open transaction, and the greatest number that are open at one tick. A
// generator of GENERATORS means all.
void expect_counts(const std::vector<Tx> &txs, size_t generator, const ftr_open_count &count)
{
    uint64_t busy = 0, most = 0;
    for (uint64_t tick = 0; tick <= txs.back().begin + 12; ++tick) {
        const auto open =
            static_cast<uint64_t>(std::count_if(txs.begin(), txs.end(), [&](const Tx &tx) {
                return (generator == GENERATORS || tx.generator == generator) &&
                       tx.is_open_at(tick);
            }));
        busy += open > 0 ? 1 : 0;
        most = std::max(most, open);
    }
    EXPECT_EQ(count.busy, busy);
    // A transaction without duration adds one to those that are open around it.
    EXPECT_GE(count.outstanding, most);
    EXPECT_LE(count.outstanding, most + 1);
}

TEST(StreamActivity, CountsStreamAndGeneratorsTogether)
{
    const std::vector<Tx> txs = random_txs(3000);
    ftr_stream_activity activity = {};
    ftr_open_count counts[GENERATORS] = {};
    for (const Tx &tx : txs)
        ASSERT_TRUE(ftr_stream_activity_add(&activity, counts, tx.generator, tx.begin, tx.end));
    expect_counts(txs, GENERATORS, activity.count);
    for (size_t i = 0; i < GENERATORS; ++i)
        expect_counts(txs, i, counts[i]);
    ftr_open_ends_release(&activity.ends);
}

TEST(StreamActivity, CountsOpenTransactionsOfEachGenerator)
{
    const std::vector<Tx> txs = random_txs(500);
    const uint64_t now = txs.back().begin + 4;
    ftr_stream_activity activity = {};
    ftr_open_count counts[GENERATORS] = {};
    for (const Tx &tx : txs)
        ASSERT_TRUE(ftr_stream_activity_add(&activity, counts, tx.generator, tx.begin, tx.end));
    ftr_stream_activity_move(&activity, counts, now);
    for (size_t i = 0; i < GENERATORS; ++i)
        EXPECT_EQ(counts[i].open,
                  static_cast<uint64_t>(std::count_if(txs.begin(), txs.end(), [&](const Tx &tx) {
                      return tx.generator == i && tx.end > now;
                  })));
    ftr_open_ends_release(&activity.ends);
}

} // namespace
