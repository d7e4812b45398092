// The dictionary: equal texts share an id, and old texts are evicted to stay within the budget.
extern "C" {
#include "dictionary.h"
}

#include <gtest/gtest.h>

#include <cstring>

#include <random>
#include <string>
#include <unordered_map>

namespace
{
class Dictionary : public testing::Test
{
  protected:
    ~Dictionary() override { ftr_dictionary_release(&dictionary_); }

    struct answer {
        std::uint32_t id;
        bool is_new;
    };

    answer get(const std::string &text)
    {
        answer given{UINT32_MAX, false};
        EXPECT_EQ(
            ftr_dictionary_get(&dictionary_, bytes(text), text.size(), &given.id, &given.is_new),
            FTR_OK);
        return given;
    }

    answer get_bytes(std::uint64_t value, std::uint32_t count)
    {
        answer given{UINT32_MAX, false};
        EXPECT_EQ(ftr_dictionary_get_bytes(&dictionary_, value, count, &given.id, &given.is_new),
                  FTR_OK);
        return given;
    }

    bool knows(const std::string &text)
    {
        std::uint32_t id;
        return ftr_dictionary_find(&dictionary_, bytes(text), text.size(), &id);
    }

    void open(std::size_t budget) { ftr_dictionary_init(&dictionary_, budget); }

    static const std::uint8_t *bytes(const std::string &text)
    {
        return reinterpret_cast<const std::uint8_t *>(text.data());
    }

    ftr_dictionary dictionary_ = {};
};

TEST_F(Dictionary, AssignsOneIdToEqualStrings)
{
    open(1 << 20);
    const answer first = get("address");
    const answer again = get("address");
    EXPECT_TRUE(first.is_new);
    EXPECT_FALSE(again.is_new);
    EXPECT_EQ(first.id, again.id);
}

TEST_F(Dictionary, AssignsConsecutiveIdsFromZero)
{
    open(1 << 20);
    for (std::uint32_t i = 0; i < 20000; ++i)
        ASSERT_EQ(get("text " + std::to_string(i)).id, i);
}

TEST_F(Dictionary, DistinguishesStringsByEveryByte)
{
    open(1 << 20);
    const std::string base(40, 'x');
    ASSERT_TRUE(get(base).is_new);
    for (std::size_t i = 0; i < base.size(); ++i) {
        std::string other = base;
        other[i] = 'y';
        EXPECT_TRUE(get(other).is_new) << i;
        EXPECT_TRUE(get(base.substr(0, i)).is_new) << i;
    }
}

TEST_F(Dictionary, DistinguishesStringsByBytesAfterANul)
{
    open(1 << 20);
    EXPECT_TRUE(get(std::string("a\0b", 3)).is_new);
    EXPECT_TRUE(get(std::string("a\0c", 3)).is_new);
    EXPECT_TRUE(get(std::string("a\0", 2)).is_new);
    EXPECT_TRUE(get("a").is_new);
    EXPECT_TRUE(get("").is_new);
    EXPECT_FALSE(get(std::string("a\0c", 3)).is_new);
    EXPECT_FALSE(get("").is_new);
}

TEST_F(Dictionary, FindsWithoutAdding)
{
    open(1 << 20);
    EXPECT_FALSE(knows("a"));
    EXPECT_EQ(get("a").id, 0u);
    EXPECT_TRUE(knows("a"));
    EXPECT_FALSE(knows("b"));
    EXPECT_EQ(get("c").id, 1u);
}

TEST_F(Dictionary, StaysWithinItsBudget)
{
    constexpr std::size_t budget = 1 << 20;
    open(budget);
    std::mt19937 random(7);
    std::size_t most = 0;
    for (int i = 0; i < 200000; ++i) {
        get(std::to_string(i) + std::string(random() % 90, 'v'));
        most = std::max(most, ftr_dictionary_memory(&dictionary_));
    }
    // Tables double their size, so up to half as much may be allocated but unused.
    EXPECT_LT(most, budget + budget / 2);
    EXPECT_GT(most, budget / 2);
    EXPECT_GT(dictionary_.evicted, 100000u);
}

TEST_F(Dictionary, AssignsANewIdToAnEvictedString)
{
    open(1);
    std::unordered_map<std::string, std::uint32_t> last;
    std::uint32_t next = 0;
    std::size_t repeated = 0;
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 5000; ++i) {
            const std::string text = "a rather long text, so that few fit " + std::to_string(i);
            const answer given = get(text);
            if (given.is_new) {
                ASSERT_EQ(given.id, next++);
                repeated += last.count(text);
            } else {
                ASSERT_EQ(given.id, last.at(text));
            }
            last[text] = given.id;
        }
    }
    EXPECT_EQ(repeated, 10000u);
    EXPECT_EQ(get("a rather long text, so that few fit 4999").is_new, false);
}

TEST_F(Dictionary, KeepsAFrequentString)
{
    open(1);
    ASSERT_EQ(get("clk").id, 0u);
    for (int i = 0; i < 20000; ++i) {
        ASSERT_TRUE(get("once " + std::to_string(i)).is_new);
        ASSERT_FALSE(get("clk").is_new) << i;
    }
}

TEST_F(Dictionary, DoesNotEvictOtherStringsForOneLongString)
{
    open(1 << 20);
    get("short");
    const std::string text(1 << 20, 'l');
    EXPECT_TRUE(get(text).is_new);
    EXPECT_TRUE(get(text).is_new) << "it is not remembered";
    EXPECT_FALSE(get("short").is_new);
    EXPECT_LT(ftr_dictionary_memory(&dictionary_), std::size_t(1) << 18);
}

TEST_F(Dictionary, IsEmptyAfterRestart)
{
    open(1 << 20);
    for (const char *text : {"a", "a short one", "one that is longer than thirty-two characters"})
        ASSERT_TRUE(get(text).is_new);
    ftr_dictionary_restart(&dictionary_);
    std::uint32_t next = 0;
    for (const char *text : {"one that is longer than thirty-two characters", "a short one", "a"}) {
        std::uint32_t id = 0;
        const auto *bytes = reinterpret_cast<const std::uint8_t *>(text);
        EXPECT_FALSE(ftr_dictionary_try_get(&dictionary_, bytes, std::strlen(text), &id)) << text;
        const answer found = get(text);
        EXPECT_TRUE(found.is_new) << text;
        EXPECT_EQ(found.id, next++);
    }
    EXPECT_EQ(dictionary_.evicted, 0u);
}

TEST_F(Dictionary, CountsEvictedStrings)
{
    open(1);
    for (int i = 0; i < 20000; ++i)
        get("text " + std::to_string(i));
    std::uint64_t known = 0;
    for (int i = 0; i < 20000; ++i)
        known += knows("text " + std::to_string(i));
    EXPECT_EQ(dictionary_.evicted + known, 20000u);
    EXPECT_GT(known, 100u);
}

TEST_F(Dictionary, RefusesIdsThatReadersCannotStore)
{
    open(1 << 20);
    get("first");
    dictionary_.next_id = FTR_DICTIONARY_IDS;
    EXPECT_EQ(get("last").id, FTR_DICTIONARY_IDS);
    std::uint32_t id = 5;
    bool is_new = false;
    EXPECT_EQ(ftr_dictionary_get(&dictionary_, bytes("one more"), 8, &id, &is_new), FTR_ERR_LIMIT);
    EXPECT_EQ(id, 5u);
    EXPECT_FALSE(get("first").is_new) << "what is known goes on";
}

// Few different values and all counts, so that values often differ only in their number of bytes,
// in bytes that are not used, or in one bit.
TEST_F(Dictionary, AssignsOneIdToEqualBytes)
{
    open(1 << 22);
    std::unordered_map<std::string, std::uint32_t> known;
    std::mt19937_64 random(11);
    for (int i = 0; i < 50000; ++i) {
        const std::uint32_t count = 1 + random() % 8;
        const std::uint64_t value = std::uint64_t(1) << random() % 64 | random() % 4 << 62;
        const std::string key(reinterpret_cast<const char *>(&value), count);
        const answer given = get_bytes(value, count);
        const auto [place, is_first] = known.emplace(key, known.size());
        ASSERT_EQ(given.is_new, is_first) << std::hex << value << ' ' << count;
        ASSERT_EQ(given.id, place->second) << std::hex << value << ' ' << count;
    }
    EXPECT_GT(known.size(), 200u);
}

TEST_F(Dictionary, KeepsBytesAndStringsApart)
{
    open(1 << 20);
    for (std::uint32_t i = 0; i < 10000; ++i) {
        std::uint64_t word = 0;
        const std::string text = std::to_string(i);
        std::memcpy(&word, text.data(), text.size());
        ASSERT_EQ(get(text).id, 2 * i);
        ASSERT_EQ(get_bytes(word, std::uint32_t(text.size())).id, 2 * i + 1);
        ASSERT_EQ(get(text).id, 2 * i);
    }
    for (std::uint32_t i = 0; i < 10000; ++i)
        ASSERT_EQ(get(std::to_string(i)).id, 2 * i);
}

TEST_F(Dictionary, AssignsANewIdToEvictedBytes)
{
    constexpr std::size_t budget = 1 << 18;
    open(budget);
    std::unordered_map<std::uint64_t, std::uint32_t> last;
    std::uint32_t next = 0;
    std::size_t repeated = 0;
    for (int round = 0; round < 3; ++round) {
        for (std::uint64_t i = 0; i < 30000; ++i) {
            const answer given = get_bytes(i << 20, 8);
            if (given.is_new) {
                ASSERT_EQ(given.id, next++);
                repeated += last.count(i);
            } else {
                ASSERT_EQ(given.id, last.at(i));
            }
            last[i] = given.id;
        }
    }
    EXPECT_EQ(repeated, 60000u);
    EXPECT_LE(ftr_dictionary_memory(&dictionary_), budget + budget / 2);
    EXPECT_GT(dictionary_.evicted, 50000u);
}

TEST_F(Dictionary, ForgetsBytesAtRestart)
{
    open(1 << 20);
    for (std::uint64_t i = 0; i < 3000; ++i)
        ASSERT_EQ(get_bytes(i, 4).id, i);
    ftr_dictionary_restart(&dictionary_);
    for (std::uint64_t i = 3000; i-- > 0;)
        ASSERT_EQ(get_bytes(i, 4).id, 2999 - i);
}
} // namespace
