// Growing arrays, hash tables by name and by number, interned names.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>

extern "C" {
#include "growing_array.h"
#include "hash.h"
#include "id_index.h"
#include "name_table.h"
#include "open_table.h"
}

TEST(GrowingArray, KeepsItemsAndCountsItsCapacity)
{
    int *items = nullptr;
    std::size_t capacity = 0;
    for (std::size_t i = 0; i < 1000; ++i) {
        ASSERT_TRUE(ftr_array_grow(&items, &capacity, i, sizeof *items));
        ASSERT_GE(capacity, i + 1);
        items[i] = static_cast<int>(i);
    }
    for (std::size_t i = 0; i < 1000; ++i)
        EXPECT_EQ(items[i], static_cast<int>(i));
    std::free(items);
}

TEST(GrowingArray, RefusesASizeThatDoesNotFit)
{
    void *items = nullptr;
    std::size_t capacity = 0;
    EXPECT_FALSE(ftr_array_fit(&items, &capacity, SIZE_MAX / 2, 8));
    EXPECT_FALSE(ftr_array_reach(&items, &capacity, SIZE_MAX, 8));
    EXPECT_EQ(items, nullptr);
    EXPECT_EQ(capacity, 0U);
}

TEST(GrowingArray, ReachesAnIndexAndZeroesNewItems)
{
    std::uint64_t *items = nullptr;
    std::size_t count = 0;
    for (const std::size_t index : {0U, 5U, 100U, 3U}) {
        const std::size_t before = count;
        ASSERT_TRUE(ftr_array_reach(&items, &count, index, sizeof *items));
        ASSERT_GT(count, index);
        for (std::size_t i = before; i < count; ++i)
            EXPECT_EQ(items[i], 0U);
        items[index] = index + 1;
    }
    EXPECT_EQ(items[0], 1U);
    EXPECT_EQ(items[100], 101U);
    std::free(items);
}

TEST(GrowingArray, StaysWithinItsBudget)
{
    ftr_budget budget = {};
    budget.limit = 1000;
    void *items = nullptr;
    std::size_t capacity = 0;
    ASSERT_EQ(ftr_array_reserve(&budget, &items, &capacity, 1, 8), FTR_OK);
    EXPECT_EQ(budget.used, capacity * 8);
    EXPECT_EQ(ftr_array_reserve(&budget, &items, &capacity, 200, 8), FTR_ERR_LIMIT);
    EXPECT_EQ(budget.used, capacity * 8);
    ftr_array_release(&budget, items, capacity, 8);
    EXPECT_EQ(budget.used, 0U);
}

TEST(Hash, HashesATextInParts)
{
    const std::string text = "top.bus.read";
    std::uint64_t hash = ftr_hash_text(FTR_HASH_SEED, text.data(), 4);
    hash = ftr_hash_text(hash, text.data() + 4, text.size() - 4);
    EXPECT_EQ(hash, ftr_hash_text(FTR_HASH_SEED, text.data(), text.size()));
    EXPECT_EQ(ftr_hash_text(FTR_HASH_SEED, "a", 1), 0xaf63dc4c8601ec8cU); // test vector of FNV-1a
}

TEST(IdIndex, FindsEveryIdAndReplacesValues)
{
    ftr_budget budget = {};
    budget.limit = SIZE_MAX;
    ftr_id_index ids = {};
    EXPECT_EQ(ftr_id_index_get(&ids, 7), FTR_ID_NONE);
    for (std::uint64_t i = 0; i < 5000; ++i)
        ASSERT_EQ(ftr_id_index_put(&ids, &budget, i << 20, i), FTR_OK);
    ASSERT_EQ(ftr_id_index_put(&ids, &budget, 3 << 20, 77), FTR_OK);
    EXPECT_EQ(ids.count, 5000U);
    for (std::uint64_t i = 0; i < 5000; ++i)
        ASSERT_EQ(ftr_id_index_get(&ids, i << 20), i == 3 ? 77 : i);
    EXPECT_EQ(ftr_id_index_get(&ids, 1), FTR_ID_NONE);
    ftr_id_index_release(&ids, &budget);
    EXPECT_EQ(budget.used, 0U);
}

TEST(NameTable, DistinguishesThePartsOfAKey)
{
    ftr_name_table table = {};
    EXPECT_EQ(ftr_name_table_find(&table, "a", 1, 0), FTR_NAME_UNKNOWN);
    ASSERT_TRUE(ftr_name_table_add(&table, "read", 4, 1, 10));
    ASSERT_TRUE(ftr_name_table_add(&table, "read", 4, 2, 20));
    EXPECT_EQ(ftr_name_table_find(&table, "read", 4, 1), 10U);
    EXPECT_EQ(ftr_name_table_find(&table, "read", 4, 2), 20U);
    EXPECT_EQ(ftr_name_table_find(&table, "read", 4, 3), FTR_NAME_UNKNOWN);
    ftr_name_table_release(&table);
}

TEST(InternedNames, StoresEachTextOnce)
{
    ftr_names names = {};
    std::set<const ftr_name *> known;
    for (int round = 0; round < 2; ++round)
        for (int i = 0; i < 500; ++i) {
            const std::string text = "stream " + std::to_string(i);
            const ftr_name *name = ftr_names_intern(&names, text.data(), text.size());
            ASSERT_NE(name, nullptr);
            EXPECT_EQ(name->text, text);
            EXPECT_EQ(name->number, static_cast<std::size_t>(i));
            known.insert(name);
        }
    EXPECT_EQ(known.size(), 500U);
    EXPECT_EQ(ftr_names_intern(&names, "", 0)->number, 500U);
    ftr_names_release(&names);
}

namespace
{

// Every hash is the same, so that each search passes all earlier items and wraps around.
struct crowded_item {
    int key;
    bool used;
};

const ftr_table_rule crowded = {
    sizeof(crowded_item), 0,
    [](const void *item) { return !static_cast<const crowded_item *>(item)->used; },
    [](const void *item, const void *key) {
        return static_cast<const crowded_item *>(item)->key == *static_cast<const int *>(key);
    },
    [](const void *) -> std::uint64_t { return 7; }};

class crowded_table
{
  public:
    ~crowded_table() { std::free(items_); }

    crowded_item *find(int key) { return at(7, &key); }

    bool has(int key) { return find(key)->used; }

    void add(int key)
    {
        ASSERT_TRUE(ftr_table_grow(&crowded, &items_, &capacity_, count_, 8));
        *find(key) = {key, true};
        ++count_;
    }

    void remove(int key)
    {
        ftr_table_remove(&crowded, items_, capacity_, find(key));
        --count_;
    }

  private:
    crowded_item *at(std::uint64_t hash, const void *key)
    {
        return static_cast<crowded_item *>(
            ftr_table_search(&crowded, items_, capacity_, hash, key));
    }

    crowded_item *items_ = nullptr;
    std::size_t capacity_ = 0, count_ = 0;
};

} // namespace

TEST(OpenTable, FindsItemsOfEqualHashAfterGrowth)
{
    crowded_table table;
    for (int key = 0; key < 100; ++key)
        table.add(key);
    for (int key = 0; key < 100; ++key)
        EXPECT_TRUE(table.has(key)) << key;
    EXPECT_FALSE(table.has(100));
}

TEST(OpenTable, FindsTheOtherItemsAfterARemoval)
{
    for (int removed = 0; removed < 6; ++removed) {
        crowded_table table;
        for (int key = 0; key < 6; ++key)
            table.add(key);
        table.remove(removed);
        for (int key = 0; key < 6; ++key)
            EXPECT_EQ(table.has(key), key != removed) << key << " after removal of " << removed;
    }
}
