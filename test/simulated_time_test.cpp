// Parsing of simulated times.
extern "C" {
#include "simulated_time.h"
}

#include <gtest/gtest.h>

namespace
{
std::uint64_t ticks(const char *text, int scale)
{
    ftr_simulated_time time = {};
    EXPECT_EQ(ftr_simulated_time_parse(text, &time), FTR_OK) << text;
    return ftr_simulated_time_ticks(time, scale);
}

TEST(SimulatedTime, ReadsEveryUnit)
{
    EXPECT_EQ(ticks("1 fs", -15), 1u);
    EXPECT_EQ(ticks("1 ps", -15), 1000u);
    EXPECT_EQ(ticks("1 ns", -15), 1000000u);
    EXPECT_EQ(ticks("1 us", -15), 1000000000u);
    EXPECT_EQ(ticks("1 ms", -15), 1000000000000u);
    EXPECT_EQ(ticks("1 s", -15), 1000000000000000u);
}

TEST(SimulatedTime, BlanksAreFree)
{
    EXPECT_EQ(ticks("10us", -12), 10000000u);
    EXPECT_EQ(ticks("  10 \t us\t ", -12), 10000000u);
}

TEST(SimulatedTime, FractionsAreExact)
{
    EXPECT_EQ(ticks("0.1 ns", -12), 100u);
    EXPECT_EQ(ticks(".5 us", -9), 500u);
    EXPECT_EQ(ticks("1.5s", -3), 1500u);
    // A double could not express this: 9007199254740993 is 2^53 + 1.
    EXPECT_EQ(ticks("9007.199254740993 ms", -15), 9007199254740993u);
    EXPECT_EQ(ticks("18446744073709551615 fs", -15), UINT64_MAX);
    EXPECT_EQ(ticks("18446.744073709551615 s", -15), UINT64_MAX);
}

TEST(SimulatedTime, RoundsDownWhatIsNoWholeTick)
{
    EXPECT_EQ(ticks("1999 ps", -9), 1u);
    EXPECT_EQ(ticks("999 ps", -9), 0u);
    EXPECT_EQ(ticks("0.9999 s", 0), 0u);
    EXPECT_EQ(ticks("18446744073709551615 fs", 0), 18446u);
}

TEST(SimulatedTime, SaturatesPastTheLastTick)
{
    EXPECT_EQ(ticks("18446744073709551615 s", -15), UINT64_MAX);
    EXPECT_EQ(ticks("18447 s", -15), UINT64_MAX);
    EXPECT_EQ(ticks("0 s", -15), 0u);
}

TEST(SimulatedTime, RefusesWhatIsNoTime)
{
    for (const char *text : {"", " ", "10", "us", "10 xs", "10 uss", "10 us x", "-1 us", "+1 us",
                             "1e3 us", "1,5 us", ". us", "1.2.3 us", "0x10 us", "10 US",
                             "18446744073709551616 fs", "1.00000000000000000000 s"}) {
        ftr_simulated_time time = {77, -3};
        EXPECT_EQ(ftr_simulated_time_parse(text, &time), FTR_ERR_ARGUMENT) << "'" << text << "'";
        EXPECT_EQ(time.digits, 77u);
        EXPECT_EQ(time.exponent, -3);
    }
}
} // namespace
