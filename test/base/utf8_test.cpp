// UTF-8: valid sequences, and the repair of invalid ones.
extern "C" {
#include "utf8.h"
}

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace
{
bool is_valid(const std::string &text)
{
    // Exactly as large as the text, so that AddressSanitizer detects a read beyond it.
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());
    return ftr_utf8_is_valid(bytes.data(), bytes.size());
}

std::string repaired(const std::string &text)
{
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());
    std::vector<std::uint8_t> out(3 * bytes.size());
    const std::size_t size = ftr_utf8_repair(bytes.data(), bytes.size(), out.data());
    return {out.begin(), out.begin() + std::ptrdiff_t(size)};
}

std::string encoded(std::uint32_t code)
{
    auto byte = [](std::uint32_t value) { return char(value); };
    if (code < 0x80)
        return {byte(code)};
    if (code < 0x800)
        return {byte(0xc0 | code >> 6), byte(0x80 | (code & 0x3f))};
    if (code < 0x10000)
        return {byte(0xe0 | code >> 12), byte(0x80 | (code >> 6 & 0x3f)),
                byte(0x80 | (code & 0x3f))};
    return {byte(0xf0 | code >> 18), byte(0x80 | (code >> 12 & 0x3f)),
            byte(0x80 | (code >> 6 & 0x3f)), byte(0x80 | (code & 0x3f))};
}

TEST(Utf8, AcceptsEveryCodePointExceptSurrogates)
{
    for (std::uint32_t code = 0; code < 0x110000; ++code) {
        const bool is_surrogate = code >= 0xd800 && code < 0xe000;
        ASSERT_EQ(is_valid(encoded(code)), !is_surrogate) << std::hex << code;
    }
    EXPECT_FALSE(is_valid(encoded(0x110000)));
    EXPECT_FALSE(is_valid(encoded(0x1fffff)));
}

TEST(Utf8, AcceptsNulAndEmptyText)
{
    EXPECT_TRUE(is_valid(""));
    EXPECT_TRUE(is_valid(std::string("a\0b", 3)));
}

TEST(Utf8, RefusesOverlongForms)
{
    for (const char *text : {"\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf",
                             "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf"})
        EXPECT_FALSE(is_valid(text));
}

TEST(Utf8, RefusesSequencesTruncatedAnywhere)
{
    const std::string whole = "\xf0\x9f\x98\x80";
    for (std::size_t before = 0; before < 20; ++before) {
        for (std::size_t length = 1; length < 4; ++length) {
            EXPECT_FALSE(is_valid(std::string(before, 'x') + whole.substr(0, length)));
            EXPECT_FALSE(is_valid(std::string(before, 'x') + whole.substr(0, length) + "y"));
            EXPECT_FALSE(is_valid(std::string(before, 'x') + whole.substr(length) + "12345678"));
        }
        EXPECT_TRUE(is_valid(std::string(before, 'x') + whole + "y"));
    }
}

TEST(Utf8, RepairKeepsValidText)
{
    const std::string text = std::string("gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80\0.", 13);
    EXPECT_EQ(repaired(text), text);
}

TEST(Utf8, RepairReplacesEachMaximalSubpartOnce)
{
    const std::string r = "\xef\xbf\xbd";
    // The example of the Unicode Standard, table 3-8, and related sequences.
    EXPECT_EQ(repaired("a\xf1\x80\x80\xe1\x80\xc2"
                       "b\x80"
                       "c\x80\xbf"
                       "d"),
              "a" + r + r + r + "b" + r + "c" + r + r + "d");
    EXPECT_EQ(repaired("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41"),
              r + r + r + r + r + r + r + r + "A");
    EXPECT_EQ(repaired("\xed\xa0\x80\xed\xbf\xbf"), r + r + r + r + r + r);
    EXPECT_EQ(repaired("\xf4\x91\x92\x93\xff"
                       "A"),
              r + r + r + r + r + "A");
    EXPECT_EQ(repaired("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf"
                       "A"),
              r + r + r + r + "A");
}

TEST(Utf8, RepairAlwaysReturnsValidText)
{
    for (unsigned first = 0; first < 256; ++first) {
        for (unsigned second = 0; second < 256; ++second) {
            const std::string text = {char(first), char(second), '\x9f', 'x'};
            const std::string out = repaired(text);
            ASSERT_TRUE(is_valid(out)) << first << " " << second;
            ASSERT_EQ(is_valid(text), out == text);
            ASSERT_EQ(out.back(), 'x');
        }
    }
}
} // namespace
