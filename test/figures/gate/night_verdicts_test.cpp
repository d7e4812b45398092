// Verdicts about nights: by chance alone hardly one fails, and a change is found where it is.
#include "simulated_nights.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace
{

constexpr ftr_night_options USUAL = {1, 1, 0.005};
constexpr ftr_night_options ANY = {0, 0, 0.005}; // also the smallest difference

std::size_t false_nights(std::size_t count, const nights::campaign &of,
                         const ftr_night_options &options, unsigned seed)
{
    std::mt19937 random(seed);
    std::size_t failed = 0;
    for (std::size_t i = 0; i < count; ++i)
        failed += !nights::judge(random, of, {}, options).failed.empty();
    return failed;
}

} // namespace

TEST(NightVerdicts, NightsWithNewSeedsPass)
{
    nights::campaign of;
    of.tests = 10;
    EXPECT_LE(false_nights(100, of, USUAL, 1), 2U);
    of.spread = 0.05;
    EXPECT_LE(false_nights(100, of, USUAL, 2), 4U);
    of.tail = 3; // outliers
    EXPECT_LE(false_nights(100, of, USUAL, 3), 4U);
    of.grid = 0.04; // few different values
    EXPECT_LE(false_nights(100, of, USUAL, 4), 4U);
    of.earlier_nights = 1;
    of.runs = 1;
    EXPECT_LE(false_nights(200, of, USUAL, 5), 8U);
}

TEST(NightVerdicts, TheRateOfFalseNightsIsThatOfTheOptions)
{
    nights::campaign of;
    of.tests = 6;
    of.runs = 5;
    ftr_night_options options = ANY;
    options.rate = 0.3;
    const std::size_t failed = false_nights(300, of, options, 6);
    EXPECT_GT(failed, 30U); // not far below: the probabilities are not overstated
    EXPECT_LT(failed, 115U);
}

TEST(NightVerdicts, AChangeInOneTestIsFoundThereAndOnlyThere)
{
    nights::campaign of;
    std::mt19937 random(7);
    std::size_t found = 0, others = 0;
    for (int i = 0; i < 40; ++i) {
        const nights::failed_set failed = nights::judge(random, of, {1, 1, 1.05}, USUAL).failed;
        found += failed.count({"test0", "g0.read"});
        others += failed.size() - failed.count({"test0", "g0.read"});
    }
    EXPECT_GE(found, 36U);
    EXPECT_LE(others, 1U);
}

TEST(NightVerdicts, ASmallChangeInAllTestsIsFoundInAllTogether)
{
    nights::campaign of;
    of.runs = 3;
    of.earlier_nights = 3;
    std::mt19937 random(8);
    std::size_t found = 0;
    for (int i = 0; i < 20; ++i)
        found +=
            nights::judge(random, of, {of.tests, 1, 1.02}, USUAL).failed.count({"*", "g0.read"});
    EXPECT_GE(found, 18U);
}

TEST(NightVerdicts, AChangeBelowTheEffectPasses)
{
    nights::campaign of;
    of.spread = 0.0005;
    std::mt19937 random(9);
    EXPECT_TRUE(nights::judge(random, of, {of.tests, 2, 1.008}, USUAL).failed.empty());
    EXPECT_FALSE(nights::judge(random, of, {of.tests, 2, 1.012}, USUAL).failed.empty());
}

TEST(NightVerdicts, DeterministicTestsNeedNoProbability)
{
    nights::campaign of;
    of.spread = 0;
    of.runs = 1;
    of.earlier_nights = 2;
    std::mt19937 random(10);
    EXPECT_TRUE(nights::judge(random, of, {}, USUAL).failed.empty());
    const nights::failed_set expected = {{"test0", "g0.read"}, {"test1", "g0.read"}};
    EXPECT_EQ(nights::judge(random, of, {2, 1, 1.011}, USUAL).failed, expected);
    of.earlier_nights = 1; // one run does not show that a test is deterministic
    EXPECT_TRUE(nights::judge(random, of, {2, 1, 1.5}, USUAL).failed.empty());
}

TEST(NightVerdicts, TooFewRunsAreNotJudged)
{
    nights::campaign of;
    of.tests = 3;
    of.runs = 2;
    of.earlier_nights = 1;
    std::mt19937 random(11);
    const nights::outcome found = nights::judge(random, of, {3, 6, 1.5}, USUAL);
    EXPECT_EQ(found.judged, of.generators); // 2 of 4 runs: 1 in 6; three tests: 1 in 216
    EXPECT_EQ(found.failed.size(), of.generators);
    of.tests = 2;
    EXPECT_EQ(nights::judge(random, of, {2, 6, 1.5}, USUAL).judged, 0U);
}
