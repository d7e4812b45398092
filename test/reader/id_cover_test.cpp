// The cover of ids: contains every id that was added, is no wider than these ids, and leaves out a
// large gap.
extern "C" {
#include "id_cover.h"
}

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace
{
using ids = std::vector<std::uint64_t>;

ftr_id_cover cover_of(const ids &added)
{
    ftr_id_cover cover = ftr_id_cover_none;
    for (const std::uint64_t id : added)
        ftr_id_cover_add(&cover, id);
    return cover;
}

void expect_sound(const ids &added)
{
    const ftr_id_cover cover = cover_of(added);
    const auto [least, greatest] = std::minmax_element(added.begin(), added.end());
    const bool is_split = ftr_id_cover_is_split(&cover);
    ASSERT_FALSE(ftr_id_cover_is_empty(&cover));
    for (const std::uint64_t id : added)
        ASSERT_TRUE(ftr_id_cover_has(&cover, id)) << id;
    EXPECT_EQ(is_split ? cover.low_first : cover.first, *least);
    EXPECT_EQ(cover.last, *greatest);
    if (is_split) {
        EXPECT_LE(cover.low_first, cover.low_last);
        EXPECT_LT(cover.low_last, cover.first);
    }
}
} // namespace

TEST(IdCover, IsEmptyWithoutIds)
{
    const ftr_id_cover cover = ftr_id_cover_none;
    EXPECT_TRUE(ftr_id_cover_is_empty(&cover));
    for (const std::uint64_t id :
         {UINT64_C(0), UINT64_C(1), FTR_ID_NEAR, UINT64_MAX - 1, UINT64_MAX})
        EXPECT_FALSE(ftr_id_cover_has(&cover, id)) << id;
}

TEST(IdCover, OfAllIdsHasEachOfThem)
{
    const ftr_id_cover cover = ftr_id_cover_all;
    for (const std::uint64_t id : {UINT64_C(0), UINT64_C(1), FTR_ID_NEAR, UINT64_MAX})
        EXPECT_TRUE(ftr_id_cover_has(&cover, id)) << id;
}

TEST(IdCover, ContainsItsIdsAtTheLimitsOfTheirType)
{
    const ids limits = {0,
                        1,
                        2,
                        FTR_ID_NEAR - 1,
                        FTR_ID_NEAR,
                        FTR_ID_NEAR + 1,
                        2 * FTR_ID_NEAR,
                        UINT64_MAX / 2,
                        UINT64_MAX - FTR_ID_NEAR - 1,
                        UINT64_MAX - FTR_ID_NEAR,
                        UINT64_MAX - 1,
                        UINT64_MAX};
    for (const std::uint64_t a : limits)
        for (const std::uint64_t b : limits)
            for (const std::uint64_t c : limits)
                for (const std::uint64_t d : limits)
                    expect_sound({a, b, c, d});
}

TEST(IdCover, ContainsRandomIds)
{
    std::mt19937_64 random(5);
    for (int round = 0; round < 20000; ++round) {
        ids added(1 + random() % 12);
        const unsigned shift = random() % 64;
        for (std::uint64_t &id : added)
            id = random() % 3 == 0 ? random() >> shift : (random() >> shift) % (3 * FTR_ID_NEAR);
        expect_sound(added);
    }
}

TEST(IdCover, HasAGapBetweenAnOldIdAndRecentOnes)
{
    ids added;
    for (std::uint64_t id = 100'000'000; id < 100'002'000; ++id) {
        added.push_back(1); // the parent of all
        added.push_back(id);
    }
    const ftr_id_cover cover = cover_of(added);
    EXPECT_EQ(cover.low_first, 1u);
    EXPECT_EQ(cover.low_last, 1u);
    EXPECT_EQ(cover.first, 100'000'000u);
    EXPECT_EQ(cover.last, 100'001'999u);
}

TEST(IdCover, HasTheLargestGapOfAscendingIds)
{
    const std::uint64_t far = 10 * FTR_ID_NEAR;
    const ftr_id_cover cover =
        cover_of({5, 5 + far, 6 + far, 7 + 3 * far, 8 + 3 * far, 9 + 4 * far});
    EXPECT_EQ(cover.low_first, 5u);
    EXPECT_EQ(cover.low_last, 6 + far);
    EXPECT_EQ(cover.first, 7 + 3 * far);
    EXPECT_EQ(cover.last, 9 + 4 * far);
}
