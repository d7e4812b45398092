// The reader: accepted and rejected CBOR, and the value of each item.
#include "cbor_reader_of.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace
{
std::string repeat(const std::string &hex, std::size_t times)
{
    std::string repeated;
    for (std::size_t i = 0; i < times; i++)
        repeated += hex;
    return repeated;
}
} // namespace

TEST(CborReader, SkipsDefiniteNestingOfAnyDepth)
{
    const std::size_t deep = 100000;
    EXPECT_EQ(skip(repeat("81", deep) + "00"), FTR_OK);
    EXPECT_EQ(skip(repeat("81", deep)), FTR_ERR_TRUNCATED);
    EXPECT_EQ(skip(repeat("a100", deep) + "00"), FTR_OK);
    EXPECT_EQ(skip(repeat("c1", deep) + "00"), FTR_OK);
    EXPECT_EQ(skip(repeat("8200", deep) + "00"), FTR_OK);
}

TEST(CborReader, LimitsIndefiniteNesting)
{
    const std::size_t depth = FTR_CBOR_SKIP_DEPTH;
    EXPECT_EQ(skip(repeat("9f", depth) + repeat("ff", depth)), FTR_OK);
    EXPECT_EQ(skip(repeat("9f", depth + 1) + repeat("ff", depth + 1)), FTR_ERR_LIMIT);
    EXPECT_EQ(skip(repeat("bf00", depth) + "00" + repeat("ff", depth)), FTR_OK);
    EXPECT_EQ(skip(repeat("9f81", depth) + "00" + repeat("ff", depth)), FTR_OK);
    EXPECT_EQ(skip(repeat("9f", 100000)), FTR_ERR_LIMIT);
    EXPECT_EQ(skip(repeat("819f", 100000)), FTR_ERR_LIMIT);
}

TEST(CborReader, SkipsItemsAfterANestedContainer)
{
    reader_of reader(std::string("839f0102ff9f8203bf0405ffff06") + "07");
    ASSERT_EQ(ftr_cbor_skip(&reader.r), FTR_OK);
    std::uint64_t value = 0;
    ASSERT_EQ(ftr_cbor_get_uint(&reader.r, &value), FTR_OK);
    EXPECT_EQ(value, 7U);
}

TEST(CborReader, RefusesCountsAndLengthsBeyondItsBytes)
{
    for (const char *argument : {"ffffffffffffffff", "8000000000000000", "7fffffffffffffff",
                                 "0000000100000000", "000000000000000a"}) {
        for (const char *first : {"5b", "7b", "9b", "bb"}) {
            const std::string hex = std::string(first) + argument + "000000000000000000";
            SCOPED_TRACE(hex);
            const std::uint8_t *bytes = nullptr;
            const char *text = nullptr;
            std::size_t size = 0;
            std::uint64_t count = 0;
            ftr_status status = FTR_OK;
            reader_of reader(hex);
            switch (ftr_cbor_peek(&reader.r)) {
            case FTR_CBOR_BYTES:
                status = ftr_cbor_get_bytes(&reader.r, &bytes, &size);
                break;
            case FTR_CBOR_TEXT:
                status = ftr_cbor_get_text(&reader.r, &text, &size);
                break;
            case FTR_CBOR_ARRAY:
                status = ftr_cbor_get_array(&reader.r, &count);
                break;
            default:
                status = ftr_cbor_get_map(&reader.r, &count);
                break;
            }
            EXPECT_EQ(status, FTR_ERR_TRUNCATED);
            EXPECT_EQ(ftr_cbor_reader_offset(&reader.r), 0U);
            EXPECT_EQ(skip(hex), FTR_ERR_TRUNCATED);
        }
    }
}

TEST(CborReader, CountsTwoItemsForEachPairOfAMap)
{
    const struct {
        const char *hex;
        ftr_status status;
    } maps[] = {{"a200000000", FTR_OK},
                {"a300000000", FTR_ERR_TRUNCATED},
                {"a30000000000", FTR_ERR_TRUNCATED}};
    for (const auto &map : maps) {
        reader_of reader{std::string(map.hex)};
        std::uint64_t count = 0;
        EXPECT_EQ(ftr_cbor_get_map(&reader.r, &count), map.status) << map.hex;
        EXPECT_EQ(skip(map.hex), map.status) << map.hex;
    }
}

TEST(CborReader, RefusesTheSumOfCountsAboveItsBytes)
{
    // Each array alone claims no more items than bytes follow it, but all together do.
    EXPECT_EQ(skip("8a890000000000000000"), FTR_ERR_TRUNCATED);
    EXPECT_EQ(skip("8388868400000000000000"), FTR_ERR_TRUNCATED);
    // Detected at the excessive count, before the malformed byte at the end.
    EXPECT_EQ(skip("828282001c"), FTR_ERR_TRUNCATED);
}

TEST(CborReader, ReadsIntegersInEveryWidth)
{
    for (const char *hex : {"05", "1805", "190005", "1a00000005", "1b0000000000000005"}) {
        // With and without bytes after the item, because the argument is loaded in different ways.
        for (const char *behind : {"", "ffffffffffffffffff"}) {
            reader_of reader(std::string(hex) + behind);
            std::uint64_t value = 0;
            EXPECT_EQ(ftr_cbor_get_uint(&reader.r, &value), FTR_OK) << hex;
            EXPECT_EQ(value, 5U) << hex;
            EXPECT_EQ(ftr_cbor_reader_left(&reader.r), std::strlen(behind) / 2);
        }
    }
    for (const char *hex : {"25", "3805", "390005", "3a00000005", "3b0000000000000005"}) {
        reader_of reader{std::string(hex)};
        std::int64_t value = 0;
        EXPECT_EQ(ftr_cbor_get_int(&reader.r, &value), FTR_OK) << hex;
        EXPECT_EQ(value, -6) << hex;
    }
}

TEST(CborReader, ReadsBackIntegersAroundEveryPowerOfTwo)
{
    for (int power = 0; power < 64; power++) {
        for (std::uint64_t offset : {UINT64_MAX, std::uint64_t(0), std::uint64_t(1)}) {
            const std::uint64_t magnitude = (std::uint64_t(1) << power) + offset;
            const auto number = static_cast<std::int64_t>(0 - magnitude);
            std::vector<std::uint8_t> bytes(18);
            std::uint8_t *p = ftr_cbor_uint_at(bytes.data(), magnitude);
            p = ftr_cbor_int_at(p, number);
            bytes.resize(static_cast<std::size_t>(p - bytes.data()));
            reader_of reader(bytes);
            std::uint64_t read = 0;
            std::int64_t read_number = 0;
            EXPECT_EQ(ftr_cbor_get_uint(&reader.r, &read), FTR_OK);
            EXPECT_EQ(ftr_cbor_get_int(&reader.r, &read_number), FTR_OK);
            EXPECT_EQ(read, magnitude);
            EXPECT_EQ(read_number, number);
            EXPECT_EQ(ftr_cbor_reader_left(&reader.r), 0U);
        }
    }
}

TEST(CborReader, ReportsLimitForIntegersOutsideOfInt64)
{
    const struct {
        const char *hex;
        ftr_status status;
        std::int64_t value;
    } cases[] = {{"1b7fffffffffffffff", FTR_OK, INT64_MAX},
                 {"1b8000000000000000", FTR_ERR_LIMIT, 0},
                 {"3b7fffffffffffffff", FTR_OK, INT64_MIN},
                 {"3b8000000000000000", FTR_ERR_LIMIT, 0},
                 {"3bffffffffffffffff", FTR_ERR_LIMIT, 0}};
    for (const auto &expected : cases) {
        reader_of reader{std::string(expected.hex)};
        std::int64_t value = 0;
        EXPECT_EQ(ftr_cbor_get_int(&reader.r, &value), expected.status) << expected.hex;
        EXPECT_EQ(value, expected.value) << expected.hex;
    }
}

TEST(CborReader, ReadsEveryHalfPrecisionFloat)
{
    for (unsigned bits = 0; bits < 65536; bits++) {
        reader_of reader(std::vector<std::uint8_t>{0xf9, static_cast<std::uint8_t>(bits >> 8),
                                                   static_cast<std::uint8_t>(bits)});
        double value = 0;
        ASSERT_EQ(ftr_cbor_get_double(&reader.r, &value), FTR_OK);
        // RFC 8949, appendix D.
        const int exponent = static_cast<int>(bits >> 10 & 31);
        const int fraction = static_cast<int>(bits & 1023);
        const double magnitude = exponent == 0    ? std::ldexp(fraction, -24)
                                 : exponent != 31 ? std::ldexp(fraction + 1024, exponent - 25)
                                 : fraction == 0  ? std::numeric_limits<double>::infinity()
                                                  : std::numeric_limits<double>::quiet_NaN();
        if (std::isnan(magnitude)) {
            ASSERT_TRUE(std::isnan(value)) << bits;
        } else {
            ASSERT_EQ(value, bits & 0x8000 ? -magnitude : magnitude) << bits;
        }
        ASSERT_EQ(std::signbit(value), (bits & 0x8000) != 0) << bits;
    }
}

TEST(CborReader, RefusesItemsOfAnotherTypeWithoutMoving)
{
    const struct {
        const char *name;
        std::vector<ftr_cbor_type> types;
        ftr_status (*get)(ftr_cbor_reader *r);
    } gets[] = {
        {"uint",
         {FTR_CBOR_UINT},
         [](ftr_cbor_reader *r) {
             std::uint64_t value = 0;
             return ftr_cbor_get_uint(r, &value);
         }},
        {"int",
         {FTR_CBOR_UINT, FTR_CBOR_NEGATIVE},
         [](ftr_cbor_reader *r) {
             std::int64_t value = 0;
             return ftr_cbor_get_int(r, &value);
         }},
        {"double",
         {FTR_CBOR_HALF, FTR_CBOR_FLOAT, FTR_CBOR_DOUBLE},
         [](ftr_cbor_reader *r) {
             double value = 0;
             return ftr_cbor_get_double(r, &value);
         }},
        {"bool",
         {FTR_CBOR_BOOL},
         [](ftr_cbor_reader *r) {
             bool value = false;
             return ftr_cbor_get_bool(r, &value);
         }},
        {"simple",
         {FTR_CBOR_SIMPLE, FTR_CBOR_BOOL, FTR_CBOR_NULL, FTR_CBOR_UNDEFINED},
         [](ftr_cbor_reader *r) {
             std::uint8_t value = 0;
             return ftr_cbor_get_simple(r, &value);
         }},
        {"tag",
         {FTR_CBOR_TAG},
         [](ftr_cbor_reader *r) {
             std::uint64_t tag = 0;
             return ftr_cbor_get_tag(r, &tag);
         }},
        {"text",
         {FTR_CBOR_TEXT},
         [](ftr_cbor_reader *r) {
             const char *text = nullptr;
             std::size_t size = 0;
             return ftr_cbor_get_text(r, &text, &size);
         }},
        {"bytes",
         {FTR_CBOR_BYTES},
         [](ftr_cbor_reader *r) {
             const std::uint8_t *bytes = nullptr;
             std::size_t size = 0;
             return ftr_cbor_get_bytes(r, &bytes, &size);
         }},
        {"array",
         {FTR_CBOR_ARRAY},
         [](ftr_cbor_reader *r) {
             std::uint64_t count = 0;
             return ftr_cbor_get_array(r, &count);
         }},
        {"map",
         {FTR_CBOR_MAP},
         [](ftr_cbor_reader *r) {
             std::uint64_t count = 0;
             return ftr_cbor_get_map(r, &count);
         }},
        {"break", {FTR_CBOR_BREAK}, [](ftr_cbor_reader *r) { return ftr_cbor_get_break(r); }},
    };
    const struct {
        const char *hex;
        ftr_cbor_type type;
    } items[] = {{"05", FTR_CBOR_UINT},      {"1905ff", FTR_CBOR_UINT},
                 {"25", FTR_CBOR_NEGATIVE},  {"4105", FTR_CBOR_BYTES},
                 {"6161", FTR_CBOR_TEXT},    {"8105", FTR_CBOR_ARRAY},
                 {"9fff", FTR_CBOR_ARRAY},   {"a10505", FTR_CBOR_MAP},
                 {"bfff", FTR_CBOR_MAP},     {"c105", FTR_CBOR_TAG},
                 {"e5", FTR_CBOR_SIMPLE},    {"f8ff", FTR_CBOR_SIMPLE},
                 {"f4", FTR_CBOR_BOOL},      {"f5", FTR_CBOR_BOOL},
                 {"f6", FTR_CBOR_NULL},      {"f7", FTR_CBOR_UNDEFINED},
                 {"f93c00", FTR_CBOR_HALF},  {"fa3f800000", FTR_CBOR_FLOAT},
                 {"ff", FTR_CBOR_BREAK},     {"fb3ff0000000000000", FTR_CBOR_DOUBLE},
                 {"1c", FTR_CBOR_MALFORMED}, {"ffff", FTR_CBOR_BREAK},
                 {"1f", FTR_CBOR_MALFORMED}, {"df", FTR_CBOR_MALFORMED},
                 {"fc", FTR_CBOR_MALFORMED}, {"fd", FTR_CBOR_MALFORMED}};
    for (const auto &item : items) {
        for (const auto &get : gets) {
            SCOPED_TRACE(std::string(get.name) + " of " + item.hex);
            reader_of reader{std::string(item.hex)};
            EXPECT_EQ(ftr_cbor_peek(&reader.r), item.type);
            bool wanted = false;
            for (ftr_cbor_type type : get.types)
                wanted = wanted || type == item.type;
            EXPECT_EQ(get.get(&reader.r), wanted ? FTR_OK : FTR_ERR_FORMAT);
            EXPECT_EQ(reader.r.status, wanted ? FTR_OK : FTR_ERR_FORMAT);
            EXPECT_EQ(ftr_cbor_reader_offset(&reader.r) > 0, wanted);
        }
    }
    for (const auto &get : gets) {
        reader_of reader{std::string()};
        EXPECT_EQ(ftr_cbor_peek(&reader.r), FTR_CBOR_END);
        EXPECT_EQ(get.get(&reader.r), FTR_ERR_TRUNCATED) << get.name;
    }
}

TEST(CborReader, KeepsTheFirstErrorAndDoesNotChangeOutParameters)
{
    reader_of reader(std::string("0161620304"));
    std::uint64_t value = 0;
    ASSERT_EQ(ftr_cbor_get_uint(&reader.r, &value), FTR_OK);
    EXPECT_EQ(ftr_cbor_get_uint(&reader.r, &value), FTR_ERR_FORMAT);
    EXPECT_EQ(value, 1U);
    const char *text = "untouched";
    std::size_t size = 9;
    EXPECT_EQ(ftr_cbor_get_text(&reader.r, &text, &size), FTR_ERR_FORMAT);
    EXPECT_STREQ(text, "untouched");
    EXPECT_EQ(size, 9U);
    EXPECT_EQ(ftr_cbor_skip(&reader.r), FTR_ERR_FORMAT);
    EXPECT_EQ(ftr_cbor_reader_fail(&reader.r, FTR_ERR_TYPE), FTR_ERR_FORMAT);
    EXPECT_EQ(ftr_cbor_peek(&reader.r), FTR_CBOR_END);
    std::uint64_t left = FTR_CBOR_INDEFINITE;
    EXPECT_FALSE(ftr_cbor_next(&reader.r, &left));
    EXPECT_EQ(ftr_cbor_reader_offset(&reader.r), 1U);
}

TEST(CborReader, ReturnsStringsAsViewsIntoTheBytes)
{
    reader_of reader(std::string("6449455446") + "420102");
    const char *text = nullptr;
    const std::uint8_t *bytes = nullptr;
    std::size_t size = 0;
    ASSERT_EQ(ftr_cbor_get_text(&reader.r, &text, &size), FTR_OK);
    EXPECT_EQ(std::string(text, size), "IETF");
    EXPECT_EQ(reinterpret_cast<const std::uint8_t *>(text), reader.r.begin + 1);
    ASSERT_EQ(ftr_cbor_get_bytes(&reader.r, &bytes, &size), FTR_OK);
    EXPECT_EQ(hex_of_bytes(bytes, size), "0102");
    EXPECT_EQ(bytes, reader.r.begin + 6);
}

TEST(CborReader, RefusesChunkedStringsAsViews)
{
    reader_of reader(std::string("7f6161ff"));
    const char *text = nullptr;
    std::size_t size = 0;
    EXPECT_TRUE(ftr_cbor_peek_indefinite(&reader.r));
    EXPECT_EQ(ftr_cbor_get_text(&reader.r, &text, &size), FTR_ERR_FORMAT);
}

TEST(CborReader, JoinsTheChunksOfAString)
{
    const struct {
        const char *hex;
        const char *joined;
    } strings[] = {{"7f657374726561646d696e67ff", "streaming"},
                   {"7f60657374726561646d696e6760ff", "streaming"},
                   {"6973747265616d696e67", "streaming"},
                   {"7fff", ""},
                   {"60", ""}};
    for (const auto &string : strings) {
        SCOPED_TRACE(string.hex);
        const std::string expected = string.joined;
        reader_of reader(std::string(string.hex) + "00");
        std::size_t size = 99;
        ASSERT_EQ(ftr_cbor_measure_string(&reader.r, FTR_CBOR_MAJOR_TEXT, &size), FTR_OK);
        EXPECT_EQ(size, expected.size());
        EXPECT_EQ(ftr_cbor_reader_offset(&reader.r), 0U);
        std::string joined(size, '?');
        size = 99;
        ASSERT_EQ(
            ftr_cbor_copy_string(&reader.r, FTR_CBOR_MAJOR_TEXT, &joined[0], joined.size(), &size),
            FTR_OK);
        EXPECT_EQ(size, expected.size());
        EXPECT_EQ(joined, expected);
        EXPECT_EQ(ftr_cbor_reader_left(&reader.r), 1U);
    }
}

TEST(CborReader, CopiesNothingOfAStringThatDoesNotFit)
{
    for (const char *hex : {"5f42010243030405ff", "450102030405"}) {
        for (std::size_t capacity = 0; capacity < 5; capacity++) {
            reader_of reader{std::string(hex)};
            std::vector<std::uint8_t> to(5, 0xa5);
            std::size_t size = 99;
            EXPECT_EQ(
                ftr_cbor_copy_string(&reader.r, FTR_CBOR_MAJOR_BYTES, to.data(), capacity, &size),
                FTR_ERR_LIMIT);
            EXPECT_EQ(hex_of_bytes(to.data(), to.size()), "a5a5a5a5a5");
            EXPECT_EQ(size, 99U);
            EXPECT_EQ(ftr_cbor_reader_offset(&reader.r), 0U);
        }
    }
}

TEST(CborReader, IteratesDefiniteAndIndefiniteArrays)
{
    for (const char *hex : {"83070707", "9f070707ff"}) {
        reader_of reader(std::string(hex) + "08");
        std::uint64_t count = 0;
        std::uint64_t value = 0;
        int items = 0;
        for (ftr_cbor_get_array(&reader.r, &count); ftr_cbor_next(&reader.r, &count); items++)
            ASSERT_EQ(ftr_cbor_get_uint(&reader.r, &value), FTR_OK);
        EXPECT_EQ(items, 3) << hex;
        EXPECT_FALSE(ftr_cbor_next(&reader.r, &count)) << "the end is final";
        EXPECT_EQ(ftr_cbor_get_uint(&reader.r, &value), FTR_OK);
        EXPECT_EQ(value, 8U);
    }
}

TEST(CborReader, StopsAnIterationAtTheEndOfTheBytes)
{
    reader_of reader(std::string("9f07"));
    std::uint64_t count = 0;
    std::uint64_t value = 0;
    ASSERT_EQ(ftr_cbor_get_array(&reader.r, &count), FTR_OK);
    EXPECT_EQ(count, FTR_CBOR_INDEFINITE);
    EXPECT_TRUE(ftr_cbor_next(&reader.r, &count));
    EXPECT_EQ(ftr_cbor_get_uint(&reader.r, &value), FTR_OK);
    EXPECT_FALSE(ftr_cbor_at_break(&reader.r));
    EXPECT_FALSE(ftr_cbor_next(&reader.r, &count));
    EXPECT_EQ(reader.r.status, FTR_ERR_TRUNCATED);
}

TEST(CborReader, ReturnsTheHeadOfATruncatedString)
{
    reader_of reader(std::string("5903e8aabbcc"));
    ftr_cbor_head head{};
    ASSERT_EQ(ftr_cbor_get_head(&reader.r, &head), FTR_OK);
    EXPECT_EQ(head.major, FTR_CBOR_MAJOR_BYTES);
    EXPECT_EQ(head.argument, 1000U);
    EXPECT_FALSE(head.indefinite);
    EXPECT_EQ(ftr_cbor_reader_left(&reader.r), 3U);
}

TEST(CborReader, DistinguishesABreakFromOtherItems)
{
    reader_of reader(std::string("f7ff"));
    EXPECT_FALSE(ftr_cbor_at_break(&reader.r));
    ASSERT_EQ(ftr_cbor_skip(&reader.r), FTR_OK);
    EXPECT_TRUE(ftr_cbor_at_break(&reader.r));
    ftr_cbor_head head{};
    ASSERT_EQ(ftr_cbor_get_head(&reader.r, &head), FTR_OK);
    EXPECT_TRUE(head.indefinite);
    EXPECT_FALSE(ftr_cbor_at_break(&reader.r)) << "at the end of the bytes";
}

TEST(CborReader, AcceptsAnEmptyInput)
{
    ftr_cbor_reader r;
    ftr_cbor_reader_init(&r, nullptr, 0);
    EXPECT_EQ(ftr_cbor_peek(&r), FTR_CBOR_END);
    EXPECT_EQ(ftr_cbor_reader_left(&r), 0U);
    EXPECT_EQ(ftr_cbor_skip(&r), FTR_ERR_TRUNCATED);
}
