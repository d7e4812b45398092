// Printing of numbers, strings and times.
extern "C" {
#include "printer.h"
}

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace
{
/* Returns the output of a function. */
template <class Print> std::string printed(Print print)
{
    const auto text = std::make_unique<ftr_printer>();
    ftr_printer_init(text.get(), -1);
    print(text.get());
    return {text->bytes, text->filled};
}

std::string plain(const std::string &bytes)
{
    return printed([&](ftr_printer *to) { ftr_print_plain(to, bytes.data(), bytes.size()); });
}

std::string json(const std::string &bytes)
{
    return printed([&](ftr_printer *to) { ftr_print_json(to, bytes.data(), bytes.size()); });
}

std::string formatted(const char *format, unsigned byte)
{
    char text[16];
    std::snprintf(text, sizeof text, format, byte);
    return text;
}

std::string plain_byte(unsigned byte)
{
    return byte < 0x20 || (byte >= 0x7f && byte <= 0x9f) ? formatted("\\x%02x", byte)
                                                         : std::string(1, char(byte));
}

std::string json_byte(unsigned byte)
{
    switch (byte) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\b':
        return "\\b";
    case '\f':
        return "\\f";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        return byte < 0x20 || byte == 0x7f ? formatted("\\u%04x", byte)
               : byte < 0x80               ? std::string(1, char(byte))
                                           : "\xef\xbf\xbd";
    }
}

/* Calls `check` with every byte at every position of strings of all relevant lengths. */
template <class Check> void at_every_place(Check check)
{
    for (std::size_t size = 1; size <= 20; ++size) {
        for (std::size_t place = 0; place < size; ++place) {
            for (unsigned byte = 0; byte < 256; ++byte)
                check(std::string(place, 'a'), byte, std::string(size - place - 1, ' '));
        }
    }
}

TEST(Printer, EscapesControlCharactersInPlainText)
{
    at_every_place([](const std::string &before, unsigned byte, const std::string &behind) {
        ASSERT_EQ(plain(before + char(byte) + behind), before + plain_byte(byte) + behind)
            << "byte " << byte << " after " << before.size();
    });
    EXPECT_EQ(plain(""), "");
}

TEST(Printer, EscapesCharactersThatChangeTheDirectionOfText)
{
    EXPECT_EQ(plain("a\u202eb"), "a\\xe2\\x80\\xaeb");
    for (const char *mark :
         {"\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067",
          "\u2068", "\u2069", "\u0080", "\u009b", "\u2028", "\u2029", "\u061c", "\x80", "\x9b"})
        EXPECT_EQ(plain(mark).find(mark), std::string::npos) << plain(mark);
    for (const char *shown :
         {"\u200d", "\u2010", "\u2027", "\u202f", "\u2065", "\u206a", "\u00a0", "\u061b", "\u011b",
          "\u201b", "\u00e9 name", "\xe2", "\xc2", "\xff", "\xa0"})
        EXPECT_EQ(plain(shown), shown);
}

TEST(Printer, EscapesJsonStrings)
{
    at_every_place([](const std::string &before, unsigned byte, const std::string &behind) {
        ASSERT_EQ(json(before + char(byte) + behind), '"' + before + json_byte(byte) + behind + '"')
            << "byte " << byte << " after " << before.size();
    });
    EXPECT_EQ(json(""), "\"\"");
    EXPECT_EQ(json("a\u202eb\u2069\u0085\u00e9\u20ac"), "\"a\\u202eb\\u2069\\u0085\u00e9\u20ac\"");
    EXPECT_EQ(json("stra\xc3\x9f"
                   "e"),
              "\"stra\xc3\x9f"
              "e\"");
}

std::string time(std::uint64_t ticks, int scale)
{
    return printed([&](ftr_printer *to) { ftr_print_time(to, ticks, scale); });
}

TEST(Printer, PrintsHexadecimalNumbersOfEveryLength)
{
    for (unsigned bits = 0; bits <= 64; bits++) {
        const std::uint64_t power = bits < 64 ? std::uint64_t{1} << bits : 0;
        for (const std::uint64_t value : {power - 1, power, power + 1}) {
            char expected[24];
            std::snprintf(expected, sizeof expected, "0x%llx",
                          static_cast<unsigned long long>(value));
            EXPECT_EQ(expected,
                      printed([&](ftr_printer *to) { ftr_print_hexadecimal(to, value); }));
        }
    }
}

TEST(Printer, PrintsTimesExactlyAndShort)
{
    EXPECT_EQ(time(0, -12), "0 s");
    EXPECT_EQ(time(1, -12), "1 ps");
    EXPECT_EQ(time(66000, -12), "66 ns");
    EXPECT_EQ(time(1500, -12), "1.5 ns");
    EXPECT_EQ(time(123456789, -12), "123.456789 us");
    EXPECT_EQ(time(100, -9), "100 ns");
    EXPECT_EQ(time(1000, -9), "1 us");
    EXPECT_EQ(time(5, -15), "5 fs");
    EXPECT_EQ(time(12, -18), "0.012 fs");
    EXPECT_EQ(time(12, -16), "1.2 fs");
    EXPECT_EQ(time(25, -17), "0.25 fs");
    EXPECT_EQ(time(12, 3), "12000 s");
    EXPECT_EQ(time(1, 0), "1 s");
    EXPECT_EQ(time(UINT64_MAX, -15), "18446.744073709551615 s");
}
std::string shortened(const std::string &text, std::size_t width)
{
    std::string room(FTR_SHORTENED_SIZE(width), '#');
    const std::size_t size = ftr_text_shorten(text.data(), text.size(), width, room.data());
    EXPECT_LE(size, room.size());
    room.resize(size);
    return room;
}

TEST(ShortenedText, LacksTheMiddleOfALongName)
{
    EXPECT_EQ(shortened("", 5), "");
    EXPECT_EQ(shortened("abcde", 5), "abcde");
    EXPECT_EQ(shortened("abcdef", 5), "a\u2026def");
    EXPECT_EQ(shortened("top.cluster0.core1.l1d.socket.read", 16), "top.c\u2026ocket.read");
    EXPECT_EQ(shortened("abc", 1), "\u2026");
    EXPECT_EQ(shortened("abc", 2), "\u2026c");
}

TEST(ShortenedText, NeverDividesACharacterAndHasTheWidth)
{
    std::string text;
    for (int i = 0; i < 40; ++i)
        text += i % 3 == 0 ? "\u00e9" : i % 3 == 1 ? "x" : "\U0001f680";
    for (std::size_t width = 1; width < 45; ++width) {
        const std::string found = shortened(text, width);
        EXPECT_EQ(ftr_text_width(found.data(), found.size()), width < 40 ? width : 40);
        EXPECT_NE(static_cast<unsigned char>(found[0]) & 0xc0, 0x80);
    }
    EXPECT_LE(shortened("a" + std::string(1000, '\x80') + "b", 3).size(), FTR_SHORTENED_SIZE(3));
}

TEST(TextBuffer, IsLongerThanTheBufferOfThePrinter)
{
    for (const std::size_t size :
         {FTR_PRINTER_SIZE - 1, FTR_PRINTER_SIZE, FTR_PRINTER_SIZE + 1, 3 * FTR_PRINTER_SIZE + 7}) {
        const std::string text = "begin" + std::string(size, 'x') + "end";
        ftr_text_buffer memory{};
        const auto out = std::make_unique<ftr_printer>();
        ftr_text_buffer_connect(&memory, out.get());
        ftr_print_plain(out.get(), text.data(), text.size());
        EXPECT_TRUE(ftr_printer_flush(out.get()));
        EXPECT_EQ(text, std::string(memory.bytes, memory.size));
        ftr_text_buffer_release(&memory);
    }
}

TEST(Printer, FailsIfABufferWithoutOutputOverflows)
{
    const auto out = std::make_unique<ftr_printer>();
    ftr_printer_init(out.get(), -1);
    const std::string text(FTR_PRINTER_SIZE, 'x');
    ftr_print(out.get(), text.data(), text.size());
    EXPECT_FALSE(out->failed);
    ftr_print_char(out.get(), 'y');
    EXPECT_TRUE(out->failed);
}

} // namespace
