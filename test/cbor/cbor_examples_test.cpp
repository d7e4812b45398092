// Reading and skipping the RFC's examples: whole, truncated, and with any bit flipped. Results are
// compared in the RFC's diagnostic notation.
#include "cbor_reader_of.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace
{
std::string digits_of(double value)
{
    if (std::isnan(value))
        return "NaN";
    if (std::isinf(value))
        return value < 0 ? "-Infinity" : "Infinity";
    char digits[64];
    const auto result = std::to_chars(digits, digits + sizeof digits, value);
    return std::string(digits, result.ptr);
}

std::string diagnose(ftr_cbor_reader *r);

std::string diagnose_string(ftr_cbor_reader *r, std::uint8_t major)
{
    const std::uint8_t *bytes = nullptr;
    const char *text = nullptr;
    std::size_t size = 0;
    if (major == FTR_CBOR_MAJOR_BYTES) {
        if (ftr_cbor_get_bytes(r, &bytes, &size) != FTR_OK)
            return {};
        return "h'" + hex_of_bytes(bytes, size) + "'";
    }
    if (ftr_cbor_get_text(r, &text, &size) != FTR_OK)
        return {};
    std::string quoted = "\"";
    for (std::size_t i = 0; i < size; i++) {
        if (text[i] == '"' || text[i] == '\\')
            quoted += '\\';
        quoted += text[i];
    }
    return quoted + "\"";
}

std::string diagnose_chunks(ftr_cbor_reader *r, std::uint8_t major)
{
    ftr_cbor_head head;
    if (ftr_cbor_get_head(r, &head) != FTR_OK)
        return {};
    EXPECT_TRUE(head.indefinite);
    std::string out = "(_ ";
    const char *separator = "";
    for (std::uint64_t chunks = FTR_CBOR_INDEFINITE; ftr_cbor_next(r, &chunks);) {
        out += separator + diagnose_string(r, major);
        separator = ", ";
    }
    return out + ")";
}

std::string diagnose_container(ftr_cbor_reader *r, bool map)
{
    std::uint64_t count = 0;
    if ((map ? ftr_cbor_get_map(r, &count) : ftr_cbor_get_array(r, &count)) != FTR_OK)
        return {};
    std::string out = map ? "{" : "[";
    if (count == FTR_CBOR_INDEFINITE)
        out += "_ ";
    const char *separator = "";
    while (ftr_cbor_next(r, &count)) {
        out += separator + diagnose(r);
        if (map)
            out += ": " + diagnose(r);
        separator = ", ";
    }
    return out + (map ? "}" : "]");
}

std::string diagnose_number(ftr_cbor_reader *r, ftr_cbor_type type)
{
    std::uint64_t magnitude = 0;
    std::int64_t value = 0;
    double real = 0;
    switch (type) {
    case FTR_CBOR_UINT:
        (void)ftr_cbor_get_uint(r, &magnitude);
        return std::to_string(magnitude);
    case FTR_CBOR_NEGATIVE: {
        const ftr_cbor_reader bookmark = *r;
        if (ftr_cbor_get_int(r, &value) != FTR_ERR_LIMIT)
            return std::to_string(value);
        *r = bookmark;
        (void)ftr_cbor_get_argument(r, FTR_CBOR_MAJOR_NEGATIVE, &magnitude);
        return magnitude == UINT64_MAX ? "-18446744073709551616"
                                       : "-" + std::to_string(magnitude + 1);
    }
    default:
        (void)ftr_cbor_get_double(r, &real);
        return digits_of(real) + "_" + std::to_string(type - FTR_CBOR_HALF + 1);
    }
}

// Returns the next item in the notation of cbor_vector::text; an error is in r->status.
std::string diagnose(ftr_cbor_reader *r)
{
    bool truth = false;
    std::uint8_t simple = 0;
    std::uint64_t tag = 0;
    const ftr_cbor_type type = ftr_cbor_peek(r);
    switch (type) {
    case FTR_CBOR_UINT:
    case FTR_CBOR_NEGATIVE:
    case FTR_CBOR_HALF:
    case FTR_CBOR_FLOAT:
    case FTR_CBOR_DOUBLE:
        return diagnose_number(r, type);
    case FTR_CBOR_BYTES:
    case FTR_CBOR_TEXT: {
        const std::uint8_t major =
            type == FTR_CBOR_BYTES ? FTR_CBOR_MAJOR_BYTES : FTR_CBOR_MAJOR_TEXT;
        return ftr_cbor_peek_indefinite(r) ? diagnose_chunks(r, major) : diagnose_string(r, major);
    }
    case FTR_CBOR_ARRAY:
    case FTR_CBOR_MAP:
        return diagnose_container(r, type == FTR_CBOR_MAP);
    case FTR_CBOR_TAG: {
        if (ftr_cbor_get_tag(r, &tag) != FTR_OK)
            return {};
        return std::to_string(tag) + "(" + diagnose(r) + ")";
    }
    case FTR_CBOR_BOOL:
        (void)ftr_cbor_get_bool(r, &truth);
        return truth ? "true" : "false";
    case FTR_CBOR_NULL:
        (void)ftr_cbor_skip(r);
        return "null";
    case FTR_CBOR_UNDEFINED:
    case FTR_CBOR_SIMPLE:
        if (ftr_cbor_get_simple(r, &simple) != FTR_OK)
            return {};
        return simple == 23 ? "undefined" : "simple(" + std::to_string(simple) + ")";
    case FTR_CBOR_BREAK:
    case FTR_CBOR_MALFORMED:
        ftr_cbor_reader_fail(r, FTR_ERR_FORMAT);
        return {};
    case FTR_CBOR_END:
        ftr_cbor_reader_fail(r, FTR_ERR_TRUNCATED);
        return {};
    }
    ADD_FAILURE() << "peek answered " << type;
    return {};
}
} // namespace

TEST(CborExamples, ReadsEveryRfcExample)
{
    for (const cbor_vector &vector : cbor_vectors) {
        reader_of reader(vector.hex);
        EXPECT_EQ(diagnose(&reader.r), vector.text);
        EXPECT_EQ(reader.r.status, FTR_OK) << vector.text;
        EXPECT_EQ(ftr_cbor_reader_left(&reader.r), 0U) << vector.text;
    }
}

TEST(CborExamples, SkipsEveryRfcExampleAndStopsAfterIt)
{
    for (const cbor_vector &vector : cbor_vectors) {
        reader_of reader(std::string(vector.hex) + "00");
        EXPECT_EQ(ftr_cbor_skip(&reader.r), FTR_OK) << vector.text;
        EXPECT_EQ(ftr_cbor_reader_left(&reader.r), 1U) << vector.text;
    }
}

TEST(CborExamples, ReportsTruncationForEveryCutOfEveryRfcExample)
{
    for (const cbor_vector &vector : cbor_vectors) {
        std::vector<std::uint8_t> bytes = bytes_of_hex(vector.hex);
        while (!bytes.empty()) {
            bytes.pop_back();
            SCOPED_TRACE(std::string(vector.text) + " cut to " + std::to_string(bytes.size()));
            reader_of skipped(bytes);
            EXPECT_EQ(ftr_cbor_skip(&skipped.r), FTR_ERR_TRUNCATED);
            EXPECT_EQ(ftr_cbor_reader_offset(&skipped.r), 0U);
            reader_of read(bytes);
            (void)diagnose(&read.r);
            EXPECT_EQ(read.r.status, FTR_ERR_TRUNCATED);
        }
    }
}

// Reading item by item and skipping are two traversals of the same grammar: both must find the same
// items well-formed, with the same ends.
TEST(CborExamples, AgreesWithSkipOnEveryBitFlipOfEveryRfcExample)
{
    std::size_t accepted = 0;
    std::size_t refused = 0;
    for (const cbor_vector &vector : cbor_vectors) {
        const std::vector<std::uint8_t> bytes = bytes_of_hex(vector.hex);
        for (std::size_t bit = 0; bit < 8 * bytes.size(); bit++) {
            std::vector<std::uint8_t> flipped = bytes;
            flipped[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
            SCOPED_TRACE(std::string(vector.text) + " as " +
                         hex_of_bytes(flipped.data(), flipped.size()));
            reader_of read(flipped);
            (void)diagnose(&read.r);
            reader_of skipped(flipped);
            const ftr_status status = ftr_cbor_skip(&skipped.r);
            EXPECT_EQ(status == FTR_OK, read.r.status == FTR_OK);
            if (status == FTR_OK) {
                EXPECT_EQ(ftr_cbor_reader_offset(&skipped.r), ftr_cbor_reader_offset(&read.r));
            } else {
                EXPECT_TRUE(status == FTR_ERR_TRUNCATED || status == FTR_ERR_FORMAT);
            }
            (status == FTR_OK ? accepted : refused)++;
        }
    }
    EXPECT_GT(accepted, 100U);
    EXPECT_GT(refused, 100U);
}

// RFC 8949, appendix F.1.
TEST(CborExamples, RefusesEveryIllFormedRfcExample)
{
    const char *truncated[] = {"18",
                               "19",
                               "1a",
                               "1b",
                               "1901",
                               "1a0102",
                               "1b01020304050607",
                               "38",
                               "58",
                               "78",
                               "98",
                               "9a01ff00",
                               "b8",
                               "d8",
                               "f8",
                               "f900",
                               "fa0000",
                               "fb000000",
                               "41",
                               "61",
                               "5affffffff00",
                               "5bffffffffffffffff010203",
                               "7affffffff00",
                               "7b7fffffffffffffff010203",
                               "81",
                               "818181818181818181",
                               "8200",
                               "a1",
                               "a20102",
                               "a100",
                               "a2000000",
                               "c0",
                               "5f4100",
                               "7f6100",
                               "9f",
                               "9f0102",
                               "bf",
                               "bf01020102",
                               "819f",
                               "9f8000",
                               "9f9f9f9f9fffffffff",
                               "9f819f819f9fffffff"};
    for (const char *hex : truncated) {
        EXPECT_EQ(skip(hex), FTR_ERR_TRUNCATED) << hex;
        reader_of reader{std::string(hex)};
        (void)diagnose(&reader.r);
        EXPECT_EQ(reader.r.status, FTR_ERR_TRUNCATED) << hex;
    }
    const char *malformed[] = {
        "1c",       "1d",           "1e",           "3c",     "3d",         "3e",       "5c",
        "5d",       "5e",           "7c",           "7d",     "7e",         "9c",       "9d",
        "9e",       "bc",           "bd",           "be",     "dc",         "dd",       "de",
        "fc",       "fd",           "fe",           "f800",   "f801",       "f818",     "f81f",
        "5f00ff",   "5f21ff",       "5f6100ff",     "5f80ff", "5fa0ff",     "5fc000ff", "5fe0ff",
        "7f4100ff", "5f5f4100ffff", "7f7f6100ffff", "ff",     "81ff",       "8200ff",   "a1ff00",
        "a100ff",   "9f81ff",       "c1ff",         "bf00ff", "bf000000ff", "1f",       "3f",
        "df"};
    for (const char *hex : malformed) {
        EXPECT_EQ(skip(hex), FTR_ERR_FORMAT) << hex;
        reader_of reader{std::string(hex)};
        (void)diagnose(&reader.r);
        EXPECT_EQ(reader.r.status, FTR_ERR_FORMAT) << hex;
    }
    // Ill-formed in two ways: a break instead of an item, and too few remaining bytes.
    for (const char *hex : {"a1ff", "a20000ff", "9f829f819f9fffffffff"}) {
        EXPECT_NE(skip(hex), FTR_OK) << hex;
        reader_of reader{std::string(hex)};
        (void)diagnose(&reader.r);
        EXPECT_NE(reader.r.status, FTR_OK) << hex;
    }
}
