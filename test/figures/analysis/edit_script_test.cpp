// Compares the alignment of keys with that of an exhaustive table.
#include <gtest/gtest.h>

extern "C" {
#include "edit_script.h"
}

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace
{

using Keys = std::vector<uint64_t>;

size_t longest_common_subsequence(const Keys &a, const Keys &b)
{
    std::vector<std::vector<size_t>> table(a.size() + 1, std::vector<size_t>(b.size() + 1));
    for (size_t i = 1; i <= a.size(); ++i)
        for (size_t k = 1; k <= b.size(); ++k)
            table[i][k] = a[i - 1] == b[k - 1] ? table[i - 1][k - 1] + 1
                                               : std::max(table[i - 1][k], table[i][k - 1]);
    return table[a.size()][b.size()];
}

// Returns the number of pairs in the script; fails unless they ascend and are equal.
size_t pairs_of(const Keys &a, const Keys &b)
{
    std::vector<uint32_t> partner(a.size() + 1);
    EXPECT_TRUE(ftr_edit_script(a.data(), static_cast<uint32_t>(a.size()), b.data(),
                                static_cast<uint32_t>(b.size()), partner.data()));
    size_t pairs = 0;
    int64_t last = -1;
    for (size_t i = 0; i < a.size(); ++i) {
        if (partner[i] == FTR_NO_PARTNER)
            continue;
        EXPECT_GT(static_cast<int64_t>(partner[i]), last);
        EXPECT_LT(partner[i], b.size());
        EXPECT_EQ(a[i], b[partner[i]]);
        last = partner[i];
        ++pairs;
    }
    return pairs;
}

Keys random_keys(size_t count, uint64_t different, std::mt19937 &random)
{
    Keys keys(count);
    for (uint64_t &key : keys)
        key = random() % different;
    return keys;
}

TEST(EditScript, IsLongestForRandomKeys)
{
    std::mt19937 random(1);
    for (unsigned round = 0; round < 3000; ++round) {
        const uint64_t different = 1 + random() % 12;
        const Keys a = random_keys(random() % 60, different, random);
        Keys b = random_keys(random() % 60, different, random);
        if (round % 2 == 0) {
            b = a;
            for (unsigned edit = random() % 4; edit > 0 && !b.empty(); --edit)
                b[random() % b.size()] = random() % different;
        }
        ASSERT_EQ(pairs_of(a, b), longest_common_subsequence(a, b)) << round;
    }
}

// More than 512 differences: unique keys are the anchors, and the parts between them have few
// differences.
TEST(EditScript, IsLongestForUniqueKeysWithManyDifferences)
{
    for (const size_t edits : {200u, 400u, 1000u}) {
        std::mt19937 random(static_cast<unsigned>(edits));
        Keys a;
        for (uint64_t i = 0; i < 3000; ++i)
            a.push_back(i % 5 == 0 ? i : i % 3);
        Keys b = a;
        for (size_t i = 0; i < edits; ++i) {
            b.erase(b.begin() + static_cast<long>(random() % b.size()));
            b.insert(b.begin() + static_cast<long>(random() % b.size()), 1000000 + i);
        }
        EXPECT_EQ(pairs_of(a, b), longest_common_subsequence(a, b)) << edits;
    }
}

TEST(EditScript, FindsMatchesAfterALongInsertion)
{
    Keys a;
    for (uint64_t i = 0; i < 20000; ++i)
        a.push_back(i);
    Keys b(100000, 7000000);
    b.insert(b.end(), a.begin(), a.end());
    a.insert(a.begin(), 5, 9000000);
    // The ends differ as well, and keys without anchors agree before them.
    a.insert(a.end(), {6, 5, 5, 6, 8000000});
    b.insert(b.end(), {6, 5, 5, 6, 8000001});
    EXPECT_EQ(pairs_of(a, b), 20004u);
}

} // namespace
