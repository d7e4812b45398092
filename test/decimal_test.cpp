// Shortest decimals of doubles.
extern "C" {
#include "decimal.h"
}

#include "scratch_directory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <locale.h>
#include <random>
#include <string>

namespace
{
std::string formatted(double value)
{
    char text[FTR_DECIMAL_SIZE];
    const std::size_t length = ftr_decimal_format(value, text);
    EXPECT_EQ(length, std::strlen(text));
    return {text, length};
}

TEST(Decimal, IsAsShortAsPossible)
{
    EXPECT_EQ(formatted(0), "0");
    EXPECT_EQ(formatted(-0.0), "-0");
    EXPECT_EQ(formatted(1), "1");
    EXPECT_EQ(formatted(0.1), "0.1");
    EXPECT_EQ(formatted(-0.25), "-0.25");
    EXPECT_EQ(formatted(0.1 + 0.2), "0.30000000000000004");
    EXPECT_EQ(formatted(1e300), "1e+300");
    EXPECT_EQ(formatted(5e-324), "5e-324");
    EXPECT_EQ(formatted(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
}

TEST(Decimal, PrintsNanAndInfinityAsWords)
{
    EXPECT_EQ(formatted(HUGE_VAL), "inf");
    EXPECT_EQ(formatted(-HUGE_VAL), "-inf");
    EXPECT_EQ(formatted(std::nan("")), "nan");
    EXPECT_EQ(formatted(-std::nan("")), "nan");
}

TEST(Decimal, ReadsBackTheSame)
{
    std::mt19937_64 random(5);
    for (int i = 0; i < 20000; ++i) {
        const std::uint64_t bits = random();
        double value;
        std::memcpy(&value, &bits, sizeof value);
        if (!std::isfinite(value))
            continue;
        const std::string text = formatted(value);
        ASSERT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
        ASSERT_LT(text.size(), std::size_t(FTR_DECIMAL_SIZE));
    }
}

// Locales with another decimal point, compiled here from Debian's `locales`, because few machines
// have them installed.
class DecimalInAnotherLocale : public testing::TestWithParam<const char *>
{
  protected:
    void SetUp() override
    {
        const std::string name = GetParam();
        const std::string compile =
            "localedef -i " + name + " -f UTF-8 " + directory_.path(name) + " >/dev/null 2>&1";
        const int compiled = std::system(compile.c_str());
        setenv("LOCPATH", directory_.path().c_str(), 1);
        if (!setlocale(LC_NUMERIC, name.c_str()))
            GTEST_SKIP() << "localedef or the source of " << name << " is missing (" << compiled
                         << ")";
        ASSERT_STRNE(localeconv()->decimal_point, ".");
    }
    void TearDown() override
    {
        setlocale(LC_NUMERIC, "C");
        unsetenv("LOCPATH");
    }

  private:
    scratch_directory directory_;
};

TEST_P(DecimalInAnotherLocale, HasADecimalPoint)
{
    EXPECT_EQ(formatted(0.1), "0.1");
    EXPECT_EQ(formatted(-1.5e-7), "-1.5e-07");
    EXPECT_EQ(formatted(0.1 + 0.2), "0.30000000000000004");
    EXPECT_EQ(formatted(12), "12");
    EXPECT_EQ(formatted(1e300), "1e+300");
    EXPECT_EQ(formatted(HUGE_VAL), "inf");
}

// A comma, and a decimal point of two bytes.
INSTANTIATE_TEST_SUITE_P(Locales, DecimalInAnotherLocale, testing::Values("de_DE", "ps_AF"));
} // namespace
