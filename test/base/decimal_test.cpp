// The shortest decimals of doubles, the printed reals, and the fractions, in each locale.
extern "C" {
#include "exact_fraction.h"
#include "printer.h"
}

#include <ftr/detail/decimal.h>

#include "scratch_directory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
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
    const std::size_t length = ftr_decimal_format(value, sizeof value, 1, text);
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

// Returns the digits of a number, without sign, point, exponent and zeros at its ends.
std::string digits_of(std::string text)
{
    text.resize(std::min(text.find('e'), text.size()));
    text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c < '0' || c > '9'; }),
               text.end());
    text.erase(0, std::min(text.find_first_not_of('0'), text.size()));
    text.resize(text.find_last_not_of('0') + 1);
    return text;
}

// std::to_chars() computes the shortest decimal without the C library.
TEST(Decimal, HasTheDigitsOfToChars)
{
    std::mt19937_64 random(7);
    for (int i = 0; i < 100000; ++i) {
        double value = std::ldexp(1.0, static_cast<int>(random() % 2098) - 1074);
        if (i % 3 == 0)
            value = static_cast<double>(random() % 1000000) / 1000;
        const std::uint64_t bits = random();
        if (i % 3 == 1)
            std::memcpy(&value, &bits, sizeof value);
        if (!std::isfinite(value))
            continue;
        char expected[40] = {};
        const auto end = std::to_chars(expected, expected + sizeof expected, value,
                                       std::chars_format::scientific);
        ASSERT_EQ(digits_of(formatted(value)), digits_of(std::string(expected, end.ptr)));
    }
}

// A single-precision number has at least six digits: 2^-149 is 1.4013e-45, not 1e-45.
TEST(Decimal, OfSinglePrecisionHasTheDigitsOfToChars)
{
    std::mt19937 random(7);
    for (int i = 0; i < 100000; ++i) {
        float value = static_cast<float>(random() % 1000000) / 1000;
        const std::uint32_t bits = static_cast<std::uint32_t>(random());
        if (i % 2 == 1)
            std::memcpy(&value, &bits, sizeof value);
        if (!std::isfinite(value))
            continue;
        char expected[40] = {}, text[FTR_DECIMAL_SIZE];
        const auto end = std::to_chars(expected, expected + sizeof expected, value,
                                       std::chars_format::scientific);
        ftr_decimal_format(value, sizeof value, 6, text);
        ASSERT_EQ(std::strtof(text, nullptr), value) << text;
        const std::string digits = digits_of(text);
        const std::string shortest = digits_of(std::string(expected, end.ptr));
        // At a power of two, to_chars() may find a shorter decimal that is not the nearest one.
        if (shortest.size() >= 6 && (bits & 0x7fffffU) != 0) {
            ASSERT_EQ(digits.size(), shortest.size()) << text << ' ' << expected;
        }
    }
    char text[FTR_DECIMAL_SIZE];
    ftr_decimal_format(std::ldexp(1.0, -149), sizeof(float), 6, text);
    EXPECT_STREQ(text, "1.4013e-45");
    ftr_decimal_format(2097152.25, sizeof(float), 6, text); // a tie
    EXPECT_STREQ(text, "2097152.2");
}

TEST(Decimal, OfASingleIsADouble)
{
    EXPECT_EQ(ftr_decimal_as_double(0.1F, sizeof(float)), 0.1);
    EXPECT_EQ(ftr_decimal_as_double(-0.1F, sizeof(float)), -0.1);
    EXPECT_EQ(ftr_decimal_as_double(0.1F, sizeof(double)), 0.1F);
    EXPECT_EQ(ftr_decimal_as_double(16777216, sizeof(float)), 16777216);
    EXPECT_EQ(ftr_decimal_as_double(-HUGE_VAL, sizeof(float)), -HUGE_VAL);
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
    EXPECT_EQ(ftr_decimal_as_double(0.1F, sizeof(float)), 0.1);
}

TEST_P(DecimalInAnotherLocale, IsPrintedWithADecimalPoint)
{
    ftr_printer printer;
    ftr_printer_init(&printer, -1);
    ftr_print_real(&printer, 0.1F, sizeof(float));
    ftr_print_char(&printer, ' ');
    ftr_print_real(&printer, 2.5, sizeof(double));
    EXPECT_EQ(std::string(printer.bytes, printer.filled), "0.1 2.5");
}

TEST_P(DecimalInAnotherLocale, IsTheFractionThatItStates)
{
    ftr_fraction fraction;
    ASSERT_TRUE(ftr_fraction_of_double(0.07, &fraction));
    EXPECT_EQ(fraction.numerator, 7U);
    EXPECT_TRUE(fraction.denominator == 100);
}

// A comma, and a decimal point of two bytes.
INSTANTIATE_TEST_SUITE_P(Locales, DecimalInAnotherLocale, testing::Values("de_DE", "ps_AF"));
} // namespace
