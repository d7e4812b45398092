// Sorted keys of transactions, compared with those of the standard library.
extern "C" {
#include "report_tx.h"
}

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace
{

void expect_sorted(std::vector<ftr_tx_key> keys)
{
    std::vector<ftr_tx_key> expected = keys;
    std::stable_sort(expected.begin(), expected.end(),
                     [](const ftr_tx_key &a, const ftr_tx_key &b) { return a.begin < b.begin; });
    std::vector<ftr_tx_key> spare(keys.size());
    const ftr_tx_key *sorted = ftr_tx_keys_sort(keys.data(), keys.size(), spare.data());
    for (size_t i = 0; i < keys.size(); ++i)
        ASSERT_EQ(sorted[i].index, expected[i].index) << "at " << i << " of " << keys.size();
}

TEST(TxKeys, SortsAnyOrder)
{
    std::mt19937_64 random(6);
    for (const size_t count : {0, 1, 2, 3, 7, 100, 5000}) {
        std::vector<ftr_tx_key> keys(count);
        for (size_t i = 0; i < count; ++i)
            keys[i] = {random() % 1000, i};
        expect_sorted(keys);
        std::reverse(keys.begin(), keys.end());
        expect_sorted(keys);
    }
}

TEST(TxKeys, MergesGroupsThatAreInOrder)
{
    std::vector<ftr_tx_key> keys;
    for (size_t group = 0; group < 37; ++group)
        for (size_t i = 0; i < 50 + group; ++i)
            keys.push_back({group / 4 * 100 + i, keys.size()});
    expect_sorted(keys);
}

} // namespace
