#include "cbor_vectors.hpp"

#include <cstring>
#include <limits>

std::vector<std::uint8_t> bytes_of_hex(const std::string &hex)
{
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        bytes.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
    return bytes;
}

std::string hex_of_bytes(const std::uint8_t *bytes, std::size_t size)
{
    static const char digits[] = "0123456789abcdef";
    std::string hex;
    for (std::size_t i = 0; i < size; i++) {
        hex += digits[bytes[i] >> 4];
        hex += digits[bytes[i] & 15];
    }
    return hex;
}

namespace
{
constexpr float float_infinity = std::numeric_limits<float>::infinity();
constexpr float float_nan = std::numeric_limits<float>::quiet_NaN();
constexpr double double_infinity = std::numeric_limits<double>::infinity();
constexpr double double_nan = std::numeric_limits<double>::quiet_NaN();

void put_text(ftr_cbor_writer *w, const char *text)
{
    ftr_cbor_put_text(w, text, std::strlen(text));
}

void put_bytes_of(ftr_cbor_writer *w, const char *hex)
{
    const std::vector<std::uint8_t> bytes = bytes_of_hex(hex);
    ftr_cbor_put_bytes(w, bytes.data(), bytes.size());
}

void put_float(ftr_cbor_writer *w, float value)
{
    if (std::uint8_t *p = ftr_cbor_reserve(w, 5))
        ftr_cbor_advance(w, ftr_cbor_float_at(p, value));
}

void put_double(ftr_cbor_writer *w, double value)
{
    if (std::uint8_t *p = ftr_cbor_reserve(w, 9))
        ftr_cbor_advance(w, ftr_cbor_double_at(p, value));
}

void put_half(ftr_cbor_writer *w, std::uint16_t bits)
{
    const std::uint8_t item[] = {FTR_CBOR_BYTE_HALF, static_cast<std::uint8_t>(bits >> 8),
                                 static_cast<std::uint8_t>(bits)};
    ftr_cbor_put_encoded(w, item, sizeof item);
}

void put_simple(ftr_cbor_writer *w, std::uint8_t value)
{
    ftr_cbor_put_head(w, FTR_CBOR_MAJOR_SIMPLE, value);
}

void put_range(ftr_cbor_writer *w, std::uint64_t first, std::uint64_t last)
{
    for (std::uint64_t value = first; value <= last; value++)
        ftr_cbor_put_uint(w, value);
}
} // namespace

const std::vector<cbor_vector> cbor_vectors = {
    {"0", "00", [](ftr_cbor_writer *w) { ftr_cbor_put_uint(w, 0); }},
    {"1", "01", [](ftr_cbor_writer *w) { ftr_cbor_put_uint(w, 1); }},
    {"10", "0a", [](ftr_cbor_writer *w) { ftr_cbor_put_uint(w, 10); }},
    {"23", "17", [](ftr_cbor_writer *w) { ftr_cbor_put_uint(w, 23); }},
    {"24", "1818", [](ftr_cbor_writer *w) { ftr_cbor_put_uint(w, 24); }},
    {"25", "1819", [](ftr_cbor_writer *w) { ftr_cbor_put_uint(w, 25); }},
    {"100", "1864", [](ftr_cbor_writer *w) { ftr_cbor_put_uint(w, 100); }},
    {"1000", "1903e8", [](ftr_cbor_writer *w) { ftr_cbor_put_uint(w, 1000); }},
    {"1000000", "1a000f4240", [](ftr_cbor_writer *w) { ftr_cbor_put_uint(w, 1000000); }},
    {"1000000000000", "1b000000e8d4a51000",
     [](ftr_cbor_writer *w) { ftr_cbor_put_uint(w, 1000000000000); }},
    {"18446744073709551615", "1bffffffffffffffff",
     [](ftr_cbor_writer *w) { ftr_cbor_put_uint(w, UINT64_MAX); }},
    {"2(h'010000000000000000')", "c249010000000000000000",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_tag(w, 2);
         put_bytes_of(w, "010000000000000000");
     }},
    {"-18446744073709551616", "3bffffffffffffffff",
     [](ftr_cbor_writer *w) { ftr_cbor_put_head(w, FTR_CBOR_MAJOR_NEGATIVE, UINT64_MAX); }},
    {"3(h'010000000000000000')", "c349010000000000000000",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_tag(w, 3);
         put_bytes_of(w, "010000000000000000");
     }},
    {"-1", "20", [](ftr_cbor_writer *w) { ftr_cbor_put_int(w, -1); }},
    {"-10", "29", [](ftr_cbor_writer *w) { ftr_cbor_put_int(w, -10); }},
    {"-100", "3863", [](ftr_cbor_writer *w) { ftr_cbor_put_int(w, -100); }},
    {"-1000", "3903e7", [](ftr_cbor_writer *w) { ftr_cbor_put_int(w, -1000); }},
    {"0_1", "f90000", [](ftr_cbor_writer *w) { put_half(w, 0x0000); }},
    {"-0_1", "f98000", [](ftr_cbor_writer *w) { put_half(w, 0x8000); }},
    {"1_1", "f93c00", [](ftr_cbor_writer *w) { put_half(w, 0x3c00); }},
    {"1.1_3", "fb3ff199999999999a", [](ftr_cbor_writer *w) { put_double(w, 1.1); }},
    {"1.5_1", "f93e00", [](ftr_cbor_writer *w) { put_half(w, 0x3e00); }},
    {"65504_1", "f97bff", [](ftr_cbor_writer *w) { put_half(w, 0x7bff); }},
    {"1e+05_2", "fa47c35000", [](ftr_cbor_writer *w) { put_float(w, 100000.0F); }},
    {"3.4028234663852886e+38_2", "fa7f7fffff",
     [](ftr_cbor_writer *w) { put_float(w, 3.4028234663852886e+38F); }},
    {"1e+300_3", "fb7e37e43c8800759c", [](ftr_cbor_writer *w) { put_double(w, 1.0e+300); }},
    {"5.960464477539063e-08_1", "f90001", [](ftr_cbor_writer *w) { put_half(w, 0x0001); }},
    {"6.103515625e-05_1", "f90400", [](ftr_cbor_writer *w) { put_half(w, 0x0400); }},
    {"-4_1", "f9c400", [](ftr_cbor_writer *w) { put_half(w, 0xc400); }},
    {"-4.1_3", "fbc010666666666666", [](ftr_cbor_writer *w) { put_double(w, -4.1); }},
    {"Infinity_1", "f97c00", [](ftr_cbor_writer *w) { put_half(w, 0x7c00); }},
    {"NaN_1", "f97e00", [](ftr_cbor_writer *w) { put_half(w, 0x7e00); }},
    {"-Infinity_1", "f9fc00", [](ftr_cbor_writer *w) { put_half(w, 0xfc00); }},
    {"Infinity_2", "fa7f800000", [](ftr_cbor_writer *w) { put_float(w, float_infinity); }},
    {"NaN_2", "fa7fc00000", [](ftr_cbor_writer *w) { put_float(w, float_nan); }},
    {"-Infinity_2", "faff800000", [](ftr_cbor_writer *w) { put_float(w, -float_infinity); }},
    {"Infinity_3", "fb7ff0000000000000",
     [](ftr_cbor_writer *w) { put_double(w, double_infinity); }},
    {"NaN_3", "fb7ff8000000000000", [](ftr_cbor_writer *w) { put_double(w, double_nan); }},
    {"-Infinity_3", "fbfff0000000000000",
     [](ftr_cbor_writer *w) { put_double(w, -double_infinity); }},
    {"false", "f4", [](ftr_cbor_writer *w) { ftr_cbor_put_bool(w, false); }},
    {"true", "f5", [](ftr_cbor_writer *w) { ftr_cbor_put_bool(w, true); }},
    {"null", "f6", [](ftr_cbor_writer *w) { ftr_cbor_put_null(w); }},
    {"undefined", "f7", [](ftr_cbor_writer *w) { put_simple(w, 23); }},
    {"simple(16)", "f0", [](ftr_cbor_writer *w) { put_simple(w, 16); }},
    {"simple(255)", "f8ff", [](ftr_cbor_writer *w) { put_simple(w, 255); }},
    {"0(\"2013-03-21T20:04:00Z\")", "c074323031332d30332d32315432303a30343a30305a",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_tag(w, 0);
         put_text(w, "2013-03-21T20:04:00Z");
     }},
    {"1(1363896240)", "c11a514b67b0",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_tag(w, 1);
         ftr_cbor_put_uint(w, 1363896240);
     }},
    {"1(1363896240.5_3)", "c1fb41d452d9ec200000",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_tag(w, 1);
         put_double(w, 1363896240.5);
     }},
    {"23(h'01020304')", "d74401020304",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_tag(w, 23);
         put_bytes_of(w, "01020304");
     }},
    {"24(h'6449455446')", "d818456449455446",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_tag(w, 24);
         put_bytes_of(w, "6449455446");
     }},
    {"32(\"http://www.example.com\")", "d82076687474703a2f2f7777772e6578616d706c652e636f6d",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_tag(w, 32);
         put_text(w, "http://www.example.com");
     }},
    {"h''", "40", [](ftr_cbor_writer *w) { put_bytes_of(w, ""); }},
    {"h'01020304'", "4401020304", [](ftr_cbor_writer *w) { put_bytes_of(w, "01020304"); }},
    {"\"\"", "60", [](ftr_cbor_writer *w) { put_text(w, ""); }},
    {"\"a\"", "6161", [](ftr_cbor_writer *w) { put_text(w, "a"); }},
    {"\"IETF\"", "6449455446", [](ftr_cbor_writer *w) { put_text(w, "IETF"); }},
    {"\"\\\"\\\\\"", "62225c", [](ftr_cbor_writer *w) { put_text(w, "\"\\"); }},
    {"\"ü\"", "62c3bc", [](ftr_cbor_writer *w) { put_text(w, "ü"); }},
    {"\"水\"", "63e6b0b4", [](ftr_cbor_writer *w) { put_text(w, "水"); }},
    {"\"𐅑\"", "64f0908591", [](ftr_cbor_writer *w) { put_text(w, "𐅑"); }},
    {"[]", "80", [](ftr_cbor_writer *w) { ftr_cbor_put_array(w, 0); }},
    {"[1, 2, 3]", "83010203",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_array(w, 3);
         put_range(w, 1, 3);
     }},
    {"[1, [2, 3], [4, 5]]", "8301820203820405",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_array(w, 3);
         ftr_cbor_put_uint(w, 1);
         ftr_cbor_put_array(w, 2);
         put_range(w, 2, 3);
         ftr_cbor_put_array(w, 2);
         put_range(w, 4, 5);
     }},
    {"[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25]",
     "98190102030405060708090a0b0c0d0e0f101112131415161718181819",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_array(w, 25);
         put_range(w, 1, 25);
     }},
    {"{}", "a0", [](ftr_cbor_writer *w) { ftr_cbor_put_map(w, 0); }},
    {"{1: 2, 3: 4}", "a201020304",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_map(w, 2);
         put_range(w, 1, 4);
     }},
    {"{\"a\": 1, \"b\": [2, 3]}", "a26161016162820203",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_map(w, 2);
         put_text(w, "a");
         ftr_cbor_put_uint(w, 1);
         put_text(w, "b");
         ftr_cbor_put_array(w, 2);
         put_range(w, 2, 3);
     }},
    {"[\"a\", {\"b\": \"c\"}]", "826161a161626163",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_array(w, 2);
         put_text(w, "a");
         ftr_cbor_put_map(w, 1);
         put_text(w, "b");
         put_text(w, "c");
     }},
    {"{\"a\": \"A\", \"b\": \"B\", \"c\": \"C\", \"d\": \"D\", \"e\": \"E\"}",
     "a56161614161626142616361436164614461656145",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_map(w, 5);
         for (const char *text : {"a", "A", "b", "B", "c", "C", "d", "D", "e", "E"})
             put_text(w, text);
     }},
    {"(_ h'0102', h'030405')", "5f42010243030405ff",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_indefinite(w, FTR_CBOR_MAJOR_BYTES);
         put_bytes_of(w, "0102");
         put_bytes_of(w, "030405");
         ftr_cbor_put_break(w);
     }},
    {"(_ \"strea\", \"ming\")", "7f657374726561646d696e67ff",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_indefinite(w, FTR_CBOR_MAJOR_TEXT);
         put_text(w, "strea");
         put_text(w, "ming");
         ftr_cbor_put_break(w);
     }},
    {"[_ ]", "9fff",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_indefinite_array(w);
         ftr_cbor_put_break(w);
     }},
    {"[_ 1, [2, 3], [_ 4, 5]]", "9f018202039f0405ffff",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_indefinite_array(w);
         ftr_cbor_put_uint(w, 1);
         ftr_cbor_put_array(w, 2);
         put_range(w, 2, 3);
         ftr_cbor_put_indefinite_array(w);
         put_range(w, 4, 5);
         ftr_cbor_put_break(w);
         ftr_cbor_put_break(w);
     }},
    {"[_ 1, [2, 3], [4, 5]]", "9f01820203820405ff",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_indefinite_array(w);
         ftr_cbor_put_uint(w, 1);
         ftr_cbor_put_array(w, 2);
         put_range(w, 2, 3);
         ftr_cbor_put_array(w, 2);
         put_range(w, 4, 5);
         ftr_cbor_put_break(w);
     }},
    {"[1, [2, 3], [_ 4, 5]]", "83018202039f0405ff",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_array(w, 3);
         ftr_cbor_put_uint(w, 1);
         ftr_cbor_put_array(w, 2);
         put_range(w, 2, 3);
         ftr_cbor_put_indefinite_array(w);
         put_range(w, 4, 5);
         ftr_cbor_put_break(w);
     }},
    {"[1, [_ 2, 3], [4, 5]]", "83019f0203ff820405",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_array(w, 3);
         ftr_cbor_put_uint(w, 1);
         ftr_cbor_put_indefinite_array(w);
         put_range(w, 2, 3);
         ftr_cbor_put_break(w);
         ftr_cbor_put_array(w, 2);
         put_range(w, 4, 5);
     }},
    {"[_ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, "
     "25]",
     "9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_indefinite_array(w);
         put_range(w, 1, 25);
         ftr_cbor_put_break(w);
     }},
    {"{_ \"a\": 1, \"b\": [_ 2, 3]}", "bf61610161629f0203ffff",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_indefinite_map(w);
         put_text(w, "a");
         ftr_cbor_put_uint(w, 1);
         put_text(w, "b");
         ftr_cbor_put_indefinite_array(w);
         put_range(w, 2, 3);
         ftr_cbor_put_break(w);
         ftr_cbor_put_break(w);
     }},
    {"[\"a\", {_ \"b\": \"c\"}]", "826161bf61626163ff",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_array(w, 2);
         put_text(w, "a");
         ftr_cbor_put_indefinite_map(w);
         put_text(w, "b");
         put_text(w, "c");
         ftr_cbor_put_break(w);
     }},
    {"{_ \"Fun\": true, \"Amt\": -2}", "bf6346756ef563416d7421ff",
     [](ftr_cbor_writer *w) {
         ftr_cbor_put_indefinite_map(w);
         put_text(w, "Fun");
         ftr_cbor_put_bool(w, true);
         put_text(w, "Amt");
         ftr_cbor_put_int(w, -2);
         ftr_cbor_put_break(w);
     }},
};
