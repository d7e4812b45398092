// Values that a transaction refuses: of a wrong type, of too many attributes, too large in sum.
#include "recording.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace
{
constexpr ftr_type declared_types[] = {FTR_TYPE_UNSIGNED, FTR_TYPE_TIME, FTR_TYPE_BOOLEAN,
                                       FTR_TYPE_POINTER,  FTR_TYPE_TIME, FTR_TYPE_INTEGER,
                                       FTR_TYPE_UNSIGNED, FTR_TYPE_TIME, FTR_TYPE_POINTER};

// Records @p count values for a generator with @p attributes attributes: once with the right types,
// and once with each value of another type. The count is a constant, as in most programs.
template <std::size_t count>
void expect_statuses(recording &rec, ftr_generator generator, std::size_t attributes)
{
    ftr_value values[count];
    for (std::size_t i = 0; i < count; ++i)
        values[i] = number_value(declared_types[i], 1);
    const auto record = [&] { return ftr_tx_record(rec, generator, 1, 2, values, count, nullptr); };
    EXPECT_EQ(record(), count <= attributes ? FTR_OK : FTR_ERR_ATTRIBUTE) << attributes;
    for (std::size_t i = 0; i < count; ++i) {
        for (ftr_type type : {FTR_TYPE_UNSIGNED, FTR_TYPE_POINTER, FTR_TYPE_TIME, ftr_type(15),
                              ftr_type(16 + declared_types[i]), ftr_type(1 << 30)}) {
            values[i].type = type;
            const ftr_status expected = count > attributes          ? FTR_ERR_ATTRIBUTE
                                        : type == declared_types[i] ? FTR_OK
                                                                    : FTR_ERR_TYPE;
            EXPECT_EQ(record(), expected) << attributes << " attributes, value " << i;
        }
        values[i].type = declared_types[i];
    }
}

TEST(RecorderMisuseTypes, OfAnyValueOfATransactionReturnAStatus)
{
    recording rec;
    const ftr_stream stream = rec.stream("top");
    for (std::size_t attributes = 0; attributes <= std::size(declared_types); ++attributes) {
        std::vector<ftr_attribute> list;
        for (std::size_t i = 0; i < attributes; ++i)
            list.push_back({"value", declared_types[i], FTR_CLASS_RECORD});
        const ftr_generator generator = rec.generator(stream, "g", list);
        expect_statuses<1>(rec, generator, attributes);
        expect_statuses<2>(rec, generator, attributes);
        expect_statuses<3>(rec, generator, attributes);
        expect_statuses<7>(rec, generator, attributes);
        expect_statuses<8>(rec, generator, attributes);
        expect_statuses<9>(rec, generator, attributes);
    }
    const ftr_value one = number_value(FTR_TYPE_UNSIGNED, 1);
    EXPECT_EQ(ftr_tx_record(rec, stream, 1, 2, &one, 1, nullptr), FTR_ERR_UNDEFINED);
}

TEST(RecorderMisuseLimits, TooLargeTransactionIsRefusedAndNotChanged)
{
    recording rec;
    const ftr_generator generator = rec.generator(
        rec.stream("top"), "g",
        {{"name", FTR_TYPE_STRING, FTR_CLASS_END}, {"count", FTR_TYPE_INTEGER, FTR_CLASS_BEGIN}});
    ftr_tx open = {};
    ASSERT_EQ(ftr_tx_begin(rec, generator, 10, &open), FTR_OK);
    const std::string large(std::size_t(512) << 20, 'x');
    ftr_status status = FTR_OK;
    for (int i = 0; i < 3 && status == FTR_OK; ++i)
        status = ftr_tx_put_text(rec, open, 0, large.data(), large.size());
    EXPECT_EQ(status, FTR_ERR_LIMIT);
    EXPECT_EQ(ftr_tx_put_int(rec, open, 1, 3), FTR_OK);
    EXPECT_EQ(rec.statistics().misuses, 1u);
}
} // namespace
