// The emitter for targets: the bytes of each entry, their destination, and refused calls.
#include <ftr/flux.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace
{

using Bytes = std::vector<uint8_t>;

// "00 10 01 text" as bytes: words of two digits are hexadecimal, others are text.
Bytes bytes(const std::string &words)
{
    Bytes result;
    size_t at = 0;
    while (at < words.size()) {
        const size_t end = std::min(words.find(' ', at), words.size());
        const std::string word = words.substr(at, end - at);
        if (word.size() == 2 && word.find_first_not_of("0123456789abcdef") == std::string::npos)
            result.push_back(static_cast<uint8_t>(std::stoi(word, nullptr, 16)));
        else
            result.insert(result.end(), word.begin(), word.end());
        at = end + 1;
    }
    return result;
}

class FluxEmitter : public testing::Test
{
  protected:
    static constexpr uint32_t last_item = 4;

    void SetUp() override
    {
        ftr_flux_buffer_init(&buffer, memory, sizeof memory, nullptr, nullptr);
        ASSERT_EQ(ftr_flux_trace_init(&trace, 1, last_item, 512, items, &buffer), FTR_OK);
    }

    // Defines a signal 2 of a type in an open sequence, and discards the emitted bytes.
    void open_signal(ftr_flux_type type)
    {
        ASSERT_EQ(ftr_flux_put_signal(&trace, 2, 0, "s", nullptr, type, nullptr), FTR_OK);
        ASSERT_EQ(ftr_flux_open(&trace, 0, "ns", 100, 0), FTR_OK);
        buffer.used = 0;
    }

    // Returns the bytes emitted since the last call.
    Bytes emitted()
    {
        size_t size = 0;
        const auto *first = static_cast<const uint8_t *>(ftr_flux_buffer_get(&buffer, &size));
        Bytes result(first, first + size);
        buffer.used = 0;
        return result;
    }

    uint8_t memory[4096];
    ftr_flux_item items[FTR_FLUX_ITEMS(last_item)];
    ftr_flux_buffer buffer;
    ftr_flux_trace trace;
};

TEST_F(FluxEmitter, WritesACompleteTrace)
{
    ASSERT_EQ(ftr_flux_put_head(&trace, "demo", nullptr), FTR_OK);
    ASSERT_EQ(ftr_flux_put_scope(&trace, 1, 0, "top", nullptr), FTR_OK);
    ASSERT_EQ(ftr_flux_put_signal(&trace, 2, 1, "cnt", nullptr, FTR_FLUX_INTEGER, nullptr), FTR_OK);
    ASSERT_EQ(ftr_flux_put_signal(&trace, 3, 1, "tx", nullptr, FTR_FLUX_STRUCT, nullptr), FTR_OK);
    ASSERT_EQ(ftr_flux_open(&trace, 0, "ns", 100, 0), FTR_OK);
    ASSERT_EQ(ftr_flux_put_member(&trace, 3, 0, "addr", FTR_FLUX_MEMBER_INTEGER, "default<df=Hex>"),
              FTR_OK);
    ASSERT_EQ(ftr_flux_put_member(&trace, 3, 1, "w", FTR_FLUX_MEMBER_FLOAT, nullptr), FTR_OK);
    ASSERT_EQ(ftr_flux_put_int(&trace, 2, false, 100, 1), FTR_OK);
    ASSERT_EQ(ftr_flux_put_int(&trace, 2, true, 250, -300), FTR_OK);
    ftr_flux_member members[2] = {};
    members[0].member = 0;
    members[0].type = FTR_FLUX_MEMBER_INTEGER;
    members[0].valid = true;
    members[0].as.integer = 0x1000;
    members[1].member = 1;
    members[1].type = FTR_FLUX_MEMBER_FLOAT;
    members[1].valid = true;
    members[1].as.real = 0.5;
    ASSERT_EQ(ftr_flux_put_struct(&trace, 3, false, 450, members, 2), FTR_OK);
    ASSERT_EQ(ftr_flux_put_none(&trace, 3, false, 460), FTR_OK);
    ASSERT_EQ(ftr_flux_close(&trace, 0, 1000), FTR_OK);
    EXPECT_EQ(emitted(), bytes("00 01 flux 04 01 04 demo 00 00 04 80 04 "
                               "00 10 01 00 03 top 00 "
                               "00 11 02 01 03 cnt 00 02 00 "
                               "00 11 03 01 02 tx 00 07 00 "
                               "00 20 00 02 ns 01 64 00 "
                               "00 31 03 00 04 addr 03 0f default<df=Hex> "
                               "00 31 03 01 01 w 04 00 "
                               "10 11 01 "
                               "13 96 01 21 d4 fe "
                               "1a c8 01 81 02 00 03 02 00 10 01 04 08 "
                               "00 00 00 00 00 00 e0 3f "
                               "1a 0a 00 "
                               "00 21 00 02 e8 03"));
}

TEST_F(FluxEmitter, WritesIntegersInTheFewestBytes)
{
    const struct {
        int64_t value;
        const char *bytes;
    } vectors[] = {{0, "10 01"},
                   {5, "10 11 05"},
                   {-1, "10 11 ff"},
                   {127, "10 11 7f"},
                   {128, "10 21 80 00"},
                   {-128, "10 11 80"},
                   {-129, "10 21 7f ff"},
                   {-300, "10 21 d4 fe"},
                   {255, "10 21 ff 00"},
                   {65535, "10 31 ff ff 00"},
                   {INT64_MAX, "10 81 01 ff ff ff ff ff ff ff 7f"},
                   {INT64_MIN, "10 81 01 00 00 00 00 00 00 00 80"}};
    open_signal(FTR_FLUX_INTEGER);
    for (const auto &vector : vectors) {
        ASSERT_EQ(ftr_flux_put_int(&trace, 2, false, 100, vector.value), FTR_OK);
        EXPECT_EQ(emitted(), bytes(vector.bytes)) << vector.value;
    }
    ASSERT_EQ(ftr_flux_put_uint(&trace, 2, false, 100, UINT64_MAX - 1), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 81 01 fe ff ff ff ff ff ff ff"));
}

// A zero byte precedes a set top bit only for values smaller than their C type.
TEST_F(FluxEmitter, WritesUnsignedIntegersInTheBytesOfTheirType)
{
    open_signal(FTR_FLUX_INTEGER);
    ASSERT_EQ(ftr_flux_put_uint32(&trace, 2, false, 100, 0), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 01"));
    ASSERT_EQ(ftr_flux_put_uint32(&trace, 2, false, 100, 128), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 21 80 00"));
    ASSERT_EQ(ftr_flux_put_uint32(&trace, 2, false, 100, 0xffffffff), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 41 ff ff ff ff"));
    ASSERT_EQ(ftr_flux_put_uint(&trace, 2, false, 100, 0xffffffff), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 51 ff ff ff ff 00"));
    ASSERT_EQ(ftr_flux_put_event(&trace, 2, false, 100, 0x80000000), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 42 00 00 00 80"));
    const uint32_t events[] = {0xffffffff};
    ASSERT_EQ(ftr_flux_put_events(&trace, 2, false, 100, events, 1), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 52 04 ff ff ff ff"));
    ftr_flux_member member = {};
    member.type = FTR_FLUX_MEMBER_INTEGER;
    member.valid = true;
    member.is_unsigned = true;
    member.size = 1;
    member.as.integer = 200;
    ASSERT_EQ(ftr_flux_put_struct(&trace, 2, false, 100, &member, 1), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 41 00 03 01 c8"));
    member.size = 2;
    ASSERT_EQ(ftr_flux_put_struct(&trace, 2, false, 100, &member, 1), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 51 00 03 02 c8 00"));
    member.type = FTR_FLUX_MEMBER_MERGE_ENUM;
    member.is_unsigned = false;
    member.size = 1;
    ASSERT_EQ(ftr_flux_put_struct(&trace, 2, false, 100, &member, 1), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 41 00 08 01 c8"));
}

// The reference writer reserves the length of a struct for the longest values of its members'
// types.
TEST_F(FluxEmitter, ReservesTheMaximumWidthForTheLengthOfAStruct)
{
    open_signal(FTR_FLUX_STRUCT);
    ftr_flux_member members[2] = {};
    for (ftr_flux_member &member : members) {
        member.type = FTR_FLUX_MEMBER_INTEGER;
        member.valid = true;
    }
    members[1].member = 1;
    ASSERT_EQ(ftr_flux_put_struct(&trace, 2, false, 100, members, 2), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 e1 00 00 03 00 01 03 00"));
    members[1].valid = false;
    ASSERT_EQ(ftr_flux_put_struct(&trace, 2, false, 100, members, 2), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 b1 00 00 03 00"));
    members[0].size = 4;
    ASSERT_EQ(ftr_flux_put_struct(&trace, 2, false, 100, members, 2), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 31 00 03 00"));
    members[0].valid = false;
    ASSERT_EQ(ftr_flux_put_struct(&trace, 2, false, 100, members, 2), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 01"));
}

TEST_F(FluxEmitter, WritesHeadsOfOtherModesAndFormats)
{
    ASSERT_EQ(ftr_flux_put_head_as(&trace, "mine", FTR_FLUX_MODE_SYNC, "n", "d"), FTR_OK);
    EXPECT_EQ(emitted(), bytes("00 01 mine 04 01 01 n 01 d 01 04 80 04"));
    EXPECT_EQ(ftr_flux_put_head_as(&trace, "flu", FTR_FLUX_MODE_SYNC, "n", "d"), FTR_ERR_ARGUMENT);
}

TEST_F(FluxEmitter, SetsAndReturnsThePosition)
{
    open_signal(FTR_FLUX_INTEGER);
    int64_t position = 0;
    ASSERT_EQ(ftr_flux_get_position(&trace, 2, &position), FTR_OK);
    EXPECT_EQ(position, 100);
    ASSERT_EQ(ftr_flux_put_current(&trace, 0, 210), FTR_OK);
    EXPECT_EQ(emitted(), bytes("00 23 00 02 d2 00"));
    ASSERT_EQ(ftr_flux_get_position(&trace, 2, &position), FTR_OK);
    EXPECT_EQ(position, 210);
    EXPECT_EQ(ftr_flux_put_current(&trace, 0, 209), FTR_ERR_ORDER);
    EXPECT_EQ(ftr_flux_put_current(&trace, 2, 300), FTR_ERR_STATE); // only 0 is open
    EXPECT_EQ(ftr_flux_put_current(&trace, 3, 300), FTR_ERR_UNDEFINED);
    EXPECT_EQ(buffer.used, 0U);
}

TEST_F(FluxEmitter, WritesATimeJumpOnlyWithItsSample)
{
    open_signal(FTR_FLUX_BINARY);
    const std::string content(100, 'x');
    buffer.size = 100; // the jump would fit
    EXPECT_EQ(ftr_flux_put_binary(&trace, 2, false, INT64_C(1) << 40, content.data(), 100),
              FTR_ERR_MEMORY);
    EXPECT_EQ(buffer.used, 0U);
    ASSERT_EQ(ftr_flux_put_binary(&trace, 2, false, 100, content.data(), 50), FTR_OK);
}

TEST_F(FluxEmitter, WritesEveryTypeOfSample)
{
    open_signal(FTR_FLUX_UNKNOWN);
    ASSERT_EQ(ftr_flux_put_event(&trace, 2, false, 100, 0), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 02"));
    ASSERT_EQ(ftr_flux_put_event(&trace, 2, false, 100, 1), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 12 01"));
    ASSERT_EQ(ftr_flux_put_event(&trace, 2, false, 100, 300), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 22 2c 01"));
    ASSERT_EQ(ftr_flux_put_float(&trace, 2, false, 100, 0.5F), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 45 00 00 00 3f"));
    ASSERT_EQ(ftr_flux_put_double(&trace, 2, false, 100, 0.5), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 89 01 00 00 00 00 00 00 e0 3f"));
    ASSERT_EQ(ftr_flux_put_text(&trace, 2, false, 100, "hi"), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 21 hi"));
    ASSERT_EQ(ftr_flux_put_binary(&trace, 2, false, 100, "\0\1", 2), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 21 00 01"));
    const int32_t ints[] = {1, -2};
    ASSERT_EQ(ftr_flux_put_ints(&trace, 2, false, 100, ints, 2), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 c5 00 01 01 01 fe"));
    const int64_t longs[] = {1, -2};
    ASSERT_EQ(ftr_flux_put_longs(&trace, 2, false, 100, longs, 2), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 c9 00 01 01 01 fe"));
    const uint32_t events[] = {1, 300};
    ASSERT_EQ(ftr_flux_put_events(&trace, 2, false, 100, events, 2), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 d2 00 01 01 02 2c 01"));
    const float floats[] = {0.5F, 1};
    ASSERT_EQ(ftr_flux_put_floats(&trace, 2, false, 100, floats, 2), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 85 01 00 00 00 3f 00 00 80 3f"));
    const double doubles[] = {0.5};
    ASSERT_EQ(ftr_flux_put_doubles(&trace, 2, false, 100, doubles, 1), FTR_OK);
    EXPECT_EQ(emitted(), bytes("10 89 01 00 00 00 00 00 00 e0 3f"));
}

TEST_F(FluxEmitter, PacksLogicByItsNumberOfStates)
{
    const struct {
        char fill;
        const char *states;
        const char *bytes;
    } vectors[] = {
        {'0', "1", "10 19 01"},
        {'0', "0101", "10 19 05"},
        {'0', "10100101", "10 29 00 a5"},
        {'0', "0011x1", "10 2a 00 5d"},
        {'0', "111uuu", "10 4b 00 11 16 66"},
        {'u', "11xx", "10 3b 66 11 33"},
        {'x', "xx", "10 1a ff"},
        {'0', "000", "10 01"},
        {'1', "11", "10 05"},
        {'?', "0", "10 1b f0"},
    };
    open_signal(FTR_FLUX_LOGIC);
    for (const auto &vector : vectors) {
        ASSERT_EQ(ftr_flux_put_logic(&trace, 2, false, 100, vector.fill, vector.states), FTR_OK);
        EXPECT_EQ(emitted(), bytes(vector.bytes)) << vector.states;
    }
}

TEST_F(FluxEmitter, WritesDefinitionsLegendsAndAttachments)
{
    ASSERT_EQ(ftr_flux_put_scope(&trace, 1, 0, "top", "all"), FTR_OK);
    EXPECT_EQ(emitted(), bytes("00 10 01 00 03 top 03 all"));
    ASSERT_EQ(
        ftr_flux_put_signals(&trace, 2, 3, 1, "b", nullptr, FTR_FLUX_LOGIC, "default<bits=16>"),
        FTR_OK);
    EXPECT_EQ(emitted(), bytes("00 12 02 03 01 01 b 00 03 10 default<bits=16>"));
    ASSERT_EQ(ftr_flux_put_scattered(&trace, 4, 1, "b", nullptr, FTR_FLUX_LOGIC, nullptr, 0, 7),
              FTR_OK);
    EXPECT_EQ(emitted(), bytes("00 14 04 01 01 b 00 03 00 00 07"));
    ASSERT_EQ(ftr_flux_put_reference(&trace, 2, 0, "again", nullptr), FTR_OK);
    EXPECT_EQ(emitted(), bytes("00 13 02 00 05 again 00"));
    ASSERT_EQ(ftr_flux_put_scattered_reference(&trace, 4, 0, "part", nullptr, 0, 3), FTR_OK);
    EXPECT_EQ(emitted(), bytes("00 15 04 00 04 part 00 00 03"));
    EXPECT_EQ(ftr_flux_put_scattered_reference(&trace, 1, 0, "part", nullptr, 0, 3),
              FTR_ERR_UNDEFINED); // a scope
    trace.id = 300;
    ASSERT_EQ(ftr_flux_put_switch(&trace), FTR_OK);
    EXPECT_EQ(emitted(), bytes("00 04 ac 02"));
    ASSERT_EQ(ftr_flux_put_domain_base(&trace, "us"), FTR_OK);
    EXPECT_EQ(emitted(), bytes("00 22 02 us"));
    ASSERT_EQ(ftr_flux_open(&trace, 1, nullptr, -1, 5), FTR_OK);
    EXPECT_EQ(emitted(), bytes("00 20 01 00 01 ff 01 05"));
    ASSERT_EQ(ftr_flux_put_enum(&trace, 2, FTR_FLUX_ENUM_MEMBER + 3, "on", 128), FTR_OK);
    EXPECT_EQ(emitted(), bytes("00 30 02 0b 02 on 80 01"));
    ASSERT_EQ(ftr_flux_put_element(&trace, 2, 1, "x"), FTR_OK);
    EXPECT_EQ(emitted(), bytes("00 31 02 01 01 x 00 00"));
    ASSERT_EQ(ftr_flux_put_relation(&trace, 2, 1, 2, -3), FTR_OK);
    EXPECT_EQ(emitted(), bytes("00 40 02 01 02 01 fd"));
    ASSERT_EQ(ftr_flux_put_label(&trace, 2, 1, 0, 300), FTR_OK);
    EXPECT_EQ(emitted(), bytes("00 41 02 01 00 02 2c 01"));
    ASSERT_EQ(ftr_flux_close(&trace, 1, -9),
              FTR_OK); // before the current position: closed at the one after it
    EXPECT_EQ(emitted(), bytes("00 21 01 00"));
}

TEST_F(FluxEmitter, WritesTheAbsolutePositionIfADeltaOverflows)
{
    open_signal(FTR_FLUX_INTEGER);
    ASSERT_EQ(ftr_flux_put_int(&trace, 2, false, INT64_C(0xffffffff) + 100, 1), FTR_OK);
    EXPECT_EQ(emitted(), bytes("12 ff ff ff ff 0f 11 01"));
    ASSERT_EQ(ftr_flux_put_int(&trace, 2, false, INT64_C(0x1ffffffff) + 100, 1), FTR_OK);
    EXPECT_EQ(emitted(), bytes("00 23 00 05 63 00 00 00 02 10 11 01"));
}

TEST_F(FluxEmitter, KeepsAPositionForEachOpenItem)
{
    ASSERT_EQ(ftr_flux_put_scope(&trace, 1, 0, "a", nullptr), FTR_OK);
    ASSERT_EQ(ftr_flux_put_signal(&trace, 2, 1, "x", nullptr, FTR_FLUX_INTEGER, nullptr), FTR_OK);
    ASSERT_EQ(ftr_flux_put_signal(&trace, 3, 0, "y", nullptr, FTR_FLUX_INTEGER, nullptr), FTR_OK);
    EXPECT_EQ(ftr_flux_put_int(&trace, 2, false, 0, 1), FTR_ERR_STATE);
    ASSERT_EQ(ftr_flux_open(&trace, 1, "ns", 10, 0), FTR_OK);
    ASSERT_EQ(ftr_flux_open(&trace, 3, "us", 1000, 0), FTR_OK);
    emitted();
    ASSERT_EQ(ftr_flux_put_int(&trace, 2, false, 12, 1), FTR_OK);
    ASSERT_EQ(ftr_flux_put_int(&trace, 3, false, 1001, 1), FTR_OK);
    ASSERT_EQ(ftr_flux_put_int(&trace, 2, false, 13, 1), FTR_OK);
    EXPECT_EQ(emitted(), bytes("12 02 11 01 1a 01 11 01 12 01 11 01"));
    ASSERT_EQ(ftr_flux_close(&trace, 3, 1001), FTR_OK);
    EXPECT_EQ(ftr_flux_put_int(&trace, 3, false, 1002, 1), FTR_ERR_STATE);
    EXPECT_EQ(ftr_flux_close(&trace, 3, 1001), FTR_ERR_STATE);
    ASSERT_EQ(ftr_flux_open(&trace, 3, "us", 2000, 0), FTR_OK); // a second time
    EXPECT_EQ(ftr_flux_put_int(&trace, last_item, false, 0, 1), FTR_ERR_UNDEFINED);
}

TEST_F(FluxEmitter, RefusesInvalidInputAndWritesNothing)
{
    open_signal(FTR_FLUX_INTEGER);
    EXPECT_EQ(ftr_flux_put_int(&trace, 2, false, 99, 1), FTR_ERR_ORDER);
    EXPECT_EQ(ftr_flux_put_int(&trace, 0, false, 100, 1), FTR_ERR_ARGUMENT);
    EXPECT_EQ(ftr_flux_put_int(&trace, last_item + 1, false, 100, 1), FTR_ERR_ARGUMENT);
    EXPECT_EQ(ftr_flux_put_int(&trace, 3, false, 100, 1), FTR_ERR_UNDEFINED);
    EXPECT_EQ(ftr_flux_open(&trace, 0, "ns", 0, 0), FTR_ERR_STATE);
    EXPECT_EQ(ftr_flux_put_signal(&trace, 2, 0, "s", nullptr, FTR_FLUX_TEXT, nullptr),
              FTR_ERR_STATE);
    EXPECT_EQ(ftr_flux_put_signal(&trace, 3, 2, "s", nullptr, FTR_FLUX_TEXT, nullptr),
              FTR_ERR_UNDEFINED);
    EXPECT_EQ(ftr_flux_put_text(&trace, 2, false, 100, std::string(600, 'x').c_str()),
              FTR_ERR_LIMIT); // max_entry_size is 512
    EXPECT_EQ(buffer.used, 0U);
    trace.max_entry_size = 8192;
    EXPECT_EQ(ftr_flux_put_text(&trace, 2, false, 100, std::string(5000, 'x').c_str()),
              FTR_ERR_MEMORY);
    EXPECT_EQ(buffer.used, 0U);
}

size_t take_seven(void *user, const void *data, size_t size)
{
    auto *all = static_cast<Bytes *>(user);
    const size_t taken = std::min<size_t>(size, 7);
    const auto *first = static_cast<const uint8_t *>(data);
    all->insert(all->end(), first, first + taken);
    return taken;
}

TEST_F(FluxEmitter, PassesEveryByteToTheHandlerOnce)
{
    Bytes through;
    uint8_t small[24];
    ftr_flux_buffer narrow;
    ftr_flux_buffer_init(&narrow, small, sizeof small, take_seven, &through);
    open_signal(FTR_FLUX_INTEGER);
    for (int i = 0; i < 100; i++)
        ASSERT_EQ(ftr_flux_put_int(&trace, 2, false, 100 + i, i * INT64_C(1000)), FTR_OK);
    const Bytes direct = emitted();
    trace.items[0].position = 100;
    ftr_flux_trace_set_buffer(&trace, &narrow);
    for (int i = 0; i < 100; i++)
        ASSERT_EQ(ftr_flux_put_int(&trace, 2, false, 100 + i, i * INT64_C(1000)), FTR_OK);
    ASSERT_EQ(ftr_flux_flush(&narrow), FTR_OK);
    EXPECT_EQ(through, direct);
}

size_t take_nothing(void *, const void *, size_t)
{
    return 0;
}

TEST_F(FluxEmitter, ReportsAFailedHandler)
{
    uint8_t small[8];
    ftr_flux_buffer narrow;
    ftr_flux_buffer_init(&narrow, small, sizeof small, take_nothing, nullptr);
    open_signal(FTR_FLUX_INTEGER);
    ftr_flux_trace_set_buffer(&trace, &narrow);
    ASSERT_EQ(ftr_flux_put_int(&trace, 2, false, 100, 1000), FTR_OK);
    ASSERT_EQ(ftr_flux_put_int(&trace, 2, false, 100, 1000), FTR_OK);
    EXPECT_EQ(ftr_flux_put_int(&trace, 2, false, 100, 1000), FTR_ERR_MEMORY);
    EXPECT_EQ(ftr_flux_flush(&narrow), FTR_ERR_IO);
    EXPECT_EQ(narrow.used, 8U);
}

TEST_F(FluxEmitter, WritesARingOfSections)
{
    uint8_t ring[120] = {};
    ftr_flux_buffer around;
    ftr_flux_buffer_init(&around, ring, sizeof ring, nullptr, nullptr);
    ftr_flux_trace_set_buffer(&trace, &around);
    ASSERT_EQ(
        ftr_flux_put_signal(&trace, 1, 0, "0123456789abcde", nullptr, FTR_FLUX_INTEGER, nullptr),
        FTR_OK);
    ASSERT_EQ(ftr_flux_open(&trace, 0, "ns", 0, 0), FTR_OK);
    const size_t linear = around.used;
    ASSERT_EQ(linear, 31U);
    EXPECT_EQ(ftr_flux_put_sections(&trace, 5), FTR_ERR_ARGUMENT); // too small
    ASSERT_EQ(ftr_flux_put_sections(&trace, 3), FTR_OK);
    EXPECT_EQ(Bytes(ring + 31, ring + 38), bytes("00 06 01 16 00 00 00"));
    EXPECT_EQ(Bytes(ring + 60, ring + 67), bytes("00 06 00 16 00 00 00"));
    EXPECT_EQ(Bytes(ring + 89, ring + 96), bytes("00 06 80 18 00 00 00"));
    for (int i = 1; i <= 6; i++) // 4 bytes each: five fill the first section
        ASSERT_EQ(ftr_flux_put_int(&trace, 1, false, i, 7), FTR_OK);
    EXPECT_EQ(ring[31 + 5], 20);
    EXPECT_EQ(Bytes(ring + 60, ring + 60 + 16),
              bytes("00 06 01 16 00 09 00 00 23 00 01 05 0a 01 11 07"));
    for (int i = 7; i <= 100; i++)
        ASSERT_EQ(ftr_flux_put_int(&trace, 1, false, i, 7), FTR_OK);
    const unsigned counters[] = {ring[33], ring[62], ring[91]};
    EXPECT_EQ(counters[2] & 0x80, 0x80U);
    EXPECT_GE(counters[0], 7U);
    EXPECT_LE(counters[0] - (counters[2] & 0x0f), 1U);
    size_t size = 0;
    EXPECT_EQ(ftr_flux_buffer_get(&around, &size), ring);
    EXPECT_EQ(size, sizeof ring);
    const Bytes before(ring, ring + sizeof ring);
    EXPECT_EQ(ftr_flux_put_binary(&trace, 1, false, 101, "0123456789abcdefghij", 20),
              FTR_ERR_MEMORY); // does not fit into any section
    EXPECT_EQ(Bytes(ring, ring + sizeof ring), before);
}

TEST_F(FluxEmitter, WritesFilesAndPacks)
{
    std::FILE *file = std::tmpfile();
    ASSERT_NE(file, nullptr);
    uint8_t out[1024];
    uint8_t packed[FTR_FLUX_PACK_BYTES(4096)];
    ftr_flux_buffer to_file;
    ftr_flux_buffer_init(&to_file, out, sizeof out, ftr_flux_write_file, file);
    ftr_flux_packer packer = {&to_file, packed, sizeof packed};
    buffer.take = ftr_flux_pack_lz4;
    buffer.user = &packer;
    open_signal(FTR_FLUX_TEXT);
    for (int i = 0; i < 10; i++)
        ASSERT_EQ(ftr_flux_put_text(&trace, 2, false, 100, "the same text again"), FTR_OK);
    ASSERT_EQ(ftr_flux_flush(&buffer), FTR_OK);
    ASSERT_EQ(ftr_flux_flush(&to_file), FTR_OK);
    std::rewind(file);
    uint8_t block[1024];
    const size_t size = std::fread(block, 1, sizeof block, file);
    std::fclose(file);
    ASSERT_GT(size, 10U);
    // 220 bytes (dc 01) were packed into the rest
    EXPECT_EQ(Bytes(block, block + 5), bytes("00 05 00 dc 01"));
    EXPECT_EQ(block[5], size - 6);
    EXPECT_LT(size, 60U);
}

} // namespace
