// The ranks of percentiles, compared with arithmetic on the decimal digits.
extern "C" {
#include "exact_fraction.h"
}

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace
{

ftr_fraction fraction_of(double value)
{
    ftr_fraction fraction{1, 0};
    EXPECT_TRUE(ftr_fraction_of_double(value, &fraction)) << value;
    return fraction;
}

TEST(ExactFraction, GivesExactRanksOfDecimalFractions)
{
    for (uint64_t count : {1U, 2U, 7U, 99U, 100U, 101U, 1000U, 4096U, 999983U})
        for (unsigned digits = 1; digits <= 4; digits++) {
            const auto whole = static_cast<uint64_t>(std::pow(10, digits));
            for (uint64_t numerator = 0; numerator <= whole; numerator += digits < 4 ? 1 : 7) {
                char text[64];
                (void)std::snprintf(text, sizeof text, "%llu.%0*llu",
                                    static_cast<unsigned long long>(numerator / whole),
                                    static_cast<int>(digits),
                                    static_cast<unsigned long long>(numerator % whole));
                const uint64_t rank = (count * numerator + whole - 1) / whole;
                ASSERT_EQ(ftr_fraction_rank(fraction_of(std::strtod(text, nullptr)), count),
                          rank > 0 ? rank : 1)
                    << text << " of " << count;
            }
        }
}

TEST(ExactFraction, SplitsStepsExactly)
{
    double part = -1;
    EXPECT_EQ(ftr_fraction_of_steps(fraction_of(0.07), 100, &part), 7U);
    EXPECT_EQ(part, 0);
    EXPECT_EQ(ftr_fraction_of_steps(fraction_of(0.55), 99, &part), 54U);
    EXPECT_EQ(part, 0.45);
    EXPECT_EQ(ftr_fraction_of_steps(fraction_of(1), UINT64_MAX, &part), UINT64_MAX);
    EXPECT_EQ(part, 0);
}

TEST(ExactFraction, KeepsLargeCountsAndSmallFractions)
{
    EXPECT_EQ(ftr_fraction_rank(fraction_of(1), UINT64_MAX), UINT64_MAX);
    EXPECT_EQ(ftr_fraction_rank(fraction_of(0.5), UINT64_MAX), UINT64_C(9223372036854775808));
    EXPECT_EQ(ftr_fraction_rank(fraction_of(1e-19), UINT64_MAX), 2U);
    EXPECT_EQ(ftr_fraction_rank(fraction_of(1e-7), 10'000'001), 2U);
    EXPECT_EQ(ftr_fraction_rank(fraction_of(0.9999999), 10'000'000), 9'999'999U);
    for (double small : {0.0, -0.0, 1e-22, 1.2345678901234567e-10, 5e-324, 2.2250738585072014e-308})
        EXPECT_EQ(ftr_fraction_rank(fraction_of(small), 10), 1U) << small;
    std::mt19937_64 random(1);
    for (int i = 0; i < 10'000; i++) {
        const double value = std::uniform_real_distribution<>(0, 1)(random);
        const ftr_fraction fraction = fraction_of(value);
        ASSERT_LE(fraction.numerator, fraction.denominator);
        ASSERT_NEAR(static_cast<double>(fraction.numerator) /
                        static_cast<double>(fraction.denominator),
                    value, 1e-15);
    }
}

TEST(ExactFraction, RefusesValuesOutsideOfZeroToOne)
{
    ftr_fraction fraction{};
    for (double value : {-0.1, 1.0000000000000002, 99.0, HUGE_VAL, -HUGE_VAL, std::nan("")})
        EXPECT_FALSE(ftr_fraction_of_double(value, &fraction)) << value;
}

} // namespace
