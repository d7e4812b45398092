// The bits of bit fields in values of little-endian and big-endian machines. The bytes are those
// that compilers for these machines store.
#include <gtest/gtest.h>

#include <string>
#include <vector>

extern "C" {
#include "value_fields.h"
}

namespace
{
class ValueFields : public testing::Test
{
  protected:
    ~ValueFields() override { ftr_arena_reset(&arena_); }

    // Adds a bit field to the struct.
    void add(const char *name, ftr_c_kind kind, unsigned bits, std::uint64_t offset)
    {
        types_.emplace_back();
        members_.push_back({name, nullptr, offset, bits, 0});
        types_.back().kind = kind;
        types_.back().size = 4;
    }

    // Returns the fields of the value @p bytes, as `name=value `.
    std::string read(const std::vector<unsigned char> &bytes, bool big_endian)
    {
        ftr_c_type type = {};
        type.kind = FTR_C_STRUCT;
        type.size = bytes.size();
        for (std::size_t i = 0; i < members_.size(); ++i)
            members_[i].type = &types_[i];
        type.members = members_.data();
        type.member_count = members_.size();
        ftr_value_fields fields = {};
        ftr_value_fields_of(&arena_, "v", &type, "struct", static_cast<std::uint32_t>(type.size),
                            &fields);
        std::string text;
        for (std::size_t i = 0; i < fields.count; ++i) {
            const ftr_value value =
                ftr_value_field_read(&arena_, &fields.fields[i], bytes.data(), big_endian);
            text += std::string(fields.fields[i].name) + "=";
            if (value.type == FTR_TYPE_BOOLEAN)
                text += value.as.boolean ? "true " : "false ";
            else if (value.type == FTR_TYPE_INTEGER)
                text += std::to_string(value.as.integer) + " ";
            else
                text += std::to_string(value.as.number) + " ";
        }
        return text;
    }

    ftr_link_arena arena_ = {};
    std::vector<ftr_c_type> types_;
    std::vector<ftr_c_member> members_;
};

// struct { unsigned a : 3; int b : 5; unsigned c : 24; _Bool d : 1; } = {5, -3, 77, 1}
TEST_F(ValueFields, HaveTheBitsOfBothByteOrders)
{
    add("a", FTR_C_UNSIGNED, 3, 0);
    add("b", FTR_C_SIGNED, 5, 3);
    add("c", FTR_C_UNSIGNED, 24, 8);
    add("d", FTR_C_BOOL, 1, 32);
    const std::string expected = "v.a=5 v.b=-3 v.c=77 v.d=true ";
    EXPECT_EQ(read({0xed, 77, 0, 0, 1, 0, 0, 0}, false), expected);
    EXPECT_EQ(read({0xbd, 0, 0, 77, 0x80, 0, 0, 0}, true), expected);
}

TEST_F(ValueFields, HaveBitFieldsOf64BitsInNineBytes)
{
    add("a", FTR_C_UNSIGNED, 4, 0);
    add("b", FTR_C_UNSIGNED, 64, 4);
    const std::string expected = "v.a=1 v.b=81985529216486895 "; // 0x0123456789abcdef
    EXPECT_EQ(read({0xf1, 0xde, 0xbc, 0x9a, 0x78, 0x56, 0x34, 0x12, 0x00}, false), expected);
    EXPECT_EQ(read({0x10, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0}, true), expected);
}

TEST_F(ValueFields, OmitBitFieldsWithoutAPositionInTheStruct)
{
    add("a", FTR_C_UNSIGNED, 4, FTR_C_BIT_UNKNOWN);
    add("b", FTR_C_UNSIGNED, 4, 13);
    add("c", FTR_C_UNSIGNED, 65, 0);
    add("d", FTR_C_UNSIGNED, 4, 12);
    EXPECT_EQ(read({0, 0x70}, false), "v.d=7 ");
}
} // namespace
