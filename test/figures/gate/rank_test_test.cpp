// The p-value of the rank test, compared with the exact distribution, which is counted.
extern "C" {
#include "rank_test.h"
}

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <vector>

namespace
{

using values = std::vector<double>;

struct samples {
    values tested, reference;
};

double p_of(std::vector<samples> strata, bool upwards = true)
{
    std::vector<ftr_rank_stratum> of;
    for (samples &stratum : strata) {
        std::sort(stratum.tested.begin(), stratum.tested.end());
        std::sort(stratum.reference.begin(), stratum.reference.end());
        of.push_back({stratum.tested.data(), stratum.reference.data(), stratum.tested.size(),
                      stratum.reference.size()});
    }
    return ftr_rank_test(of.data(), of.size(), upwards);
}

/* Twice the rank of each value, ranks of equal values are their mean. */
std::map<double, long> ranks_of(const samples &from)
{
    values all = from.tested;
    all.insert(all.end(), from.reference.begin(), from.reference.end());
    std::sort(all.begin(), all.end());
    std::map<double, long> ranks;
    for (const double value : all)
        ranks[value] = std::lower_bound(all.begin(), all.end(), value) - all.begin() +
                       (std::upper_bound(all.begin(), all.end(), value) - all.begin()) + 1;
    return ranks;
}

using distribution = std::vector<double>; /* probabilities; index: sum of twice the ranks */

/* Counts the sums of all assignments. */
distribution sums_of(const samples &from)
{
    std::map<double, long> ranks = ranks_of(from);
    const std::size_t size = from.tested.size() + from.reference.size();
    std::vector<distribution> of(from.tested.size() + 1,
                                 distribution(2 * size * from.tested.size() + 1));
    of[0][0] = 1;
    for (const values *sample : {&from.tested, &from.reference})
        for (const double value : *sample)
            for (std::size_t n = from.tested.size(); n > 0; --n)
                for (std::size_t sum = ranks[value], rest = 0; sum < of[n].size(); ++sum, ++rest)
                    of[n][sum] += of[n - 1][rest];
    const double all = std::accumulate(of.back().begin(), of.back().end(), 0.0);
    for (double &ways : of.back())
        ways /= all;
    return of.back();
}

/* All strata must have the same size, so that their weights are equal. */
double exact_p(const std::vector<samples> &strata)
{
    distribution together{1};
    long observed = 0;
    for (const samples &stratum : strata) {
        const distribution own = sums_of(stratum);
        distribution next(together.size() + own.size());
        for (std::size_t i = 0; i < together.size(); ++i)
            for (std::size_t k = 0; k < own.size(); ++k)
                next[i + k] += together[i] * own[k];
        together = next;
        for (const double value : stratum.tested)
            observed += ranks_of(stratum)[value];
    }
    return std::accumulate(together.begin() + observed, together.end(), 0.0);
}

/* Makes random values; @p kinds different ones, 0: all different. */
samples make(std::mt19937 &random, std::size_t tested, std::size_t reference, double shift,
             int kinds)
{
    std::normal_distribution<double> normal;
    const auto draw = [&](double mean) -> double {
        const double value = normal(random) + mean;
        return kinds > 0 ? std::round(value * kinds / 4) : value;
    };
    samples made;
    for (std::size_t i = 0; i < tested; ++i)
        made.tested.push_back(draw(shift));
    for (std::size_t i = 0; i < reference; ++i)
        made.reference.push_back(draw(0));
    return made;
}

/* Estimates the p-value of strata with the weights of van Elteren by random assignments. To see
 * small probabilities, assignments are drawn one stratum at a time, and the sums of two halves of
 * the strata are compared in all pairs. */
double weighted_p(const std::vector<samples> &strata, std::mt19937 &random)
{
    constexpr std::size_t draws = 200000;
    std::vector<double> halves[2];
    double observed = 0;
    for (int half = 0; half < 2; ++half)
        halves[half].assign(draws, 0);
    for (std::size_t i = 0; i < strata.size(); ++i) {
        std::map<double, long> ranks = ranks_of(strata[i]);
        values all = strata[i].tested;
        all.insert(all.end(), strata[i].reference.begin(), strata[i].reference.end());
        const double weight = 1.0 / static_cast<double>(all.size() + 1);
        for (const double value : strata[i].tested)
            observed += weight * static_cast<double>(ranks[value]);
        for (double &sum : halves[i % 2]) {
            for (std::size_t k = 0; k < strata[i].tested.size(); ++k) {
                std::swap(all[k], all[k + random() % (all.size() - k)]);
                sum += weight * static_cast<double>(ranks[all[k]]);
            }
        }
    }
    std::sort(halves[0].begin(), halves[0].end());
    double pairs = 0;
    for (const double sum : halves[1])
        pairs += static_cast<double>(halves[0].end() - std::lower_bound(halves[0].begin(),
                                                                        halves[0].end(),
                                                                        observed - sum - 1e-9));
    return pairs / draws / draws;
}

values negative(values of)
{
    for (double &value : of)
        value = -value;
    return of;
}

} // namespace

TEST(RankTest, HasTheExactProbabilityForOneStratum)
{
    std::mt19937 random(1);
    for (const std::size_t tested : {1U, 2U, 3U, 5U, 10U, 23U})
        for (const std::size_t reference : {1U, 2U, 7U, 24U, 40U})
            for (const double shift : {-1.0, 0.0, 0.7, 1.5, 3.0})
                for (const int kinds : {0, 3, 10}) {
                    const samples of = make(random, tested, reference, shift, kinds);
                    const double exact = exact_p({of});
                    EXPECT_NEAR(p_of({of}) / exact, 1, 1e-6)
                        << tested << ' ' << reference << ' ' << shift << ' ' << kinds << ' '
                        << exact;
                    EXPECT_NEAR(p_of({{negative(of.tested), negative(of.reference)}}, false) /
                                    exact,
                                1, 1e-6);
                }
}

TEST(RankTest, HasTheExactProbabilityForStrataOfOneSize)
{
    std::mt19937 random(2);
    for (const std::size_t strata : {2U, 5U, 20U})
        for (const std::size_t tested : {1U, 2U, 5U})
            for (const std::size_t reference : {1U, 7U, 10U})
                for (const double shift : {0.0, 0.5, 1.0}) {
                    std::vector<samples> of;
                    for (std::size_t i = 0; i < strata; ++i)
                        of.push_back(make(random, tested, reference, shift, 0));
                    EXPECT_NEAR(p_of(of) / exact_p(of), 1, 1e-6)
                        << strata << ' ' << tested << ' ' << reference << ' ' << shift;
                }
}

// Samples that are too large to be counted within the product, but not here.
TEST(RankTest, IsAccurateForLargeSamples)
{
    std::mt19937 random(4);
    for (const double shift : {-0.3, 0.0, 0.2, 0.4, 0.7})
        for (const int kinds : {0, 6, 20}) {
            const samples of = make(random, 32, 140, shift, kinds);
            const double exact = exact_p({of});
            EXPECT_NEAR(p_of({of}) / exact, 1, 0.03) << shift << ' ' << kinds << ' ' << exact;
        }
}

TEST(RankTest, IsAccurateForStrataOfDifferentSizes)
{
    std::mt19937 random(5);
    for (const double shift : {0.0, 0.3, 0.6}) {
        std::vector<samples> strata;
        for (const std::size_t tested : {1U, 2U, 3U, 4U, 5U, 6U})
            strata.push_back(make(random, tested, 2 * tested + 3, shift, 0));
        const double p = p_of(strata);
        EXPECT_NEAR(p / weighted_p(strata, random), 1, 0.1) << shift << ' ' << p;
    }
}

TEST(RankTest, IsExactAtTheHighestRanks)
{
    EXPECT_NEAR(p_of({{{5, 6, 7}, {1, 2, 3, 4}}}), 1.0 / 35, 1e-12);
    EXPECT_NEAR(p_of({{{4, 4, 7}, {1, 2, 3, 4}}}), 3.0 / 35, 1e-12);
    EXPECT_NEAR(p_of({{{2}, {1}}, {{2}, {1}}, {{2}, {1}}}), 1.0 / 8, 1e-12);
    values low, high;
    for (int i = 0; i < 70; ++i)
        low.push_back(i);
    for (int i = 0; i < 10; ++i)
        high.push_back(100 + i);
    EXPECT_NEAR(p_of({{high, low}}) * 1.646492110120e12, 1, 1e-6);
    const ftr_rank_stratum sizes = {high.data(), low.data(), 10, 70};
    EXPECT_NEAR(ftr_rank_test_least(&sizes, 1) * 1.646492110120e12, 1, 1e-6);
}

TEST(RankTest, ComparesNothingIfThereIsNothing)
{
    EXPECT_EQ(p_of({}), 1);
    EXPECT_EQ(p_of({{{}, {1, 2}}}), 1);
    EXPECT_EQ(p_of({{{1, 2}, {}}}), 1);
    EXPECT_EQ(p_of({{{3, 3}, {3, 3, 3}}}), 1);
    EXPECT_EQ(p_of({{{1}, {2, 3}}}), 1);
    EXPECT_EQ(ftr_rank_test_least(nullptr, 0), 1);
    const double alone = p_of({{{2, 4}, {1, 3, 5}}});
    EXPECT_NEAR(p_of({{{2, 4}, {1, 3, 5}}, {{}, {1}}, {{1, 1}, {1}}}), alone, 1e-9);
}

TEST(RankTest, StaysAProbabilityForLargeSamples)
{
    std::mt19937 random(3);
    const samples same = make(random, 500, 3500, 0, 0);
    EXPECT_GT(p_of({same}), 1e-4);
    EXPECT_LT(p_of({same}), 1 - 1e-4);
    const samples higher = make(random, 500, 3500, 0.5, 0);
    EXPECT_GT(p_of({higher}), 0);
    EXPECT_LT(p_of({higher}), 1e-15);
    const samples coarse = make(random, 500, 3500, 0, 2);
    EXPECT_GT(p_of({coarse}), 1e-4);
}
