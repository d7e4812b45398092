// Times and sizes as options and variables have them.
#include <ftr/detail/size_text.h>

extern "C" {
#include "time_text.h"
}

#include <gtest/gtest.h>

namespace
{
std::uint64_t ticks(const char *text, int scale)
{
    ftr_time_value time = {};
    EXPECT_TRUE(ftr_time_parse(text, &time, nullptr)) << text;
    return ftr_time_ticks(&time, scale);
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

TEST(SimulatedTime, AcceptsBlanks)
{
    EXPECT_EQ(ticks("10us", -12), 10000000u);
    EXPECT_EQ(ticks("  10 \t us\t ", -12), 10000000u);
}

TEST(SimulatedTime, FractionsAreExact)
{
    EXPECT_EQ(ticks("0.1 ns", -12), 100u);
    EXPECT_EQ(ticks(".5 us", -9), 500u);
    EXPECT_EQ(ticks("1.5s", -3), 1500u);
    // Not so in double: 9007199254740993 is 2^53 + 1.
    EXPECT_EQ(ticks("9007.199254740993 ms", -15), 9007199254740993u);
    EXPECT_EQ(ticks("18446744073709551615 fs", -15), UINT64_MAX);
    EXPECT_EQ(ticks("18446.744073709551615 s", -15), UINT64_MAX);
}

TEST(SimulatedTime, RoundsFractionsOfTicksDown)
{
    EXPECT_EQ(ticks("1999 ps", -9), 1u);
    EXPECT_EQ(ticks("999 ps", -9), 0u);
    EXPECT_EQ(ticks("0.9999 s", 0), 0u);
    EXPECT_EQ(ticks("18446744073709551615 fs", 0), 18446u);
}

TEST(SimulatedTime, SaturatesAboveTheLastTick)
{
    EXPECT_EQ(ticks("18446744073709551615 s", -15), UINT64_MAX);
    EXPECT_EQ(ticks("18447 s", -15), UINT64_MAX);
    EXPECT_EQ(ticks("0 s", -15), 0u);
}

TEST(SimulatedTime, RefusesInvalidTimes)
{
    for (const char *text : {"", " ", "1.5", "us", "10 xs", "10 uss", "10 us x", "-1 us", "+1 us",
                             "1e3 us", "1,5 us", ". us", "1.2.3 us", "0x10 us", "10 US",
                             "18446744073709551616 fs", "1.00000000000000000000 s"}) {
        ftr_time_value time = {};
        EXPECT_FALSE(ftr_time_parse(text, &time, nullptr)) << "'" << text << "'";
    }
}

TEST(SimulatedTime, WithoutAUnitIsInTicks)
{
    EXPECT_EQ(ticks("10", -12), 10u);
    EXPECT_EQ(ticks(" 10 ", -9), 10u);
    EXPECT_TRUE(ftr_time_lacks_unit("10"));
    EXPECT_FALSE(ftr_time_lacks_unit("10 ps"));
    EXPECT_FALSE(ftr_time_lacks_unit("0"));
}

TEST(Size, IsANumberOfBytesWithAUnit)
{
    const struct {
        const char *text;
        std::uint64_t bytes;
    } sizes[] = {{"0", 0},
                 {"4096", 4096},
                 {"64K", 65536},
                 {"64k", 65536},
                 {"8M", 8U << 20},
                 {"2G", std::uint64_t{2} << 30},
                 {"1t", std::uint64_t{1} << 40},
                 {"18446744073709551615", UINT64_MAX},
                 {"16777215T", std::uint64_t{16777215} << 40}};
    for (const auto &size : sizes) {
        std::uint64_t bytes = 1;
        EXPECT_TRUE(ftr_size_parse(size.text, &bytes)) << size.text;
        EXPECT_EQ(bytes, size.bytes) << size.text;
    }
}

TEST(Size, RefusesOtherTexts)
{
    for (const char *text : {"", "K", "-1", "+1", " 1", "1 K", "1KB", "1KiB", "64KK", "0x10",
                             "1.5M", "18446744073709551616", "16777216T"}) {
        std::uint64_t bytes = 77;
        EXPECT_FALSE(ftr_size_parse(text, &bytes)) << text;
        EXPECT_EQ(bytes, 77u);
    }
}
} // namespace
